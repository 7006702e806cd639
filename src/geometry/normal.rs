//! The normal of two lines that cross, with its first and second derivatives.

use nalgebra::Matrix3;

use super::Vec3;

/// The normal of lines along `a` and `b`, which fades out where they become parallel.
///
/// ```text
/// n = a x b/D,   D^2 = (1 + e^2)(|a|^2 + d^2)(|b|^2 + d^2) - (a.b)^2,   e = FADE
/// ```
/// It is `sin phi/sqrt(sin^2 phi + e^2)` long at an angle `phi` between lines much longer than `d`, and smooth for
/// any `a` and `b`, zero ones included.
#[derive(Debug, Clone, Copy)]
pub struct Normal {
    /// `n`.
    pub value: Vec3,
    lines: [Vec3; 2],
    /// `1/D`.
    scale: f64,
    /// Half the gradients of `D^2` by `a` and `b`.
    slopes: [Vec3; 2],
    /// `(1 + e^2)(|b|^2 + d^2)` and the same of `a`.
    squares: [f64; 2],
}

/// Sine of the angle at which the normal has lost a third of its length, 6 degrees: yarns that cross at it touch over a
/// length of ten diameters, which a single contact does not stand for. The normal turns over as that angle is passed
/// through, faster the smaller it is.
const FADE: f64 = 0.1;

impl Normal {
    /// Of two lines; `d`, m, is a length next to which they are long.
    pub fn new([a, b]: [Vec3; 2], d: f64) -> Self {
        let squares = [b, a].map(|v| (1.0 + FADE * FADE) * (v.norm_squared() + d * d));
        let dot = a.dot(&b);
        let scale = (squares[0] * (a.norm_squared() + d * d) - dot * dot).sqrt().recip();
        let slopes = [a * squares[0] - b * dot, b * squares[1] - a * dot];
        Self { value: a.cross(&b) * scale, lines: [a, b], scale, slopes, squares }
    }

    /// The Jacobians by the two lines.
    pub fn jacobians(&self) -> [Matrix3<f64>; 2] {
        let ([a, b], [pa, pb], s) = (self.lines, self.slopes, self.scale);
        let n = self.value * (s * s);
        [b.cross_matrix() * -s - n * pa.transpose(), a.cross_matrix() * s - n * pb.transpose()]
    }

    /// The transposed Jacobians by the two lines, times a vector.
    pub fn pull_back(&self, f: Vec3) -> [Vec3; 2] {
        let ([a, b], c) = (self.lines, self.scale * self.scale * self.value.dot(&f));
        [b.cross(&f) * self.scale - self.slopes[0] * c, f.cross(&a) * self.scale - self.slopes[1] * c]
    }

    /// The second derivatives of `f.n`: by the first line twice, by the first and the second, by the second twice.
    ///
    /// ```text
    /// f.n = s/D      Hess = Hess s/D - (grad s grad P' + grad P grad s')/D^3 + 3 s grad P grad P'/D^5 - s Hess P/D^3
    /// ```
    /// with `P = D^2/2`.
    pub fn curvature(&self, f: Vec3) -> [Matrix3<f64>; 3] {
        let ([a, b], [pa, pb], r) = (self.lines, self.slopes, self.scale);
        let (sa, sb, s) = (b.cross(&f), f.cross(&a), self.value.dot(&f) / r);
        let (r3, r5) = (r.powi(3), r.powi(5));
        let part = |[s0, s1]: [Vec3; 2], [p0, p1]: [Vec3; 2], p: Matrix3<f64>| {
            p0 * p1.transpose() * (3.0 * s * r5)
                - (s0 * p1.transpose() + p0 * s1.transpose()) * r3
                - p * (s * r3)
        };
        let own = |square: f64, v: Vec3| Matrix3::from_diagonal_element(square) - v * v.transpose();
        let square = 2.0 * (1.0 + FADE * FADE);
        let mixed =
            a * b.transpose() * square - b * a.transpose() - Matrix3::from_diagonal_element(a.dot(&b));
        [
            part([sa, sa], [pa, pa], own(self.squares[0], b)),
            part([sa, sb], [pa, pb], mixed) - f.cross_matrix() * r,
            part([sb, sb], [pb, pb], own(self.squares[1], a)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At right angles, at an acute angle, nearly parallel, and with a line that vanishes.
    fn lines() -> [[Vec3; 2]; 4] {
        let a = Vec3::new(1.1, 0.3, -0.2);
        [
            [a, Vec3::new(-0.3, 1.1, 0.0)],
            [a, Vec3::new(0.9, 0.5, 0.1)],
            [a, Vec3::new(0.9, 0.25, -0.15)],
            [Vec3::zeros(), Vec3::new(0.0, 0.1, 0.02)],
        ]
    }

    #[test]
    fn it_is_a_unit_normal_where_lines_cross_and_fades_where_they_do_not() {
        let [across, .., none] = lines();
        let n = Normal::new(across, 1e-3).value;
        assert!((n.norm() - 1.0).abs() < 0.01 && n.dot(&across[0]).abs() < 1e-15);
        let a = Vec3::x();
        let at = |sine: f64| Normal::new([a, Vec3::new(1.0, sine, 0.0)], 1e-6).value.norm();
        assert!((at(FADE) - 0.5_f64.sqrt()).abs() < 0.01, "{}", at(FADE));
        assert_eq!(at(0.0), 0.0);
        assert_eq!(Normal::new(none, 1e-3).value, Vec3::zeros());
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let f = Vec3::new(0.4, -0.7, 0.5);
        let ways = [Vec3::new(0.2, -0.4, 0.9), Vec3::new(-0.6, 0.3, 0.5)];
        let h = 1e-4;
        for [a, b] in lines() {
            let at = |s: f64| Normal::new([a + ways[0] * s, b + ways[1] * s], 0.05);
            let slope = |n: &Normal| n.pull_back(f).iter().zip(&ways).map(|(g, w)| g.dot(w)).sum::<f64>();
            let difference = (at(h).value - at(-h).value).dot(&f) / (2.0 * h);
            let n = at(0.0);
            assert!((difference - slope(&n)).abs() < 1e-4 * (1.0 + difference.abs()), "{difference}");
            for (jacobian, pull) in n.jacobians().iter().zip(n.pull_back(f)) {
                assert!((jacobian.tr_mul(&f) - pull).norm() < 1e-12 * (1.0 + pull.norm()), "{jacobian}");
            }
            let [aa, ab, bb] = n.curvature(f);
            let second = ways[0].dot(&(aa * ways[0] + ab * ways[1] * 2.0)) + ways[1].dot(&(bb * ways[1]));
            let difference = (slope(&at(h)) - slope(&at(-h))) / (2.0 * h);
            assert!((difference - second).abs() < 1e-3 * (1.0 + second.abs()), "{difference} {second}");
        }
    }
}
