//! One Newton system of a woven square, as badly conditioned as real ones.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::matrix::BlockMatrix;
use crate::pattern::PatternBuilder;
use crate::stencil::Stencils;

/// What a woven square is made of; one yarn in either direction per row of crossings.
#[derive(Debug, Clone, PartialEq)]
pub struct WovenSquare {
    /// Crossings along either side.
    pub side: usize,
    /// Distance between neighbouring yarns, m.
    pub spacing: f64,
    /// Yarn radius, m; yarns alternate between 3/4 and 5/4 of it.
    pub radius: f64,
    /// Young's modulus of stretching, Pa.
    pub stretch_modulus: f64,
    /// Young's modulus of bending, Pa.
    pub bend_modulus: f64,
    /// Energy of a right angle between yarns, closed altogether, J.
    pub shear_energy: f64,
    /// Density, kg/m^3.
    pub density: f64,
    /// Time step, s.
    pub time_step: f64,
    /// Friction that resists sliding, N/m, on the material coordinates.
    pub sliding_stiffness: f64,
    /// Stretch of the yarns; 3e-4 is what a metre of the cloth's own weight does.
    pub strain: f64,
    /// Height of the crimp over the spacing; 0 is a flat weave.
    pub crimp: f64,
    /// Height of the folds of the whole square over its side.
    pub waviness: f64,
}

impl WovenSquare {
    /// A flat cotton-like weave of `side` x `side` crossings.
    pub fn flat(side: usize) -> Self {
        Self {
            side,
            spacing: 5e-4,
            radius: 1.5e-4,
            stretch_modulus: 1e8,
            bend_modulus: 1e6,
            shear_energy: 1e-7,
            density: 1500.0,
            time_step: 1e-3,
            sliding_stiffness: 1.0,
            strain: 3e-4,
            crimp: 0.0,
            waviness: 0.0,
        }
    }

    /// The same weave with strongly crimped yarns, in folds.
    pub fn crimped(side: usize) -> Self {
        Self { crimp: 0.25, waviness: 0.1, ..Self::flat(side) }
    }

    /// The Hessian of the energy plus the consistent mass over the square of the time step.
    pub fn matrix(&self) -> BlockMatrix<5> {
        let mut segments =
            [Stencils::new(self.segments(0), SEGMENT), Stencils::new(self.segments(1), SEGMENT)];
        let mut bends = [Stencils::new(self.bends(0), TRIPLE), Stencils::new(self.bends(1), TRIPLE)];
        let mut corners = Stencils::new(self.corners(), TRIPLE);
        let mut pattern = PatternBuilder::new(self.side * self.side);
        segments.iter().for_each(|s| s.couple(&mut pattern));
        bends.iter().for_each(|s| s.couple(&mut pattern));
        corners.couple(&mut pattern);
        let pattern = Arc::new(pattern.build());
        segments.iter_mut().for_each(|s| s.bind(&pattern));
        bends.iter_mut().for_each(|s| s.bind(&pattern));
        corners.bind(&pattern);

        let q = self.unknowns();
        let mut matrix = BlockMatrix::new(pattern);
        for direction in 0..2 {
            let radius = |dof: u32| self.yarn_radius(direction, dof as usize / 5);
            let s = &segments[direction];
            s.add_hessian(&q, &mut matrix, |e, q| Some(self.segment_hessian(radius(s.dofs(e)[0]), q)));
            let b = &bends[direction];
            b.add_hessian(&q, &mut matrix, |e, q| Some(self.bend_hessian(radius(b.dofs(e)[0]), q)));
        }
        corners.add_hessian(&q, &mut matrix, |_, q| Some(self.corner_hessian(q)));
        for i in 0..self.side * self.side {
            let slot = matrix.pattern().row(i).start;
            matrix.values_mut()[slot][3][3] += self.sliding_stiffness;
            matrix.values_mut()[slot][4][4] += self.sliding_stiffness;
        }
        matrix
    }

    /// Rest positions of the crossings, m.
    pub fn coordinates(&self) -> Vec<[f64; 3]> {
        let at =
            |i: usize| [(i % self.side) as f64 * self.spacing, (i / self.side) as f64 * self.spacing, 0.0];
        (0..self.side * self.side).map(at).collect()
    }

