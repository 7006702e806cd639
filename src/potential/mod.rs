//! Terms of the energy: strains, elasticity, dissipation, inertia, gravity, contact, friction.

pub mod assemble;
pub mod bending;
pub mod beside;
pub mod binding;
pub mod chain;
pub mod collision;
pub mod coulomb;
pub mod damping;
pub mod dissipation;
pub mod edge;
pub mod term;
pub mod family;
pub mod forces;
mod forms;
pub mod friction;
pub mod grab;
pub mod gravity;
pub mod hinge;
pub mod hooks;
pub mod inertia;
pub mod material;
pub mod membrane;
pub mod normal_force;
pub mod obstacle;
pub mod press;
pub mod parallel;
pub mod point;
pub mod push;
pub mod region;
pub mod repulsion;
pub mod shear;
pub mod sheets;
pub mod shield;
pub mod side;
pub mod spread;
pub mod strain;
pub mod stretch;
pub mod terms;
pub mod through_zero;
pub mod wind;

#[cfg(test)]
mod conformance;
