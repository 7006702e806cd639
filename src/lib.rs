//! Hebra simulates woven and knitted cloth yarn by yarn: every yarn is a rod, and crossing yarns slide through
//! persistent contacts.
//!
//! # How it works
//!
//! A rod is a curve with nodes in order along it. Where two yarns cross they share one position `x`, and
//! each has an arc coordinate of its own, `u` and `v`, that says which of its material points is there: an
//! Eulerian-on-Lagrangian (EoL) node. So contact at crossings is never searched for, and sliding is motion of `u`
//! and `v`. Each time step is the minimum of one function,
//!
//! ```text
//! |q - q_n - h q'_n|^2_M/(2 h^2) + V(q) + h V_d((q - q_n)/h) + friction
//! ```
//!
//! over positions and arc coordinates together: inertia with a consistent mass matrix, elastic energies,
//! dissipation potentials of the strain rate, and Coulomb friction as a spring that yields.
//!
//! Cloth of triangles ([`model::sheets`]) differs in its nodes and strains only: elasticity, every kind of
//! damping, contact, clamps and the step itself are those of yarns. [`potential::dissipation`] derives the
//! damping and says how to add a strain or a damping law.
//!
//! # The way of the data
//!
//! ```text
//! scene.ron -> Scene -> Model, State -> [Potential] -> Newton -> State -> Frame -> files, pictures
//! ```
//!
//! | level | module | what it answers |
//! |---|---|---|
//! | 0 | [`hebra_solver`] | how is it solved: sparse blocks, factors, conjugate gradients, Newton, time schemes |
//! | 1 | [`geometry`] | pure functions with derivatives |
//! | 1 | [`input`] | what a scene is read from: files of bounded size |
//! | 2 | [`pattern`] | who crosses whom: weave drafts, knitting charts |
//! | 3 | [`model`] | what moves: materials, yarns and nodes, obstacles, clamps, state |
//! | 4 | [`collision`] | what is near what |
//! | 4 | [`frame`] | what can be drawn at a moment |
//! | 5 | [`potential`] | what a configuration costs |
//! | 6 | [`simulation`] | the step, relaxation |
//! | 7 | [`measure`] | what is read off: curvature, folds, the quality of damping |
//! | 8 | [`record`] | what is kept: frames, tables, checkpoints |
//! | 9 | [`draw`] | a picture of a frame |
//! | 9 | [`scene`] | a file to a simulation, or to an error with its place |
//! | 10 | [`export`] | frames in formats of other programs |
//! | 10 | [`compare`] | runs side by side on a page |
//! | 10 | `viewer` | a window (feature `viewer`) |
//! | 11 | [`cli`] | the commands |
//!
//! A module uses those of lower levels only; `tests/architecture.rs` holds this table.
//!
//! # Words
//!
//! *Potential*: a term of the energy (never "force" or "constraint"). *Collision*: finding what is near.
//! *Contact*: what joins two rods. *Gradient*: `+dE/dq`. *Strain* `eps = e/w`: elongation over weight.
//! `squared_distance` when it is squared; `rest_` for the undeformed state, `_start` for the beginning of
//! a step, `n_nodes` for counts, `_rad` where an angle might be taken for degrees. SI units throughout.
//!
//! *Lagrangian*, *EoL*, *EIL*: kinds of nodes, with a fixed arc coordinate, a sliding one, and a sliding one interpolated
//! between two others because it is too close to them (degenerate). *Role*: whether a node carries its rod, is
//! interpolated, or is removed. *Node transition*: a change of roles. *Contact removal*: the end of a contact whose yarns
//! part. *Arrangement*: the roles of all nodes in a step. *Penetration*: depth in an obstacle or another yarn.
//! *Constraint offset*: a distance kept beyond touching. *Region*: a few unknowns with a large residual, minimised first
//! (nonlinear elimination). *Strip*, *patch*: subdomains of the Schwarz preconditioners, see [`hebra_solver`].

pub mod geometry;
pub mod input;
pub mod pattern;
pub mod model;
pub mod collision;
pub mod frame;
pub mod potential;
pub mod simulation;
pub mod measure;
pub mod record;
pub mod draw;
pub mod scene;
pub mod export;
pub mod compare;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod cli;