    /// Strips of two neighbouring yarns, interleaved: those along the rows, then those along the columns.
    pub fn groups(&self) -> Vec<Vec<u32>> {
        let m = self.side;
        let strip = |first: usize, direction: usize| -> Vec<u32> {
            let yarns = first..(first + 2).min(m);
            (0..m).flat_map(|k| yarns.clone().map(move |y| self.crossing(direction, y, k))).collect()
        };
        (0..2)
            .flat_map(|d| (0..m).step_by(2).map(move |first| (first, d)))
            .map(|(f, d)| strip(f, d))
            .collect()
    }

    /// Crossing `k` of yarn `y`; direction 0 runs along the rows, 1 along the columns.
    fn crossing(&self, direction: usize, y: usize, k: usize) -> u32 {
        (if direction == 0 { y * self.side + k } else { k * self.side + y }) as u32
    }

    fn yarn_radius(&self, direction: usize, crossing: usize) -> f64 {
        let yarn = if direction == 0 { crossing / self.side } else { crossing % self.side };
        self.radius * if yarn.is_multiple_of(2) { 0.75 } else { 1.25 }
    }

    /// `(x, y, z, u, v)` of every crossing.
    fn unknowns(&self) -> Vec<f64> {
        let m = self.side;
        let wave = 2.0 * PI / (m.max(40) as f64);
        let height = self.waviness * self.spacing / wave;
        let position = |r: usize, c: usize| -> [f64; 3] {
            let (x, y) = (c as f64, r as f64);
            let crimp = self.crimp * self.spacing * if (r + c).is_multiple_of(2) { 0.5 } else { -0.5 };
            let fold = height * ((wave * x).sin() + (1.3 * wave * y).cos());
            [x * self.spacing, y * self.spacing, fold + crimp]
        };
        let rest = 1.0 / (1.0 + self.strain);
        let mut q = vec![0.0; 5 * m * m];
        for r in 0..m {
            for c in 0..m {
                let i = 5 * (r * m + c);
                let x = position(r, c);
                q[i..i + 3].copy_from_slice(&x);
                if c > 0 {
                    q[i + 3] = q[i - 2] + rest * norm(sub(x, position(r, c - 1)));
                }
                if r > 0 {
                    q[i + 4] = q[i + 4 - 5 * m] + rest * norm(sub(x, position(r - 1, c)));
                }
            }
        }
        q
    }

    fn segments(&self, direction: usize) -> Vec<[u32; 8]> {
        let arc = 3 + direction as u32;
        let along = |y| (0..self.side - 1).map(move |k| (y, k));
        let dofs = |(y, k)| {
            let [a, b] = [0, 1].map(|s| 5 * self.crossing(direction, y, k + s));
            [a, a + 1, a + 2, a + arc, b, b + 1, b + 2, b + arc]
        };
        (0..self.side).flat_map(along).map(dofs).collect()
    }

    fn bends(&self, direction: usize) -> Vec<[u32; 9]> {
        let along = |y| (0..self.side.saturating_sub(2)).map(move |k| (y, k));
        let dofs = |(y, k)| triple([0, 1, 2].map(|s| self.crossing(direction, y, k + s)));
        (0..self.side).flat_map(along).map(dofs).collect()
    }

    /// The four corners of every cell: a crossing, its neighbour along the row, the one along the column.
    fn corners(&self) -> Vec<[u32; 9]> {
        let m = self.side as u32;
        let cell = |i: u32| {
            let [a, b, c, d] = [i, i + 1, i + m, i + m + 1];
            [[a, b, c], [b, a, d], [c, d, a], [d, c, b]].map(triple)
        };
        (0..m - 1).flat_map(|r| (0..m - 1).map(move |c| r * m + c)).flat_map(cell).collect()
    }

