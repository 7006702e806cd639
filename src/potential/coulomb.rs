//! Coulomb's law as a potential of the step: a spring that yields.

/// The Huber potential of a spring of stiffness `k` whose force is limited to `limit`.
///
/// ```text
/// H(r) = k r^2/2  while k r <= limit,    limit r - limit^2/(2 k)  beyond        r = |delta|
/// ```
/// `delta` is the offset from an anchor; once a step is accepted the anchor follows, so that the spring
/// is never stretched beyond its limit. The limit acts inside the solve: limiting the force only
/// afterwards would make friction a viscosity.
#[derive(Debug, Clone, Copy)]
pub struct Huber {
    /// N/m.
    pub stiffness: f64,
    /// N.
    pub limit: f64,
}

impl Huber {
    /// `H`, J.
    pub fn value(&self, r: f64) -> f64 {
        if self.sticks(r) {
            0.5 * self.stiffness * r * r
        } else {
            self.limit * (r - 0.5 * self.limit / self.stiffness)
        }
    }

    /// `H'/r`, N/m: the force is this times the offset.
    pub fn secant(&self, r: f64) -> f64 {
        if self.sticks(r) { self.stiffness } else { self.limit / r.max(f64::MIN_POSITIVE) }
    }

    /// `H''`, N/m, along the offset.
    pub fn tangent(&self, r: f64) -> f64 {
        if self.sticks(r) { self.stiffness } else { 0.0 }
    }

    /// By which fraction of the offset the anchor follows.
    pub fn slip(&self, r: f64) -> f64 {
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
pub struct Cone {
    /// `H`.
    pub law: Huber,
    /// `c`, the cosine between the directions.
    pub slant: f64,
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
    pub fn value(&self, d: [f64; 2]) -> f64 {
        self.law.value(self.length(d))
    }

    /// Its gradient, N.
    pub fn gradient(&self, d: [f64; 2]) -> [f64; 2] {
        let secant = self.law.secant(self.length(d));
        self.lowered(d).map(|d| secant * d)
    }

    /// Its Hessian, N/m.
    pub fn hessian(&self, d: [f64; 2]) -> [[f64; 2]; 2] {
        let r = self.length(d);
        let (secant, tangent) = (self.law.secant(r), self.law.tangent(r));
        let bend = (tangent - secant) / (r * r).max(f64::MIN_POSITIVE);
        let d = self.lowered(d);
        let off = bend * d[0] * d[1] - secant * self.slant;
        [[secant + bend * d[0] * d[0], off], [off, secant + bend * d[1] * d[1]]]
    }

    /// By which fraction of the offset the anchor follows.
    pub fn slip(&self, d: [f64; 2]) -> f64 {
        self.law.slip(self.length(d))
    }
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
}
