//! Terms of the energy: strains, elasticity, dissipation, inertia, gravity, contact, friction.

pub(crate) mod assemble;
pub mod bending;
pub(crate) mod beside;
pub(crate) mod binding;
pub mod chain;
pub mod collision;
pub(crate) mod coulomb;
pub mod damping;
pub mod displaced;
pub mod dissipation;
pub(crate) mod edge;
pub mod term;
pub mod family;
pub mod forces;
mod forms;
pub mod lines;
pub(crate) mod friction;
pub(crate) mod grab;
pub(crate) mod gravity;
pub(crate) mod hinge;
pub(crate) mod hooks;
pub(crate) mod inertia;
pub mod material;
pub(crate) mod membrane;
pub(crate) mod normal_force;
pub(crate) mod obstacle;
pub(crate) mod press;
pub mod parallel;
pub(crate) mod point;
pub mod push;
pub mod region;
pub(crate) mod repulsion;
pub mod shear;
pub(crate) mod sheets;
pub(crate) mod sharp;
pub(crate) mod shield;
pub(crate) mod side;
mod sliding;
pub(crate) mod spread;
pub mod strain;
pub mod stretch;
pub(crate) mod terms;
pub mod through_zero;
pub(crate) mod wind;

#[cfg(test)]
mod conformance;
