//! Progress of the knits that come to rest while a scene is built.

use hebra_solver::interrupt::Interrupt;

/// How far a knit is on its way to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preparing<'a> {
    /// Name of the knit.
    pub knit: &'a str,
    /// What of it comes to rest.
    pub part: Part,
    /// Steps so far.
    pub step: u64,
    /// Largest force left, N; infinite before the first step.
    pub force: f64,
    /// Force that counts as rest, N.
    pub tolerance: f64,
}

/// What of a knit comes to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One repeat among copies of itself.
    Repeat,
    /// A repeat with the knit's edges around it.
    Patch,
    /// All of it.
    Whole,
    /// All of it, out of its plane.
    Free,
}

/// Who waits for a scene to be built: is told how far it is, and may break it off.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// What breaks off the building, and later the steps of the simulation.
    pub interrupt: &'a Interrupt,
    /// Is told after each step.
    pub tell: &'a dyn Fn(&Preparing<'_>),
}

impl Watch<'_> {
    /// Nobody waits: calls with what hears nothing and stops nothing.
    pub(super) fn nobody<T>(build: impl FnOnce(&Watch<'_>) -> T) -> T {
        build(&Watch { interrupt: &Interrupt::default(), tell: &|_| {} })
    }
}