    /// Stretching, `V = k e^2 / (2 Du)` with `e = |x1 - x0| - Du`, and inertia of a segment.
    fn segment_hessian(&self, radius: f64, q: &[f64; 8]) -> [[f64; 8]; 8] {
        let area = PI * radius * radius;
        let k = self.stretch_modulus * area;
        let d = sub([q[4], q[5], q[6]], [q[0], q[1], q[2]]);
        let (du, length) = (q[7] - q[3], norm(d));
        let n = d.map(|x| x / length);
        // eps = |d| / Du - 1
        let strain = (length / du - 1.0).max(0.0);
        let g = [n[0] / du, n[1] / du, n[2] / du, -length / (du * du)];
        // M = rho Du / 6 [[2 J'J, J'J], [J'J, 2 J'J]], J = [I, -w], w = d / Du
        let mass = self.density * area * du / (6.0 * self.time_step * self.time_step);
        let j: [[f64; 4]; 3] = std::array::from_fn(|r| {
            std::array::from_fn(|c| if c == 3 { -d[r] / du } else { f64::from(u8::from(r == c)) })
        });
        let mut h = [[0.0; 8]; 8];
        for a in 0..8 {
            for b in 0..8 {
                let (ka, kb, same) = (a % 4, b % 4, a / 4 == b / 4);
                let sign = if same { 1.0 } else { -1.0 };
                // k Du grad eps grad eps' + k eps (I - n n') / l
                let mut value = k * du * g[ka] * g[kb];
                if ka < 3 && kb < 3 {
                    let identity = if ka == kb { 1.0 } else { 0.0 };
                    value += k * strain * (identity - n[ka] * n[kb]) / length;
                }
                let jj: f64 = j.iter().map(|row| row[ka] * row[kb]).sum();
                h[a][b] = sign * value + mass * if same { 2.0 } else { 1.0 } * jj;
            }
        }
        h
    }

    /// Bending, Gauss-Newton: `V = EI |t1 - t0|^2 / (2 l)` with the unit tangents `t`.
    fn bend_hessian(&self, radius: f64, q: &[f64; 9]) -> [[f64; 9]; 9] {
        // EI = E pi r^4 / 4
        let rigidity = self.bend_modulus * PI * radius.powi(4) / 4.0;
        let (p0, p1) = (tangent_derivative(q, 0, 1), tangent_derivative(q, 1, 2));
        let mut jacobian = [[0.0; 9]; 3];
        for r in 0..3 {
            for c in 0..3 {
                jacobian[r][c] = p0[r][c];
                jacobian[r][c + 3] = -p0[r][c] - p1[r][c];
                jacobian[r][c + 6] = p1[r][c];
            }
        }
        gram(&jacobian, rigidity / self.spacing)
    }

    /// Shearing, Gauss-Newton: `V = S (a.b)^2 / 2` with the unit tangents `a` and `b` of a corner.
    fn corner_hessian(&self, q: &[f64; 9]) -> [[f64; 9]; 9] {
        let x: [[f64; 3]; 3] = std::array::from_fn(|k| [q[3 * k], q[3 * k + 1], q[3 * k + 2]]);
        let [a, b] = [sub(x[1], x[0]), sub(x[2], x[0])];
        let (la, lb) = (norm(a), norm(b));
        let cosine = dot(a, b) / (la * lb);
        let mut gradient = [0.0; 9];
        for c in 0..3 {
            // d(a.b)/da = (b - a (a.b)) / |a|
            gradient[c + 3] = (b[c] / lb - cosine * a[c] / la) / la;
            gradient[c + 6] = (a[c] / la - cosine * b[c] / lb) / lb;
            gradient[c] = -gradient[c + 3] - gradient[c + 6];
        }
        gram(&[gradient], self.shear_energy)
    }
}

/// A crimped woven square: its Newton matrix, rest coordinates (m) and strips of two yarns.
pub fn woven_square(side: usize) -> (BlockMatrix<5>, Vec<[f64; 3]>, Vec<Vec<u32>>) {
    let weave = WovenSquare::crimped(side);
    (weave.matrix(), weave.coordinates(), weave.groups())
}

const SEGMENT: [u8; 8] = [0, 0, 0, 0, 1, 1, 1, 1];
const TRIPLE: [u8; 9] = [0, 0, 0, 1, 1, 1, 2, 2, 2];

fn triple(crossings: [u32; 3]) -> [u32; 9] {
    std::array::from_fn(|k| 5 * crossings[k / 3] + (k % 3) as u32)
}

/// `(I - t t') / l` of the segment from node `a` to node `b`, with its sign for node `a` negated.
fn tangent_derivative(q: &[f64; 9], a: usize, b: usize) -> [[f64; 3]; 3] {
    let d: [f64; 3] = std::array::from_fn(|k| q[3 * b + k] - q[3 * a + k]);
    let length = norm(d);
    std::array::from_fn(|r| {
        std::array::from_fn(|c| {
            let identity = if r == c { 1.0 } else { 0.0 };
            (identity - d[r] * d[c] / (length * length)) / length
        })
    })
}

/// `k J'J`.
fn gram<const R: usize>(jacobian: &[[f64; 9]; R], k: f64) -> [[f64; 9]; 9] {
    std::array::from_fn(|a| {
        std::array::from_fn(|b| k * jacobian.iter().map(|row| row[a] * row[b]).sum::<f64>())
    })
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
