//! `hebra cell`: one state of rest in words, several as a table.

use std::fs;
use std::process::{Command, Output, Stdio};

const WEAVE: &str = "(fabrics: [(name: \"poplin\", crimp: (), warp: (count: 4, spacing: 5e-4), weft: (count: 4, spacing: 5e-4))])";

fn cell(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("weave.ron"), WEAVE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hebra"));
    command.current_dir(folder.path()).args(["cell", "weave.ron"]).args(arguments).output().unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = cell(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_weave_at_rest_is_told_in_words_and_a_curve_in_a_table() {
    let rest = said(&[]);
    for line in ["a repeat of 2 x 2 crossings", "between wefts", "crimp of warp", "along weft", "thickness"] {
        assert!(rest.contains(line), "no `{line}` in {rest}");
    }
    let curve = said(&["--along-warp", "0.01,0.02,0.03"]);
    let rows: Vec<Vec<f64>> = curve
        .lines()
        .map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()).collect())
        .filter(|row: &Vec<f64>| row.len() == 6)
        .collect();
    assert_eq!(rows.len(), 3, "{curve}");
    let single = said(&["--along-warp", "0.03"]);
    let tension = single.lines().find(|l| l.contains("along warp")).unwrap();
    let tension: f64 = tension.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!((rows[2][2] / tension - 1.0).abs() < 1e-3, "{curve} {single}");
    assert!(rows[0][2] < rows[1][2] && rows[1][2] < rows[2][2], "{curve}");
}

#[test]
fn stretches_that_do_not_pair_are_refused() {
    let output = cell(&["--along-warp", "0.01,0.02,0.03", "--along-weft", "0.01,0.02"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("give as many, or one"), "{message}");
}

/// Whoever reads no further ends no program with a panic.
#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("weave.ron"), WEAVE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hebra"));
    let command = command.current_dir(folder.path()).args(["info", "weave.ron"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && message.is_empty(), "{message}");
}
