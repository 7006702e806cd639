//! Implicit time stepping, each step written as one minimisation, and the control of its length.

use serde::{Deserialize, Serialize};

/// How a step of `h` seconds follows from a minimum.
///
/// With positions `q`, velocities `v`, mass `M`, energy `V` and force `F = -grad V`, every scheme is
///
/// ```text
/// q_(n+1) = argmin  a/2 |q - q*|_M^2  +  b V(q)  -  c F(q_n).q        v_(n+1) = s (q_(n+1) - q_n)/h - (s - 1) v_n
///
///                          a       q*             b    c    s    order
/// backward Euler         1/h^2     q_n + h v_n    1    0    1    1, damps
/// trapezoidal Newmark    4/h^2     q_n + h v_n    1    1    2    2, keeps energy
/// symplectic Euler       1/h^2     q_n + h v_n    0    1    1    1, h below 2/omega
/// ```
/// For Newmark (average acceleration) this is `M (4/h^2) (q - q_n - h v_n) = F(q_n) + F(q)`, for the
/// symplectic scheme `M dv = h F(q_n)`, `q = q_n + h (v_n + dv)`.
///
/// Source: Hairer, Lubich and Wanner, *Geometric numerical integration*, chapters I and VI; Newmark 1959
/// with beta = 1/4, gamma = 1/2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// First order, dissipative, stable at any step.
    #[default]
    BackwardEuler,
    /// Second order, without numerical dissipation.
    Newmark,
    /// First order, explicit in the forces: stable for short steps only.
    SymplecticEuler,
}

impl Scheme {
    /// `a`, 1/s^2: the factor of the inertial term.
    pub fn inertia(self, h: f64) -> f64 {
        match self {
            Self::Newmark => 4.0 / (h * h),
            Self::BackwardEuler | Self::SymplecticEuler => 1.0 / (h * h),
        }
    }

    /// `b`: the factor of the energy at the end of the step.
    pub fn implicit(self) -> f64 {
        match self {
            Self::BackwardEuler | Self::Newmark => 1.0,
            Self::SymplecticEuler => 0.0,
        }
    }

    /// `c`: the factor of the force at the start of the step.
    pub fn explicit(self) -> f64 {
        match self {
            Self::BackwardEuler => 0.0,
            Self::Newmark | Self::SymplecticEuler => 1.0,
        }
    }

    /// `dv/dq` of the end of the step, 1/s: what turns a damping matrix into a stiffness.
    pub fn rate(self, h: f64) -> f64 {
        self.slope() / h
    }

    /// `q* = q_n + h v_n`: where inertia alone would lead.
    pub fn predict(self, q: &[f64], v: &[f64], h: f64, out: &mut [f64]) {
        for (o, (q, v)) in out.iter_mut().zip(q.iter().zip(v)) {
            *o = q + h * v;
        }
    }

    /// Overwrites `v = v_n` by the velocity at the end of a step from `q_n` to `q`.
    pub fn velocity(self, q: &[f64], q_n: &[f64], v: &mut [f64], h: f64) {
        let s = self.slope();
        for (v, (q, q_n)) in v.iter_mut().zip(q.iter().zip(q_n)) {
            *v = s * (q - q_n) / h - (s - 1.0) * *v;
        }
    }

    fn slope(self) -> f64 {
        match self {
            Self::Newmark => 2.0,
            Self::BackwardEuler | Self::SymplecticEuler => 1.0,
        }
    }
}

/// Limits of [`StepControl`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StepLimits {
    /// Longest step, s, and the first.
    pub max: f64,
    /// Shortest step, s.
    pub min: f64,
    /// Good steps after which a shortened step grows by a quarter.
    pub patience: u32,
}

impl Default for StepLimits {
    fn default() -> Self {
        Self { max: 1e-3, min: 1e-7, patience: 4 }
    }
}

/// No shorter step is allowed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the time step of {step:e} s failed and the shortest allowed is {min:e} s")]
pub struct StepTooShort {
    /// The step that failed, s.
    pub step: f64,
    /// The shortest allowed, s.
    pub min: f64,
}

/// The length of the next step: halved by failure, grown back slowly by success.
///
/// Its value is all its state, so a saved and restored one goes on alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StepControl {
    limits: StepLimits,
    step: f64,
    good: u32,
}

/// Growth of a shortened step after enough good ones.
const GROWTH: f64 = 1.25;

impl StepControl {
    /// Starts with the longest step.
    pub fn new(limits: StepLimits) -> Self {
        Self { step: limits.max, limits, good: 0 }
    }

    /// The same control under other limits: a step outside them is moved to the nearer one.
    pub fn limited_by(self, other: &Self) -> Self {
        let limits = other.limits;
        Self { limits, step: self.step.clamp(limits.min, limits.max), good: self.good }
    }

    /// The next step, s.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The step went well.
    pub fn succeed(&mut self) {
        self.good += 1;
        if self.good >= self.limits.patience {
            self.good = 0;
            self.step = (GROWTH * self.step).min(self.limits.max);
        }
    }

    /// The step failed: the next is half as long.
    ///
    /// # Errors
    /// When that is below the shortest; the step is then left as it is.
    pub fn fail(&mut self) -> Result<(), StepTooShort> {
        let half = 0.5 * self.step;
        if half < self.limits.min {
            return Err(StepTooShort { step: self.step, min: self.limits.min });
        }
        self.step = half;
        self.good = 0;
        Ok(())
    }
}
