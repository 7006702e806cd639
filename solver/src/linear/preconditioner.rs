//! Preconditioners of the iterative method.
//!
//! | stage | what it is for |
//! |---|---|
//! | strips and a coarse level | large single fabrics: 22,500 hanging crossings take 0.66 of the user time that factors take, and 0.57 of that of patches with a coarse level |
//! | patches | large stacks of layers: the published tablecloths take 21 s of user time for two steps with them, and 50 s without |

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Guides, System};
use crate::interrupt::Interrupt;
use crate::patches::Patches;
use crate::pattern::BlockPattern;
use crate::pcg::Preconditioner;
use crate::two_level::TwoLevel;

/// Which preconditioner is in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Strips and a coarse level: fabrics by themselves, and layers whose yarns are hardly bound.
    #[default]
    Strips,
    /// Patches: layers bound to one another by stiff springs, where strips fail.
    Patches,
}

/// The preconditioners; what no stage has asked for is never allocated.
#[derive(Debug, Default)]
pub(super) struct Combined<const B: usize> {
    two_level: Option<TwoLevel<B>>,
    patches: Option<Patches<B>>,
    /// Whether the two levels are of an earlier pattern.
    is_outdated: bool,
    interrupt: Interrupt,
}

impl<const B: usize> Combined<B> {
    /// Preconditioners whose set-up ends early where the flag is raised.
    pub(super) fn new(interrupt: Interrupt) -> Self {
        Self { interrupt, ..Self::default() }
    }

    /// Goes on with matrices of another pattern.
    pub(super) fn follow_pattern(&mut self) {
        (self.is_outdated, self.patches) = (true, None);
    }

    /// Bytes of the strips, if there are any.
    pub(super) fn strips_bytes(&self) -> Option<usize> {
        self.two_level.as_ref().map(TwoLevel::strips_bytes)
    }

    /// Factors what the stage asks for.
    pub(super) fn factor(
        &mut self,
        stage: Stage,
        (pattern, guides): (&Arc<BlockPattern>, &Guides),
        system: &System<'_, B>,
    ) {
        match stage {
            Stage::Strips => {
                self.patches = None;
                if let Some(two_level) = self.two_level.as_mut().filter(|_| self.is_outdated) {
                    two_level.set_pattern(pattern, guides);
                }
                self.is_outdated = false;
                let two_level = self.two_level.get_or_insert_with(|| TwoLevel::new(pattern, guides));
                two_level.factor(system.matrix, system.active);
            }
            Stage::Patches => {
                self.two_level = None;
                if !self.patches.as_ref().is_some_and(|p| p.are_of(system.active)) {
                    self.patches = Patches::new(pattern, &guides.coordinates, system.active, &self.interrupt);
                }
                self.patches.iter_mut().for_each(|p| p.factor(system.matrix));
            }
        }
    }
}

impl<const B: usize> Preconditioner for Combined<B> {
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        match (&mut self.two_level, &mut self.patches) {
            (Some(strips), _) => strips.apply(r, z),
            (None, Some(patches)) => patches.apply(r, z),
            (None, None) => z.copy_from_slice(r),
        }
    }
}
