//! The angle between two edges, with its first and second derivatives.

use nalgebra::Matrix3;

use super::Vec3;

/// The angle between edges `a` and `b` and the frame in which its derivatives are simple.
///
/// ```text
/// theta = atan2(|a x b|, a.b)      t = a/|a|, b/|b|     n = a x b/|a x b|     m = n x t
/// d theta   = g2 - g1                                     g = m.d/|.|  along the turn
/// d2 theta  = cot(theta) (p1^2 + p2^2) - 2 p1 p2/sin(theta) + 2 g1 s1 - 2 g2 s2
///                                                        p = n.d/|.|,  s = t.d/|.|
/// ```
/// `d` is the change of the edge with the same index. At `theta = 0` the plane of the turn is any that
/// holds the edge.
#[derive(Debug, Clone, Copy)]
pub struct Angle {
    /// rad, in `[0, pi]`.
    pub theta: f64,
    /// Binormal, a unit vector.
    pub binormal: Vec3,
    /// Unit tangents of the two edges.
    pub tangents: [Vec3; 2],
    /// Unit vectors across the edges, in the plane of the turn.
    pub across: [Vec3; 2],
    /// Lengths of the edges, m.
    pub lengths: [f64; 2],
}

/// The cross product of unit vectors carries an error of 1e-16. Below this sine it would tilt the binormal by more
/// than 1e-6, so that it is made orthogonal again, and `cot(theta/2)` is that of this angle. Second derivatives of
/// what depends on the angle are taken no nearer to its cusp, so that products like `theta cot(theta/2)` reach their
/// limit.
pub const SMALLEST_SINE: f64 = 1e-10;

impl Angle {
    /// The angle between two edges, none of zero length.
    pub fn new(a: Vec3, b: Vec3) -> Self {
        let lengths = [a.norm(), b.norm()];
        let tangents = [a / lengths[0], b / lengths[1]];
        let cross = tangents[0].cross(&tangents[1]);
        let (sine, cosine) = (cross.norm(), tangents[0].dot(&tangents[1]));
        let binormal = if sine > SMALLEST_SINE { cross / sine } else { orthogonal(cross, tangents[0]) };
        let across = tangents.map(|t| binormal.cross(&t));
        Self { theta: sine.atan2(cosine), binormal, tangents, across, lengths }
    }

    /// Derivatives of the angle by the two edges, 1/m.
    pub fn gradient(&self) -> [Vec3; 2] {
        [-self.across[0] / self.lengths[0], self.across[1] / self.lengths[1]]
    }

    /// The part of the second derivative out of the plane of the turn, as signed squares of linear forms on
    /// the two edges:
    ///
    /// ```text
    /// cot(theta/2)/2 (p1 - p2)^2 - tan(theta/2)/2 (p1 + p2)^2
    /// ```
    #[inline]
    pub fn curvature_out_of_plane(&self) -> [(f64, [Vec3; 2]); 2] {
        // tan(theta/2) without a trigonometric function, and without the difference of two ones.
        let cosine = self.tangents[0].dot(&self.tangents[1]);
        let sine = self.tangents[0].cross(&self.tangents[1]).norm().max(SMALLEST_SINE);
        let tan = if cosine > 0.0 { sine / (1.0 + cosine) } else { (1.0 - cosine) / sine };
        let out = self.lengths.map(|l| self.binormal / l);
        [(0.5 / tan, [out[0], -out[1]]), (-0.5 * tan, [out[0], out[1]])]
    }

    /// The rest of the second derivative, `2 g1 s1 - 2 g2 s2`, each product as a difference of squares.
    pub fn curvature_in_plane(&self) -> [(f64, [Vec3; 2]); 4] {
        let scaled = |k: usize, sign: f64| (self.across[k] + self.tangents[k] * sign) / self.lengths[k];
        let zero = Vec3::zeros();
        [
            (0.5, [scaled(0, 1.0), zero]),
            (-0.5, [scaled(0, -1.0), zero]),
            (-0.5, [zero, scaled(1, 1.0)]),
            (0.5, [zero, scaled(1, -1.0)]),
        ]
    }
}

