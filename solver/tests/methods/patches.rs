//! Conjugate gradients with patches, on weaves that stiff springs bind to one another.

use std::sync::Arc;

use hebra_solver::interrupt::Interrupt;
use hebra_solver::linear::{Guides, LinearMethod, LinearOptions, LinearSolver, Sequel, Stage, System};
use hebra_solver::matrix::BlockMatrix;
use hebra_solver::patches::Patches;
use hebra_solver::pattern::PatternBuilder;
use hebra_solver::pcg::{ConjugateGradients, Ending, Preconditioner};
use hebra_solver::samples::WovenSquare;
use hebra_solver::two_level::TwoLevel;

/// Stiffness of a binding over the largest of a weave's diagonal.
const BINDING: f64 = 100.0;

/// Two weaves on one another, turned by a third of a right angle: each node of the upper one is bound to the
/// point of the lower one's yarn that is nearest, between two of its nodes.
struct Bound {
    matrix: BlockMatrix<5>,
    guides: Guides,
}

impl Bound {
    fn new(side: usize) -> Self {
        let weave = WovenSquare {
            stretch_modulus: 1e5,
            bend_modulus: 1e4,
            shear_energy: 1e-8,
            ..WovenSquare::flat(side)
        };
        let (one, n) = (weave.matrix(), side * side);
        let lower = weave.coordinates();
        let bindings = bindings(&lower, side);
        let mut builder = PatternBuilder::new(2 * n);
        for i in 0..n {
            for &j in one.pattern().columns(i) {
                builder.couple(&[i as u32, j]);
                builder.couple(&[(n + i) as u32, n as u32 + j]);
            }
        }
        bindings.iter().for_each(|(blocks, _)| builder.couple(blocks));
        let mut matrix = BlockMatrix::new(Arc::new(builder.build()));
        add_twice(&mut matrix, &one);
        let stiffness = BINDING * one.diagonal().iter().fold(0.0, |m: f64, d| m.max(*d));
        bindings.iter().for_each(|(blocks, weights)| add_spring(&mut matrix, blocks, weights, stiffness));
        let upper: Vec<u32> = (0..n as u32).map(|i| n as u32 + i).collect();
        let groups = weave.groups();
        let shifted = groups.iter().map(|g| g.iter().map(|&b| upper[b as usize]).collect());
        let guides = Guides {
            coordinates: lower.iter().copied().chain(lower.iter().map(|&p| turned(p, &lower))).collect(),
            groups: groups.iter().cloned().chain(shifted).collect(),
        };
        Self { matrix, guides }
    }

    fn iterations(&self, m: &mut dyn Preconditioner) -> usize {
        self.iterations_for(&load(self.matrix.n_unknowns()), m)
    }

    fn iterations_for(&self, b: &[f64], m: &mut dyn Preconditioner) -> usize {
        let (mut x, mut cg) = (vec![0.0; b.len()], ConjugateGradients::new(b.len()));
        (cg.tolerance, cg.max_iterations) = (1e-3, 300);
        let outcome = cg.solve(&self.matrix, m, b, &mut x);
        assert!(!matches!(outcome.ending, Ending::NegativeCurvature | Ending::NotFinite), "{outcome:?}");
        outcome.iterations
    }

    fn patches(&self) -> Patches<5> {
        self.patches_of(&vec![true; self.matrix.n_unknowns()])
    }

    fn patches_of(&self, active: &[bool]) -> Patches<5> {
        let (pattern, points) = (self.matrix.pattern(), &self.guides.coordinates);
        let mut patches = Patches::new(pattern, points, active, &Interrupt::default()).unwrap();
        patches.factor(&self.matrix);
        patches
    }
}

fn load(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i % 5 == 2 { 1.0 } else { (0.01 * i as f64).sin() }).collect()
}

/// A point of the upper weave, above the lower one's middle.
fn turned(p: [f64; 3], all: &[[f64; 3]]) -> [f64; 3] {
    let centre = all[all.len() - 1].map(|c| 0.5 * c);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let [x, y] = [p[0] - centre[0], p[1] - centre[1]];
    [centre[0] + cos * x - sin * y, centre[1] + sin * x + cos * y, p[2]]
}

/// `(upper node, lower nodes)` with the weights of their positions in a binding's offset.
fn bindings(lower: &[[f64; 3]], side: usize) -> Vec<([u32; 3], [f64; 3])> {
    let (n, pitch) = (lower.len(), lower[1][0].max(lower[1][1]) - lower[0][0].min(lower[0][1]));
    let bind = |k: usize| {
        let [s, t] = [0, 1].map(|a| turned(lower[k], lower)[a] / pitch);
        let inside = s >= 0.0 && t >= 0.0 && s.ceil() < side as f64 && t.ceil() < side as f64;
        // Yarns along the second coordinate are those of equal first coordinate.
        let index = |i: f64, j: f64| {
            let near = |b: &[f64; 3]| (b[0] / pitch - i).hypot(b[1] / pitch - j) < 0.1;
            lower.iter().position(near).map(|b| b as u32)
        };
        let (i, j) = (s.round(), t.floor());
        let (a, c) = (index(i, j)?, index(i, j + 1.0)?);
        inside.then_some(([a, c, (n + k) as u32], [1.0 - (t - j), t - j, -1.0]))
    };
    (0..n).filter_map(bind).collect()
}

