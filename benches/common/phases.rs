//! Columns of the tables: what a step consists of.

use hebra::simulation::Simulation;

/// Columns of the phases, and what of [`Simulation::seconds_by_phase`] is summed in each.
pub(crate) const PHASES: [(&str, &[&str]); 6] = [
    ("roles", &["arrange"]),
    ("preparation", &["prepare", "finish"]),
    ("assembly", &["gradient", "hessian", "line_search"]),
    ("factors", &["linear_setup"]),
    ("conjugate gradients", &["linear_solve"]),
    ("regions", &["regions"]),
];

/// Seconds a step of every phase since `before`, as cells of a row.
pub(crate) fn seconds_by_phase(
    simulation: &Simulation,
    before: &[(&'static str, f64)],
    steps: usize,
) -> String {
    let spent: Vec<_> =
        simulation.seconds_by_phase().into_iter().zip(before).map(|(a, b)| (a.0, a.1 - b.1)).collect();
    let of_phase = |(_, names): &(&str, &[&str])| {
        let sum: f64 = spent.iter().filter(|(name, _)| names.contains(name)).map(|(_, s)| s).sum();
        format!("{:.3}", sum / steps as f64)
    };
    PHASES.iter().map(of_phase).collect::<Vec<_>>().join(" | ")
}