/// The unit vector at right angles to a unit vector `t` that is nearest to `v`; any where `v` has no such direction.
fn orthogonal(v: Vec3, t: Vec3) -> Vec3 {
    (v - t * t.dot(&v)).try_normalize(0.0).unwrap_or_else(|| perpendicular(t))
}

/// A unit vector at right angles to a unit vector.
pub fn perpendicular(t: Vec3) -> Vec3 {
    let axis = if t.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
    t.cross(&axis).normalize()
}

/// The curvature binormal `2 a x b/(|a||b| + a.b) = 2 tan(theta/2) n`, smooth at zero angle.
pub fn curvature_binormal(a: Vec3, b: Vec3) -> Vec3 {
    2.0 * a.cross(&b) / (a.norm() * b.norm() + a.dot(&b))
}

/// The transposed Jacobians of [`curvature_binormal`] by the two edges, times a vector.
///
/// ```text
/// k = 2 a x b/chi,  chi = |a||b| + a.b
/// (dk/da)' d = (2 b x d - (k.d) (|b| a/|a| + b))/chi      (dk/db)' d = (2 d x a - (k.d) (|a| b/|b| + a))/chi
/// ```
pub fn curvature_binormal_pull_back(a: Vec3, b: Vec3, d: Vec3) -> [Vec3; 2] {
    let (la, lb) = (a.norm(), b.norm());
    let chi = la * lb + a.dot(&b);
    let kd = 2.0 * a.cross(&b).dot(&d) / chi;
    [
        (b.cross(&d) * 2.0 - (a * (lb / la) + b) * kd) / chi,
        (d.cross(&a) * 2.0 - (b * (la / lb) + a) * kd) / chi,
    ]
}

