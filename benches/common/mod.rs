//! What the tables of the benchmarks have in common.

use std::process::Command;

/// Runs a case in a process of its own, so that its peak memory is its own.
pub(crate) fn in_a_process_of_its_own(arguments: &[&str]) {
    let me = std::env::current_exe().expect("own path");
    let status = Command::new(me).args(arguments).status().expect("a process per case");
    assert!(status.success(), "{arguments:?} failed");
}

/// The arguments of a benchmark but for those of cargo.
pub(crate) fn arguments() -> Vec<String> {
    std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect()
}

/// Largest resident memory of this process so far.
pub(crate) fn peak_memory_gigabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|l| l.split_whitespace().nth(1)).and_then(|k| k.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |k| k * 1024.0 / 1e9)
}
