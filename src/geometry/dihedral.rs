//! The angle between two triangles that share an edge, with its first and second derivatives.

use super::Vec3;

/// Linear forms on the four corners: edge start, edge end, apex of the first triangle, apex of the second.
pub type OnCorners = [Vec3; 4];

/// The signed angle about the edge from `x0` to `x1` by which the triangles `(x0, x1, x2)` and `(x1, x0, x3)`
/// are folded: zero when flat, positive when their normals lean apart.
///
/// ```text
/// theta = atan2(e.(n1 x n2)/|e|, n1.n2)
/// of one triangle with apex r: d theta = m.((1 - s) dp + s dq - dr),   m = n |e|/|n|^2,  s = (r - p).e/|e|^2
/// ```
/// Each triangle's share is the turn of its plane about the edge; the second derivative is the sum of the
/// Jacobians of both shares, which is symmetric although neither is. Smooth through zero.
/// Source: Grinspun et al. 2003, Discrete shells; Tamstorf and Grinspun 2013 for the second derivative.
/// Fails when a triangle has no area.
#[derive(Debug, Clone, Copy)]
pub struct Dihedral {
    /// rad, in `(-pi, pi]`.
    pub theta: f64,
    shares: [Share; 2],
}

/// One triangle with its base `p` to `q` and its apex `r`.
#[derive(Debug, Clone, Copy)]
struct Share {
    edge: Vec3,
    side: Vec3,
    normal: Vec3,
    /// `s`: where the apex stands over the base, 0 to 1.
    foot: f64,
    lever: Vec3,
}

impl Share {
    fn new([p, q, r]: [Vec3; 3]) -> Self {
        let (edge, side) = (q - p, r - p);
        let normal = edge.cross(&side);
        let lever = normal * (edge.norm() / normal.norm_squared());
        Self { edge, side, normal, foot: side.dot(&edge) / edge.norm_squared(), lever }
    }

    /// The gradient on `p, q, r`.
    fn gradient(&self) -> [Vec3; 3] {
        [self.lever * (1.0 - self.foot), self.lever * self.foot, -self.lever]
    }

    /// How the gradient changes with `p, q, r`.
    fn change(&self, [dp, dq, dr]: [Vec3; 3]) -> [Vec3; 3] {
        let (de, dd) = (dq - dp, dr - dp);
        let (e2, n2) = (self.edge.norm_squared(), self.normal.norm_squared());
        let dn = de.cross(&self.side) + self.edge.cross(&dd);
        let stretch = self.edge.dot(&de) / e2;
        let shrink = 2.0 * self.normal.dot(&dn) / n2;
        let dm = self.lever * (stretch - shrink) + dn * (e2.sqrt() / n2);
        let ds = (dd.dot(&self.edge) + self.side.dot(&de)) / e2 - 2.0 * self.foot * stretch;
        [dm * (1.0 - self.foot) - self.lever * ds, dm * self.foot + self.lever * ds, -dm]
    }
}

impl Dihedral {
    /// From the corners: edge start, edge end, apex of the first triangle, apex of the second.
    pub fn new([x0, x1, x2, x3]: OnCorners) -> Self {
        let shares = [Share::new([x0, x1, x2]), Share::new([x1, x0, x3])];
        let [n1, n2] = [shares[0].normal, shares[1].normal];
        let e = shares[0].edge;
        let theta = (e.dot(&n1.cross(&n2)) / e.norm()).atan2(n1.dot(&n2));
        Self { theta, shares }
    }

    /// Derivative of the angle, 1/m.
    pub fn gradient(&self) -> OnCorners {
        let [[p1, q1, r1], [p2, q2, r2]] = [self.shares[0].gradient(), self.shares[1].gradient()];
        [p1 + q2, q1 + p2, r1, r2]
    }

    /// How the derivative changes with the corners, 1/m2.
    pub fn change(&self, [d0, d1, d2, d3]: OnCorners) -> OnCorners {
        let [p1, q1, r1] = self.shares[0].change([d0, d1, d2]);
        let [p2, q2, r2] = self.shares[1].change([d1, d0, d3]);
        [p1 + q2, q1 + p2, r1, r2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(fold: f64) -> OnCorners {
        let turn = nalgebra::Rotation3::from_scaled_axis(Vec3::new(0.4, -0.3, 0.7));
        let apex = Vec3::new(0.3, 0.0, 0.0) + Vec3::new(0.0, -fold.cos(), fold.sin()) * 0.8;
        [Vec3::zeros(), Vec3::x() * 1.1, Vec3::new(0.6, 0.9, 0.0), apex].map(|x| turn * x)
    }

    #[test]
    fn the_angle_has_its_sign_and_size() {
        for fold in [-2.5, -0.3, 0.0, 1e-3, 1.2] {
            let theta = Dihedral::new(corners(fold)).theta;
            assert!((theta.abs() - fold.abs()).abs() < 1e-12, "{fold}: {theta}");
            assert!(fold == 0.0 || theta * Dihedral::new(corners(-fold)).theta < 0.0);
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let d = [
            Vec3::new(0.2, -0.4, 0.9),
            Vec3::new(-0.6, 0.3, 0.5),
            Vec3::new(0.1, 0.8, -0.3),
            Vec3::new(0.5, 0.2, 0.4),
        ];
        let h = 1e-5;
        for fold in [-1.4, 0.0, 0.6, 2.6] {
            let x = corners(fold);
            let at = |s: f64| Dihedral::new(std::array::from_fn(|k| x[k] + d[k] * s));
            let along = |g: OnCorners| g.iter().zip(&d).map(|(g, d)| g.dot(d)).sum::<f64>();
            let (first, second) = (along(at(0.0).gradient()), along(at(0.0).change(d)));
            assert!(((at(h).theta - at(-h).theta) / (2.0 * h) - first).abs() < 1e-7, "{fold}");
            let difference = (along(at(h).gradient()) - along(at(-h).gradient())) / (2.0 * h);
            assert!(
                (difference - second).abs() < 1e-6 * (1.0 + second.abs()),
                "{fold}: {difference} {second}"
            );
            let vector = |g: OnCorners| g.map(|v| v.norm()).iter().sum::<f64>();
            let g = at(0.0).gradient();
            assert!(g.iter().sum::<Vec3>().norm() < 1e-12 * vector(g), "no force from a translation");
        }
    }
}
