//! The multifrontal factor against faer's, on graphs of every kind.

use std::sync::Arc;

use hebra_solver::cholesky::{Cholesky, FactorError, Workspace};
use hebra_solver::interrupt::Interrupt;
use hebra_solver::matrix::{BlockMatrix, ProductScratch};
use hebra_solver::pattern::{BlockPattern, PatternBuilder};
use hebra_solver::reference::solve_with_faer;
use rayon::ThreadPoolBuilder;

/// A linear congruential generator in [-1, 1].
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1u64 << 30) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

type Points = Vec<[f64; 3]>;

/// A woven square: couplings at distance one and two along both axes and along the diagonals.
fn square(m: usize) -> (Arc<BlockPattern>, Points) {
    let mut builder = PatternBuilder::new(m * m);
    for i in 0..m as i32 {
        for j in 0..m as i32 {
            for (di, dj) in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (1, -1)] {
                let (p, q) = (i + di, j + dj);
                if p < m as i32 && (0..m as i32).contains(&q) {
                    builder.couple(&[(i * m as i32 + j) as u32, (p * m as i32 + q) as u32]);
                }
            }
        }
    }
    let points = (0..m * m).map(|k| [(k / m) as f64, (k % m) as f64, 0.1 * ((k % 2) as f64)]).collect();
    (Arc::new(builder.build()), points)
}

fn chain(n: u32) -> (Arc<BlockPattern>, Points) {
    let mut builder = PatternBuilder::new(n as usize);
    for i in 0..n.saturating_sub(2) {
        builder.couple(&[i, i + 1, i + 2]);
    }
    let points =
        (0..n).map(|i| [(0.3 * f64::from(i)).cos(), (0.3 * f64::from(i)).sin(), 0.01 * f64::from(i)]);
    (Arc::new(builder.build()), points.collect())
}

fn random_graph(n: u32) -> (Arc<BlockPattern>, Points) {
    let mut random = Random(5);
    let mut pick = || ((0.5 + 0.5 * random.next()) * f64::from(n)).min(f64::from(n) - 1.0) as u32;
    let mut builder = PatternBuilder::new(n as usize);
    for _ in 0..2 * n {
        builder.couple(&[pick(), pick(), pick()]);
    }
    let points = (0..n).map(|_| [random.next(), random.next(), random.next()]).collect();
    (Arc::new(builder.build()), points)
}

/// Two squares, a chain and loose blocks.
fn pieces() -> (Arc<BlockPattern>, Points) {
    let mut builder = PatternBuilder::new(400);
    let (square, square_points) = square(12);
    for offset in [10, 170] {
        for i in 0..square.n_blocks() {
            for &j in square.columns(i) {
                builder.couple(&[i as u32 + offset, j + offset]);
            }
        }
    }
    for i in 320..390 {
        builder.couple(&[i, i + 1]);
    }
    let mut points = vec![[0.0; 3]; 400];
    for (k, p) in square_points.iter().enumerate() {
        points[10 + k] = *p;
        points[170 + k] = [p[0], p[1], 1.0];
    }
    for (k, point) in points[320..].iter_mut().enumerate() {
        *point = [k as f64, -3.0, 0.0];
    }
    (Arc::new(builder.build()), points)
}

/// Random blocks, positive definite by dominance, with rows scaled over `decades`.
fn matrix<const B: usize>(pattern: &Arc<BlockPattern>, decades: f64) -> BlockMatrix<B> {
    let mut random = Random(17);
    let mut a = BlockMatrix::new(Arc::clone(pattern));
    let scale: Vec<f64> =
        random.vector(a.n_unknowns()).iter().map(|r| 10f64.powf(0.5 * decades * r)).collect();
    let mut sums = vec![0.0; a.n_unknowns()];
    for i in 0..pattern.n_blocks() {
        for slot in pattern.row(i) {
            let j = pattern.all_columns()[slot] as usize;
            for x in 0..B {
                for y in if i == j { x + 1..B } else { 0..B } {
                    let value = random.next();
                    sums[B * i + x] += value.abs();
                    sums[B * j + y] += value.abs();
                    let value = value * scale[B * i + x] * scale[B * j + y];
                    a.values_mut()[slot][x][y] = value;
                    if i == j {
                        a.values_mut()[slot][y][x] = value;
                    }
                }
            }
        }
    }
    for i in 0..pattern.n_blocks() {
        for x in 0..B {
            a.values_mut()[pattern.row(i).start][x][x] = (0.1 + sums[B * i + x]) * scale[B * i + x].powi(2);
        }
    }
    a
}

fn relative_difference(x: &[f64], y: &[f64]) -> f64 {
    let difference: f64 = x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum();
    let norm: f64 = y.iter().map(|y| y * y).sum();
    (difference / norm).sqrt()
}

fn assert_agrees<const B: usize>(graph: &(Arc<BlockPattern>, Points)) {
    let n = B * graph.0.n_blocks();
    assert_agrees_on::<B>(graph, &vec![true; n]);
    // Whole blocks and single unknowns are left out.
    let on = |i: usize| !(i / B).is_multiple_of(3) && !i.is_multiple_of(4);
    assert_agrees_on::<B>(graph, &(0..n).map(on).collect::<Vec<_>>());
    assert_agrees_on::<B>(graph, &vec![false; n]);
}

fn assert_agrees_on<const B: usize>((pattern, points): &(Arc<BlockPattern>, Points), active: &[bool]) {
    let mut a = matrix::<B>(pattern, 2.0);
    a.set_identity_rows(active);
    let b = Random(3).vector(a.n_unknowns());
    let expected = solve_with_faer(&a, &b).unwrap();
    for coordinates in [Some(points.as_slice()), None] {
        let mut cholesky = Cholesky::<B, f64>::of_active(pattern, coordinates, active);
        let mut x = vec![0.0; b.len()];
        // The second factorisation works on the memory of the first.
        for _ in 0..2 {
            cholesky.factor(&a).unwrap();
            cholesky.solve(&b, &mut x);
            let difference = relative_difference(&x, &expected);
            assert!(difference < 1e-10, "{difference:e}");
        }
    }
}

