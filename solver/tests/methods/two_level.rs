//! Conjugate gradients with strips and a coarse level, on weaves that are stiff against their inertia.

use hebra_solver::linear::Guides;
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::pcg::{ConjugateGradients, Ending};
use hebra_solver::samples::WovenSquare;
use hebra_solver::strips::Strips;
use hebra_solver::two_level::TwoLevel;

/// A weave whose shear and bending carry across many yarns within a time step.
fn stiff(side: usize) -> WovenSquare {
    let flat = WovenSquare::flat(side);
    WovenSquare { shear_energy: 1e-5, bend_modulus: 1e8, crimp: 0.25, ..flat }
}

fn guides(weave: &WovenSquare) -> Guides {
    Guides { coordinates: weave.coordinates(), groups: weave.groups() }
}

fn load(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i % 5 == 2 { 1.0 } else { (i as f64).sin() }).collect()
}

fn two_level(weave: &WovenSquare) -> (BlockMatrix<5>, TwoLevel<5>) {
    let matrix = weave.matrix();
    let mut two_level = TwoLevel::new(matrix.pattern(), &guides(weave));
    two_level.factor(&matrix, &vec![true; matrix.n_unknowns()]);
    (matrix, two_level)
}

fn iterations(matrix: &BlockMatrix<5>, m: &mut dyn hebra_solver::pcg::Preconditioner) -> usize {
    let b = load(matrix.n_unknowns());
    let (mut x, mut cg) = (vec![0.0; b.len()], ConjugateGradients::new(b.len()));
    cg.tolerance = 1e-3;
    let outcome = cg.solve(matrix, m, &b, &mut x);
    assert_eq!(outcome.ending, Ending::Converged);
    outcome.iterations
}

#[test]
fn counts_do_not_grow_with_the_size() {
    for side in [24, 48, 96] {
        let weave = stiff(side);
        let (matrix, mut both) = two_level(&weave);
        let mut strips = Strips::new(matrix.pattern(), &weave.groups());
        strips.factor(&matrix);
        let (with, without) = (iterations(&matrix, &mut both), iterations(&matrix, &mut strips));
        println!("{side}: {with} iterations, {without} without the coarse level");
        assert!(with <= 60, "{side} crossings: {with} iterations");
        assert!(with < without, "{side} crossings: {with} iterations, {without} without the coarse level");
    }
}

#[test]
fn inactive_unknowns_have_no_share() {
    let weave = stiff(20);
    let mut matrix = weave.matrix();
    let active: Vec<bool> = (0..matrix.n_unknowns()).map(|i| i % 5 != 3 && i / 5 != 30).collect();
    matrix.set_identity_rows(&active);
    let mut both = TwoLevel::new(matrix.pattern(), &guides(&weave));
    both.factor(&matrix, &active);
    let b: Vec<f64> =
        load(active.len()).iter().zip(&active).map(|(b, a)| if *a { *b } else { 0.0 }).collect();
    let (mut x, mut cg) = (vec![0.0; b.len()], ConjugateGradients::new(b.len()));
    assert_eq!(cg.solve(&matrix, &mut both, &b, &mut x).ending, Ending::Converged);
    assert!(x.iter().zip(&active).all(|(x, a)| *a || *x == 0.0));
}

#[test]
fn without_coordinates_it_is_the_strips() {
    let weave = stiff(16);
    let matrix = weave.matrix();
    let guides = Guides { coordinates: Vec::new(), groups: weave.groups() };
    let mut both = TwoLevel::new(matrix.pattern(), &guides);
    both.factor(&matrix, &vec![true; matrix.n_unknowns()]);
    let mut strips = Strips::new(matrix.pattern(), &weave.groups());
    strips.factor(&matrix);
    assert_eq!(iterations(&matrix, &mut both), iterations(&matrix, &mut strips));
}

#[test]
fn threads_change_no_bit() {
    let weave = stiff(40);
    let solve = |threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let (matrix, mut both) = two_level(&weave);
            let b = load(matrix.n_unknowns());
            let mut x = vec![0.0; b.len()];
            ConjugateGradients::new(b.len()).solve(&matrix, &mut both, &b, &mut x);
            x
        })
    };
    assert_eq!(solve(1), solve(2));
    assert_eq!(solve(1), solve(3));
}
