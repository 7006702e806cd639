//! The curvature binormal of two edges and the frame of a crossing, with their second derivatives.

use nalgebra::Matrix3;

use super::Vec3;

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

/// A vector given in the frame of a crossing: `K = k1 n + k2 s x n + k3 s` of a normal `n` and a chord `t`, where
/// `s = t/sqrt(|t|^2 + d^2)`.
#[derive(Debug, Clone, Copy)]
pub struct Framed {
    k: Vec3,
    n: Vec3,
    tangent: Vec3,
    length: f64,
}

impl Framed {
    /// Of its three components; `d`, m, is a length next to which chords are long.
    pub fn new(k: Vec3, n: Vec3, t: Vec3, d: f64) -> Self {
        let length = t.norm().hypot(d);
        Self { k, n, tangent: t / length, length }
    }

    /// `K`.
    pub fn value(&self) -> Vec3 {
        self.n * self.k.x + self.tangent.cross(&self.n) * self.k.y + self.tangent * self.k.z
    }

    /// The components of a vector in the frame of an `n` that is across `t`.
    pub fn components(v: Vec3, n: Vec3, t: Vec3) -> Vec3 {
        let (n, t) = (n.normalize(), t.normalize());
        Vec3::new(v.dot(&n), v.dot(&t.cross(&n)), v.dot(&t))
    }

    /// What `f.K` is the product of with the tangent, but for `k1 f.n`.
    fn along(&self, f: Vec3) -> Vec3 {
        self.n.cross(&f) * self.k.y + f * self.k.z
    }

    /// The transposed Jacobians by `n` and `t`, times a vector.
    pub fn pull_back(&self, f: Vec3) -> [Vec3; 2] {
        let h = self.along(f);
        let across = h - self.tangent * self.tangent.dot(&h);
        [f * self.k.x + f.cross(&self.tangent) * self.k.y, across / self.length]
    }

    /// The second derivatives of `f.K`: by `n` and `t`, by `t` twice; there is none by `n` twice.
    pub fn curvature(&self, f: Vec3) -> [Matrix3<f64>; 2] {
        let (t, h, l) = (self.tangent, self.along(f), self.length);
        let along = t.dot(&h);
        let across = Matrix3::identity() - t * t.transpose();
        [
            f.cross_matrix() * across * (self.k.y / l),
            (t * t.transpose() * (3.0 * along)
                - h * t.transpose()
                - t * h.transpose()
                - Matrix3::from_diagonal_element(along))
                / (l * l),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::angle::curvature_binormal_pull_back;

    const STEP: f64 = 1e-6;

    fn vectors() -> [Vec3; 5] {
        [[1.3, 0.2, -0.1], [0.4, 0.9, 0.3], [0.7, -0.5, 0.8], [0.2, -0.4, 0.9], [-0.6, 0.3, 0.5]]
            .map(Vec3::from)
    }

    #[test]
    fn the_curvature_binormal_has_the_right_second_derivatives() {
        let [a, b, f, da, db] = vectors();
        let at = |s: f64| curvature_binormal_pull_back(a + da * s, b + db * s, f);
        let [aa, ab, bb] = curvature_binormal_curvature(a, b, f);
        let expected = [aa * da + ab * db, ab.transpose() * da + bb * db];
        for k in 0..2 {
            let slope = (at(STEP)[k] - at(-STEP)[k]) / (2.0 * STEP);
            assert!((slope - expected[k]).norm() < 1e-8, "{k}: {slope} {}", expected[k]);
        }
    }

    #[test]
    fn framed_vectors_have_the_right_derivatives() {
        let [n, t, f, dn, dt] = vectors();
        let framed = |s: f64| Framed::new(Vec3::new(0.3, -1.1, 0.7), n + dn * s, t + dt * s, 0.2);
        let value = (framed(STEP).value() - framed(-STEP).value()).dot(&f) / (2.0 * STEP);
        let [by_n, by_t] = framed(0.0).pull_back(f);
        assert!((value - by_n.dot(&dn) - by_t.dot(&dt)).abs() < 1e-8);
        let [nt, tt] = framed(0.0).curvature(f);
        let expected = [nt * dt, nt.transpose() * dn + tt * dt];
        let pull = |s: f64| framed(s).pull_back(f);
        for k in 0..2 {
            let slope = (pull(STEP)[k] - pull(-STEP)[k]) / (2.0 * STEP);
            assert!((slope - expected[k]).norm() < 1e-8, "{k}: {slope} {}", expected[k]);
        }
    }

    #[test]
    fn components_give_back_a_vector() {
        let [v, t, a, ..] = vectors();
        let n = t.cross(&a).normalize();
        let back = Framed::new(Framed::components(v, n, t), n, t, 0.0).value();
        assert!((back - v).norm() < 1e-14, "{back}");
    }
}