fn assert_agrees_for_all_blocks(graph: (Arc<BlockPattern>, Points)) {
    assert_agrees::<1>(&graph);
    assert_agrees::<3>(&graph);
    assert_agrees::<5>(&graph);
}

#[test]
fn woven_squares() {
    assert_agrees_for_all_blocks(square(25));
    assert_agrees::<5>(&square(1));
    assert_agrees::<5>(&square(3));
}

#[test]
fn single_chain() {
    assert_agrees_for_all_blocks(chain(300));
}

#[test]
fn disconnected_pieces() {
    assert_agrees_for_all_blocks(pieces());
}

#[test]
fn random_graphs() {
    assert_agrees_for_all_blocks(random_graph(150));
}

#[test]
fn no_unknowns() {
    let mut cholesky = Cholesky::<3>::new(&Arc::new(PatternBuilder::new(0).build()), None);
    cholesky.factor(&BlockMatrix::new(Arc::new(PatternBuilder::new(0).build()))).unwrap();
    cholesky.solve(&[], &mut []);
    assert_eq!(cholesky.n_values(), 0);
}

#[test]
fn badly_scaled_in_single_precision() {
    let (pattern, points) = square(30);
    let a = matrix::<5>(&pattern, 24.0);
    let x = Random(8).vector(a.n_unknowns());
    let mut b = vec![0.0; x.len()];
    a.multiply(&x, &mut b, &mut ProductScratch::default());
    let mut cholesky = Cholesky::<5>::new(&pattern, Some(&points));
    cholesky.factor(&a).unwrap();
    assert_eq!(cholesky.shift(), 0.0);
    let mut y = vec![0.0; x.len()];
    cholesky.solve(&b, &mut y);
    let scaled = |v: &[f64]| -> Vec<f64> { v.iter().zip(a.diagonal()).map(|(v, d)| v * d.sqrt()).collect() };
    let difference = relative_difference(&scaled(&y), &scaled(&x));
    assert!(difference < 1e-4, "{difference:e}");
}

#[test]
fn same_bits_on_any_number_of_threads() {
    let (pattern, points) = square(70);
    let a = matrix::<5>(&pattern, 2.0);
    let b = Random(3).vector(a.n_unknowns());
    let solve = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cholesky = Cholesky::<5>::new(&pattern, Some(&points));
            let mut x = vec![0.0; b.len()];
            cholesky.factor(&a).unwrap();
            cholesky.solve(&b, &mut x);
            x
        })
    };
    let one = solve(1);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(5));
}

#[test]
fn indefinite_matrix_is_reported() {
    let (pattern, points) = square(20);
    let mut a = matrix::<3>(&pattern, 0.0);
    let unknown = 3 * 137 + 1;
    let slot = pattern.row(137).start;
    a.values_mut()[slot][1][1] *= -1.0;
    let mut double = Cholesky::<3, f64>::new(&pattern, Some(&points));
    let place = |error| match error {
        FactorError::NotPositiveDefinite { unknown, shift } => (unknown, shift),
        FactorError::Interrupted => (usize::MAX, f64::NAN),
    };
    assert_eq!(place(double.factor(&a).unwrap_err()).0, unknown);
    // An indefinite block with a positive diagonal.
    a.values_mut()[slot][1][1] *= -1.0;
    a.values_mut()[slot][0][1] = 10.0 * a.values()[slot][1][1];
    a.values_mut()[slot][1][0] = a.values()[slot][0][1];
    assert_eq!(place(double.factor(&a).unwrap_err()).1, 0.0);
    let mut single = Cholesky::<3>::new(&pattern, Some(&points));
    assert!(place(single.factor(&a).unwrap_err()).1 > 0.0);
}

#[test]
fn an_interrupted_factorisation_says_so() {
    let (pattern, points) = square(20);
    let (a, interrupt) = (matrix::<3>(&pattern, 0.0), Interrupt::default());
    let workspace = Workspace::new(interrupt.clone());
    let mut cholesky = Cholesky::<3>::new(&pattern, Some(&points)).with_workspace(&workspace);
    assert_eq!(cholesky.factor(&a), Ok(()));
    interrupt.raise();
    assert_eq!(cholesky.factor(&a), Err(FactorError::Interrupted));
}

#[test]
fn singular_matrix_takes_a_shift_in_single_precision() {
    let (pattern, _) = chain(60);
    let mut a = BlockMatrix::<1>::new(Arc::clone(&pattern));
    // A graph Laplacian is singular: constants cost nothing.
    for i in 0..pattern.n_blocks() {
        for slot in pattern.row(i).skip(1) {
            let j = pattern.all_columns()[slot] as usize;
            a.values_mut()[slot][0][0] = -1.0 / 3.0;
            for k in [i, j] {
                a.values_mut()[pattern.row(k).start][0][0] += 1.0 / 3.0;
            }
        }
    }
    for i in 0..pattern.n_blocks() {
        a.values_mut()[pattern.row(i).start][0][0] *= 1.0 - 1e-9;
    }
    let mut cholesky = Cholesky::<1>::new(&pattern, None);
    cholesky.factor(&a).unwrap();
    assert!(cholesky.shift() < 1e-4);
    let takes_none = cholesky.shift() == 0.0;
    assert_eq!(cholesky.factor_once(&a).is_ok(), takes_none);
}
