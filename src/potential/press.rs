//! A spring that stiffens with penetration.

/// The energy of a spring that stiffens until it is pressed in by `w`.
///
/// ```text
/// V = k p^3/(6 w)  for 0 < p < w,    k (p^2/2 - w p/2 + w^2/6)  beyond
/// ```
/// Its second derivative is continuous: Newton's method meets no jump where a contact opens or closes. With `w = 0` it
/// is a plain spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Press {
    /// `k`, N/m.
    pub(crate) stiffness: f64,
    /// `w`, m.
    pub(crate) ramp: f64,
}

impl Press {
    /// `V`, J.
    pub(crate) fn value(&self, p: f64) -> f64 {
        let Self { stiffness: k, ramp: w } = *self;
        if p < w { k * p * p * p / (6.0 * w) } else { k * (0.5 * p * (p - w) + w * w / 6.0) }
    }

    /// `V'`, N.
    pub(crate) fn force(&self, p: f64) -> f64 {
        let Self { stiffness: k, ramp: w } = *self;
        if p < w { 0.5 * k * p * p / w } else { k * (p - 0.5 * w) }
    }

    /// `V''`, N/m.
    pub(crate) fn tangent(&self, p: f64) -> f64 {
        self.stiffness * (p / self.ramp).min(1.0)
    }
}
