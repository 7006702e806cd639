//! Vectors in the frame of a crossing, with their first and second derivatives.

use nalgebra::Matrix3;

use super::Vec3;

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

    const STEP: f64 = 1e-6;

    fn vectors() -> [Vec3; 5] {
        [[1.3, 0.2, -0.1], [0.4, 0.9, 0.3], [0.7, -0.5, 0.8], [0.2, -0.4, 0.9], [-0.6, 0.3, 0.5]]
            .map(Vec3::from)
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
