//! Coulomb's law as a potential of the step: a spring with a yield force.

/// The Huber potential of a spring of stiffness `k` whose force is limited to `limit`.
///
/// ```text
/// H(r) = k r^2/2  while k r <= limit,    limit r - limit^2/(2 k)  beyond        r = |delta|
/// ```
/// `delta` is the offset from an anchor; once a step is accepted the anchor follows, so that the spring
/// is never stretched beyond its limit. The limit acts inside the solve: limiting the force only
/// afterwards would make friction a viscosity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Huber {
    /// N/m.
    pub(crate) stiffness: f64,
    /// N.
    pub(crate) limit: f64,
}

impl Huber {
    /// `H`, J.
    pub(crate) fn value(&self, r: f64) -> f64 {
        if self.sticks(r) {
            0.5 * self.stiffness * r * r
        } else {
            self.limit * (r - 0.5 * self.limit / self.stiffness)
        }
    }

    /// `H'/r`, N/m: the force is this times the offset.
    pub(crate) fn secant(&self, r: f64) -> f64 {
        if self.sticks(r) { self.stiffness } else { self.limit / r.max(f64::MIN_POSITIVE) }
    }

    /// `H''`, N/m, along the offset.
    pub(crate) fn tangent(&self, r: f64) -> f64 {
        if self.sticks(r) { self.stiffness } else { 0.0 }
    }

    /// By which fraction of the offset the anchor follows.
    pub(crate) fn slip(&self, r: f64) -> f64 {
        if self.sticks(r) { 0.0 } else { 1.0 - self.limit / (self.stiffness * r).max(f64::MIN_POSITIVE) }
    }

    fn sticks(&self, r: f64) -> bool {
        self.limit > 0.0 && self.stiffness * r <= self.limit
    }
}

/// Friction of what slides along two directions that need not be at right angles, limited together.
///
/// ```text
/// H(r),  r^2 = d1^2 + d2^2 - 2 c d1 d2
/// ```
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cone {
    /// `H`.
    pub(crate) law: Huber,
    /// `c`, the cosine between the directions.
    pub(crate) slant: f64,
}

impl Cone {
    fn length(&self, d: [f64; 2]) -> f64 {
        (d[0] * d[0] + d[1] * d[1] - 2.0 * self.slant * d[0] * d[1]).max(0.0).sqrt()
    }

    /// `r dr/d(d1, d2)`.
    fn lowered(&self, d: [f64; 2]) -> [f64; 2] {
        [d[0] - self.slant * d[1], d[1] - self.slant * d[0]]
    }

    /// `H`, J.
    pub(crate) fn value(&self, d: [f64; 2]) -> f64 {
        self.law.value(self.length(d))
    }

    /// Its gradient, N.
    pub(crate) fn gradient(&self, d: [f64; 2]) -> [f64; 2] {
        let secant = self.law.secant(self.length(d));
        self.lowered(d).map(|d| secant * d)
    }

    /// Its Hessian, N/m.
    pub(crate) fn hessian(&self, d: [f64; 2]) -> [[f64; 2]; 2] {
        let r = self.length(d);
        let (secant, tangent) = (self.law.secant(r), self.law.tangent(r));
        let bend = (tangent - secant) / (r * r).max(f64::MIN_POSITIVE);
        let d = self.lowered(d);
        let off = bend * d[0] * d[1] - secant * self.slant;
        [[secant + bend * d[0] * d[0], off], [off, secant + bend * d[1] * d[1]]]
    }

    /// A stand-in for the Hessian, N/m, and the multiplier for the next.
    ///
    /// Beyond the kink the Hessian is zero along the offset, and Newton's method jumps to and fro over it. Here the
    /// force is an unknown `w` of its own, within the limit `l`, in the equation of a sliding contact, both of which
    /// the method linearises:
    ///
    /// ```text
    /// r w = l d      r w' = l d - w (r' - r)      w', its length at most l, for the next      h = l/r (1 - w d'/(l r))
    /// ```
    /// `h`, made symmetric, is the Hessian where `w` is the force of a contact that slides on, and stiffer for one that
    /// was to stick or to slide back: it is brought to rest at the kink. Source: Chan, Golub and Mulet, *A nonlinear
    /// primal-dual method for total variation-based image restoration*, SIAM J. Sci. Comput. 20, 1999.
    pub(crate) fn hessian_with(&self, d: [f64; 2], multiplier: &mut Multiplier) -> [[f64; 2]; 2] {
        if let Some(before) = multiplier.at.replace(d) {
            multiplier.force = self.limited(self.linearised(d, before, multiplier.force));
        }
        let r = self.length(d);
        if self.law.sticks(r) || self.law.limit == 0.0 {
            return self.hessian(d);
        }
        let (secant, force, d) = (self.law.secant(r), self.lowered(multiplier.force), self.lowered(d));
        let bend = -0.5 * secant / (self.law.limit * r);
        let off = bend * (d[0] * force[1] + d[1] * force[0]) - secant * self.slant;
        [[secant + 2.0 * bend * d[0] * force[0], off], [off, secant + 2.0 * bend * d[1] * force[1]]]
    }