/// The second derivatives of `f.k` of the curvature binormal `k = 2 a x b/chi`, `chi = |a||b| + a.b`: by `a` twice, by `a`
/// and `b`, by `b` twice.
///
/// ```text
/// f.k = 2 s/chi,  s = f.(a x b)
/// Hess = 2 [Hess s/chi - (grad s grad chi' + grad chi grad s')/chi^2 + s (2 grad chi grad chi'/chi - Hess chi)/chi^2]
/// ```
pub fn curvature_binormal_curvature(a: Vec3, b: Vec3, f: Vec3) -> [Matrix3<f64>; 3] {
    let (la, lb) = (a.norm(), b.norm());
    let (ta, tb) = (a / la, b / lb);
    let chi = la * lb + a.dot(&b);
    let s = f.dot(&a.cross(&b));
    let [sa, sb] = [b.cross(&f), f.cross(&a)];
    let [ca, cb] = [ta * lb + b, tb * la + a];
    let part = |hess_s: Matrix3<f64>, [s0, s1]: [Vec3; 2], [c0, c1]: [Vec3; 2], hess_c: Matrix3<f64>| {
        let products = s0 * c1.transpose() + c0 * s1.transpose();
        (hess_s * chi - products + (c0 * c1.transpose() * (2.0 / chi) - hess_c) * s) * (2.0 / (chi * chi))
    };
    let across = |t: Vec3| Matrix3::identity() - t * t.transpose();
    [
        part(Matrix3::zeros(), [sa, sa], [ca, ca], across(ta) * (lb / la)),
        part(-f.cross_matrix(), [sa, sb], [ca, cb], ta * tb.transpose() + Matrix3::identity()),
        part(Matrix3::zeros(), [sb, sb], [cb, cb], across(tb) * (la / lb)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(theta: f64) -> (Vec3, Vec3) {
        let turn = nalgebra::Rotation3::from_scaled_axis(Vec3::new(0.3, -0.5, 0.8).normalize() * 0.7);
        (turn * Vec3::new(1.3, 0.0, 0.0), turn * Vec3::new(0.7 * theta.cos(), 0.7 * theta.sin(), 0.0))
    }

    /// Edges that are parallel but for rounding: `theta cot(theta/2)/2` stays at its limit.
    #[test]
    fn curvature_is_finite_where_edges_are_nearly_parallel() {
        for k in 0..1000 {
            let (sine, cosine) = (0.37 * f64::from(k)).sin_cos();
            let step = Vec3::new(cosine, sine, 0.02) * 1e-3;
            let (x0, x1, x2) = (step * 3.0, step * 4.0, step * 5.0);
            let angle = Angle::new(x1 - x0, x2 - x1);
            let [(bent, _), (twisted, _)] = angle.curvature_out_of_plane();
            let theta = angle.theta.max(SMALLEST_SINE);
            assert!((bent * theta - 1.0).abs() < 1e-6, "{k}: {bent} at {theta}");
            assert!(twisted.abs() < 1e-6, "{k}: {twisted}");
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let (da, db) = (Vec3::new(0.2, -0.4, 0.9), Vec3::new(-0.6, 0.3, 0.5));
        for theta in [0.05, 0.4, 1.5, 3.0] {
            let (a, b) = edges(theta);
            let at = |s: f64| Angle::new(a + da * s, b + db * s);
            let slope = |x: &Angle| x.gradient()[0].dot(&da) + x.gradient()[1].dot(&db);
            let h = 1e-5;
            assert!(
                ((at(h).theta - at(-h).theta) / (2.0 * h) - slope(&at(0.0))).abs() < 1e-6,
                "theta = {theta}"
            );
            let second: f64 = at(0.0)
                .curvature_out_of_plane()
                .iter()
                .chain(&at(0.0).curvature_in_plane())
                .map(|(c, f)| c * (f[0].dot(&da) + f[1].dot(&db)).powi(2))
                .sum();
            let difference = (slope(&at(h)) - slope(&at(-h))) / (2.0 * h);
            assert!(
                (difference - second).abs() < 1e-5 * (1.0 + second.abs()),
                "{theta}: {difference} {second}"
            );
        }
    }

    #[test]
    fn the_curvature_binormal_has_the_right_length_and_jacobian() {
        let (a, b) = edges(0.8);
        assert!((curvature_binormal(a, b).norm() - 2.0 * 0.4_f64.tan()).abs() < 1e-14);
        let (da, db) = (Vec3::new(0.2, -0.4, 0.9), Vec3::new(-0.6, 0.3, 0.5));
        let h = 1e-6;
        let slope = (curvature_binormal(a + da * h, b + db * h) - curvature_binormal(a - da * h, b - db * h))
            / (2.0 * h);
        for d in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let pull = curvature_binormal_pull_back(a, b, d);
            assert!((slope.dot(&d) - pull[0].dot(&da) - pull[1].dot(&db)).abs() < 1e-8);
        }
    }

    #[test]
    fn the_curvature_binormal_has_the_right_second_derivatives() {
        let [a, b, f, da, db] =
            [[1.3, 0.2, -0.1], [0.4, 0.9, 0.3], [0.7, -0.5, 0.8], [0.2, -0.4, 0.9], [-0.6, 0.3, 0.5]]
                .map(Vec3::from);
        let h = 1e-6;
        let at = |s: f64| curvature_binormal_pull_back(a + da * s, b + db * s, f);
        let [aa, ab, bb] = curvature_binormal_curvature(a, b, f);
        let expected = [aa * da + ab * db, ab.transpose() * da + bb * db];
        for k in 0..2 {
            let slope = (at(h)[k] - at(-h)[k]) / (2.0 * h);
            assert!((slope - expected[k]).norm() < 1e-8, "{k}: {slope} {}", expected[k]);
        }
    }
}