fn add_twice(matrix: &mut BlockMatrix<5>, one: &BlockMatrix<5>) {
    let (pattern, n) = (Arc::clone(matrix.pattern()), one.pattern().n_blocks() as u32);
    for i in 0..n {
        for slot in one.pattern().row(i as usize) {
            let j = one.pattern().all_columns()[slot];
            for shift in [0, n] {
                let to = pattern.slot(i + shift, j + shift).unwrap();
                matrix.values_mut()[to] = one.values()[slot];
            }
        }
    }
}

fn add_spring(matrix: &mut BlockMatrix<5>, blocks: &[u32; 3], weights: &[f64; 3], stiffness: f64) {
    let pattern = Arc::clone(matrix.pattern());
    for (&i, wi) in blocks.iter().zip(weights) {
        for (&j, wj) in blocks.iter().zip(weights).filter(|(j, _)| **j >= i) {
            let block = &mut matrix.values_mut()[pattern.slot(i, j).unwrap()];
            (0..3).for_each(|a| block[a][a] += stiffness * wi * wj);
        }
    }
}

#[test]
fn counts_are_small_and_do_not_grow_with_the_size() {
    for side in [20, 40] {
        let bound = Bound::new(side);
        let mut strips = TwoLevel::new(bound.matrix.pattern(), &bound.guides);
        strips.factor(&bound.matrix, &vec![true; bound.matrix.n_unknowns()]);
        let (with, without) = (bound.iterations(&mut bound.patches()), bound.iterations(&mut strips));
        println!("{side}: {with} iterations with patches, {without} with strips");
        assert!(with <= 40, "{side}: {with}");
        assert!(without > 5 * with, "{side}: {with} with patches, {without} with strips");
    }
}

#[test]
fn patches_are_the_same_on_any_number_of_threads() {
    let bound = Bound::new(24);
    let apply = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (b, mut z) = (load(bound.matrix.n_unknowns()), vec![0.0; bound.matrix.n_unknowns()]);
        pool.install(|| bound.patches().apply(&b, &mut z));
        z
    };
    assert_eq!(apply(1), apply(3));
}

/// Inactive unknowns are left out: most of those of whole blocks, as of a clamp or a degenerate node.
#[test]
fn what_is_inactive_changes_nothing_and_takes_no_memory() {
    let mut bound = Bound::new(24);
    let active: Vec<bool> = (0..bound.matrix.n_unknowns()).map(|i| (i / 5) % 3 > 0 || i % 5 == 3).collect();
    bound.matrix.set_identity_rows(&active);
    let [mut whole, mut part] = [bound.patches(), bound.patches_of(&active)];
    // 11 of 15 unknowns, of which the square counts.
    assert!(5 * part.n_values() < 3 * whole.n_values(), "{} {}", part.n_values(), whole.n_values());
    let mut b = load(active.len());
    b.iter_mut().zip(&active).for_each(|(b, on)| *b = if *on { *b } else { 0.0 });
    let mut z = vec![1.0; b.len()];
    part.apply(&b, &mut z);
    assert!(z.iter().zip(&active).all(|(z, on)| *on || *z == 0.0));
    let [with, without] = [bound.iterations_for(&b, &mut whole), bound.iterations_for(&b, &mut part)];
    assert!(with.abs_diff(without) <= 1, "{with} iterations with the inactive unknowns, {without} without");
}

#[test]
fn the_iterative_method_goes_on_to_patches_by_itself_and_stays_there() {
    let mut bound = Bound::new(24);
    let options = LinearOptions { method: LinearMethod::Iterative, ..Default::default() };
    let pattern = Arc::clone(bound.matrix.pattern());
    let mut solver = LinearSolver::new(pattern, bound.guides.clone(), options);
    let n = bound.matrix.n_unknowns();
    let (active, b, mut x) = (vec![true; n], load(n), vec![0.0; n]);
    let mut solve = || {
        let mut system =
            System { matrix: &mut bound.matrix, active: &active, sequel: Sequel::Later, repair: true };
        solver.solve(&mut system, &b, &mut x, 1e-3).unwrap()
    };
    let (first, second) = (solve(), solve());
    assert!(first.fell_back && first.relative_residual <= 1e-3, "{first:?}");
    assert!(!second.fell_back && second.iterations <= 40, "{second:?}");
    assert_eq!(solver.choice().stage, Stage::Patches);
}