    /// The multiplier where the iteration starts: the spring's force at an offset.
    pub(crate) fn multiplier(&self, d: [f64; 2]) -> Multiplier {
        Multiplier { at: None, force: self.limited(d.map(|d| self.law.stiffness * d)) }
    }

    /// `w'` at an offset, from the one before and its `w`.
    fn linearised(&self, d: [f64; 2], before: [f64; 2], force: [f64; 2]) -> [f64; 2] {
        let Huber { stiffness, limit } = self.law;
        let r = self.length(before);
        if self.law.sticks(r) || limit == 0.0 {
            return d.map(|d| stiffness * d);
        }
        let towards = self.lowered(before);
        let growth = (towards[0] * (d[0] - before[0]) + towards[1] * (d[1] - before[1])) / r;
        [0, 1].map(|k| (limit * d[k] - force[k] * growth) / r)
    }

    fn limited(&self, force: [f64; 2]) -> [f64; 2] {
        let size = self.length(force);
        if size > self.law.limit { force.map(|f| f * self.law.limit / size) } else { force }
    }

    /// By which fraction of the offset the anchor follows.
    pub(crate) fn slip(&self, d: [f64; 2]) -> f64 {
        self.law.slip(self.length(d))
    }
}

/// The force, N, that an iteration of Newton's method counts on, and the offset, m, where it last stood.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Multiplier {
    at: Option<[f64; 2]>,
    force: [f64; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_force_is_continuous_and_limited() {
        let h = Huber { stiffness: 10.0, limit: 2.0 };
        assert_eq!(h.secant(0.1) * 0.1, 1.0);
        assert!((h.secant(5.0) * 5.0 - 2.0).abs() < 1e-15);
        assert!((h.value(0.2 + 1e-9) - h.value(0.2 - 1e-9)).abs() < 1e-8);
        let r = 0.7;
        assert!(
            (10.0 * r * (1.0 - h.slip(r)) - 2.0).abs() < 1e-14,
            "after slipping the spring holds the limit"
        );
    }

    /// Newton's method on `k/2 |d - start - load/k|^2 + H` from where `start` led, with a spring far softer than the kink.
    #[test]
    fn a_contact_comes_to_rest_or_slides_on_within_few_iterations() {
        let (soft, cone) = (1e-2, Cone { law: Huber { stiffness: 200.0, limit: 1e-3 }, slant: 0.4 });
        let iterations = |load: f64, start: f64| {
            let (direction, mut d, mut multiplier) = ([0.8, -0.3], [start, 0.0], cone.multiplier([0.0; 2]));
            for k in 1..=20 {
                let rest = direction.map(|c| load * c);
                let g = cone.gradient(d);
                let g = [0, 1].map(|i| g[i] + soft * d[i] - rest[i]);
                let h = cone.hessian_with(d, &mut multiplier);
                let [[a, b], [_, c]] = [[h[0][0] + soft, h[0][1]], [h[1][0], h[1][1] + soft]];
                let det = a * c - b * b;
                d = [d[0] - (c * g[0] - b * g[1]) / det, d[1] - (a * g[1] - b * g[0]) / det];
                let left = cone.gradient(d);
                if (0..2).all(|i| (left[i] + soft * d[i] - rest[i]).abs() < 1e-9) {
                    return k;
                }
            }
            usize::MAX
        };
        for start in [1e-5, -1e-3] {
            assert!(iterations(3e-4, start) <= 8, "sticks: {}", iterations(3e-4, start));
            assert!(iterations(1e-2, start) <= 8, "slides: {}", iterations(1e-2, start));
        }
    }
}
