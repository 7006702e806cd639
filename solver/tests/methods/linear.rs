//! The choice of the linear method and what happens when one fails.

use std::sync::Arc;

use hebra_solver::linear::{
    Choice, Guides, LinearError, LinearMethod, LinearOptions, LinearSolver, Sequel, System,
};
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::samples::WovenSquare;

fn solver(weave: &WovenSquare, method: LinearMethod) -> LinearSolver<5> {
    let guides = Guides { coordinates: weave.coordinates(), groups: weave.groups() };
    let pattern = Arc::clone(weave.matrix().pattern());
    LinearSolver::new(pattern, guides, LinearOptions { method, ..Default::default() })
}

#[test]
fn methods_agree() {
    let weave = WovenSquare::crimped(20);
    let mut matrix = weave.matrix();
    let (active, b) = (vec![true; 2000], vec![1.0; 2000]);
    let mut solve = |method| {
        let mut x = vec![0.0; 2000];
        let mut system = System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: true };
        let report = solver(&weave, method).solve(&mut system, &b, &mut x, 1e-10).unwrap();
        assert!(report.relative_residual <= 1e-10);
        (x, report)
    };
    let (direct, report) = solve(LinearMethod::Direct);
    assert!(report.factorisations == 1 && report.iterations <= 8, "{report:?}");
    let (iterative, report) = solve(LinearMethod::Iterative);
    assert!(report.factorisations == 0 && !report.fell_back);
    let scale = direct.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(direct.iter().zip(&iterative).all(|(a, b)| (a - b).abs() <= 1e-5 * scale));
}

#[test]
fn an_indefinite_matrix_gets_a_shift() {
    let weave = WovenSquare::flat(12);
    for method in [LinearMethod::Auto, LinearMethod::Direct, LinearMethod::Iterative] {
        let mut matrix = weave.matrix();
        let slot = matrix.pattern().row(70).start;
        matrix.values_mut()[slot][2][2] = -10.0;
        let (active, b, mut x) = (vec![true; 720], vec![1.0; 720], vec![0.0; 720]);
        let mut system = System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: true };
        let report = solver(&weave, method).solve(&mut system, &b, &mut x, 1e-6).unwrap();
        assert!(report.shift > 0.0 && report.relative_residual <= 1e-6, "{method:?}: {report:?}");
        assert!(x.iter().sum::<f64>() > 0.0);
        // Or it is given back.
        let mut matrix = weave.matrix();
        matrix.values_mut()[slot][2][2] = -10.0;
        let mut system =
            System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: false };
        let report = solver(&weave, method).solve(&mut system, &b, &mut x, 1e-6).unwrap();
        assert!(report.is_indefinite && report.shift == 0.0, "{method:?}: {report:?}");
    }
}

#[test]
fn a_restored_choice_decides_alike() {
    let weave = WovenSquare::crimped(20);
    let mut matrix = weave.matrix();
    let (active, b) = (vec![true; 2000], vec![1.0; 2000]);
    let mut methods = |solver: &mut LinearSolver<5>, n: usize| -> Vec<LinearMethod> {
        let mut x = vec![0.0; 2000];
        let mut system = System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: true };
        (0..n).map(|_| solver.solve(&mut system, &b, &mut x, 1e-3).unwrap().method).collect()
    };
    let mut through = solver(&weave, LinearMethod::Auto);
    through.set_choice(Choice { iterations_per_fold: [1e3; 3], ..Choice::default() });
    methods(&mut through, 3);
    let mut resumed = solver(&weave, LinearMethod::Auto);
    resumed.set_choice(through.choice());
    assert_eq!(methods(&mut through, 80), methods(&mut resumed, 80));
    assert_eq!(through.choice(), resumed.choice());
}

#[test]
fn auto_falls_back_on_a_factor_when_the_strips_fail() {
    // Without groups there is but the inverse of the diagonal blocks, which takes hundreds of iterations.
    let mut matrix = WovenSquare::crimped(20).matrix();
    let mut solver =
        LinearSolver::new(Arc::clone(matrix.pattern()), Guides::default(), LinearOptions::default());
    solver.set_choice(Choice { iterations_per_fold: [0.0; 3], ..Choice::default() });
    let (active, b, mut x) = (vec![true; 2000], vec![1.0; 2000], vec![0.0; 2000]);
    let mut system = System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: true };
    let report = solver.solve(&mut system, &b, &mut x, 1e-6).unwrap();
    assert!(report.fell_back && report.method == LinearMethod::Direct, "{report:?}");
    assert!(report.relative_residual <= 1e-6);
    // It does not try them again at once.
    let report = solver.solve(&mut system, &b, &mut x, 1e-6).unwrap();
    assert!(!report.fell_back && report.method == LinearMethod::Direct);
}

#[test]
fn numbers_that_are_not_finite_are_an_error() {
    let weave = WovenSquare::flat(6);
    for method in [LinearMethod::Auto, LinearMethod::Direct, LinearMethod::Iterative] {
        let mut matrix = weave.matrix();
        let (active, mut b, mut x) = (vec![true; 180], vec![1.0; 180], vec![0.0; 180]);
        b[17] = f64::INFINITY;
        let mut system = System { matrix: &mut matrix, active: &active, sequel: Sequel::Later, repair: true };
        let result = solver(&weave, method).solve(&mut system, &b, &mut x, 1e-6);
        assert!(matches!(result, Err(LinearError::NotFinite)), "{method:?}: {result:?}");
    }
}

#[test]
fn a_solver_of_another_pattern_is_as_one_made_for_it() {
    let weave = WovenSquare::crimped(20);
    let old = weave.matrix();
    let pattern = Arc::new(old.pattern().extended(&[(3, 390), (3, 391), (40, 200)]));
    let mut matrix = BlockMatrix::new(Arc::clone(&pattern));
    for i in 0..400 {
        for slot in old.pattern().row(i) {
            let new = pattern.slot(i as u32, old.pattern().all_columns()[slot]).unwrap();
            matrix.values_mut()[new] = old.values()[slot];
        }
    }
    for (i, j) in [(3, 390), (40, 200)] {
        let (here, there, between) =
            (pattern.row(i).start, pattern.row(j).start, pattern.slot(i as u32, j as u32));
        for k in 0..3 {
            matrix.values_mut()[here][k][k] += 10.0;
            matrix.values_mut()[there][k][k] += 10.0;
            matrix.values_mut()[between.unwrap()][k][k] -= 10.0;
        }
    }
    let (active, b) = (vec![true; 2000], vec![1.0; 2000]);
    let solve = |solver: &mut LinearSolver<5>, matrix: &mut BlockMatrix<5>| {
        let mut x = vec![0.0; 2000];
        let report = solver
            .solve(
                &mut System { matrix, active: &active, sequel: Sequel::Later, repair: true },
                &b,
                &mut x,
                1e-8,
            )
            .unwrap();
        assert!(report.relative_residual <= 1e-8 && !report.fell_back, "{report:?}");
        x
    };
    for method in [LinearMethod::Direct, LinearMethod::Iterative] {
        let mut changed = solver(&weave, method);
        let before = solve(&mut changed, &mut weave.matrix());
        changed.set_pattern(Arc::clone(&pattern));
        let guides = Guides { coordinates: weave.coordinates(), groups: weave.groups() };
        let options = LinearOptions { method, ..Default::default() };
        let mut fresh = LinearSolver::new(Arc::clone(&pattern), guides, options);
        let after = solve(&mut changed, &mut matrix);
        assert_eq!(after, solve(&mut fresh, &mut matrix), "{method:?}");
        assert_ne!(after, before);
    }
}
