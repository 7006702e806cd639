//! Hebra simulates woven and knitted cloth yarn by yarn: every yarn is a rod, and crossing yarns slide through
//! persistent contacts.
//!
//! # In a program
//!
//! [`prelude`] has what most programs need. Cloth falls, held by two corners:
//!
//! ```
//! use hebra::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut simulation = Scene::default()
//!     .with_fabric(Fabric::plain(8, 8, 5e-4).named("cloth").of("wool"))
//!     .with_clamp(Clamp::of(Selection::crossing("cloth", -1, 0)))
//!     .with_clamp(Clamp::of(Selection::crossing("cloth", -1, -1)))
//!     .build()?;
//! simulation.run_until(0.02, |now, report| {
//!     assert!(now.time() > 0.0 && report.energies.kinetic > 0.0);
//!     ControlFlow::Continue(())
//! })?;
//! let lowest = simulation.positions().iter().map(|x| x[2]).fold(0.0, f64::min);
//! assert!(lowest < -1e-4);
//! # Ok(())
//! # }
//! ```
//!
//! A knit comes to rest, its loops sliding until nothing pulls:
//!
//! ```
//! use hebra::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::default().with_knit(Knit::jersey(4, 5));
//! scene.forces.gravity = [0.0; 3];
//! let mut simulation = scene.to_relax().build()?;
//! let before = simulation.energies().elastic;
//! simulation.relax(Relax { friction: false, ..Relax::default() }, |_, _| ControlFlow::Continue(()))?;
//! assert!(simulation.energies().elastic < before);
//! # Ok(())
//! # }
//! ```
//!
//! A potential of one's own is an [element](potential::family::Element): the energy of its unknowns with two
//! derivatives. Here a spring holds the free end of a yarn to where it starts:
//!
//! ```
//! use hebra::potential::family::{Element, Family, Stencils};
//! use hebra::potential::term::EnergyKind;
//! use hebra::prelude::*;
//!
//! /// `k/2 |x - x0|^2`, `k` in N/m.
//! struct Spring { k: f64, x0: [f64; 3] }
//!
//! impl Element<3> for Spring {
//!     fn energy(&self, _: usize, x: &[f64; 3]) -> f64 {
//!         (0..3).map(|i| 0.5 * self.k * (x[i] - self.x0[i]).powi(2)).sum()
//!     }
//!
//!     fn energy_gradient(&self, _: usize, x: &[f64; 3]) -> [f64; 3] {
//!         [0, 1, 2].map(|i| self.k * (x[i] - self.x0[i]))
//!     }
//!
//!     fn hessian(&self, _: usize, _: &[f64; 3]) -> [[f64; 3]; 3] {
//!         [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { self.k } else { 0.0 }))
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let simulation = Scene::default()
//!     .with_rod(Rod::line([0.0; 3], [0.02, 0.0, 0.0], 4).named("yarn"))
//!     .with_clamp(Clamp::of(Selection::rod_start("yarn")))
//!     .build()?;
//! let [x, y, z, _] = simulation.model().nodes[4].dofs();
//! let spring = Spring { k: 1.0, x0: [0.02, 0.0, 0.0] };
//! let stencils = Stencils::new(vec![[x, y, z]], [0; 3]);
//! let mut simulation = simulation.with_potential(Family::new("spring", EnergyKind::Elastic, stencils, spring));
//! simulation.run_until(0.05, |_, _| ControlFlow::Continue(()))?;
//! assert!(simulation.positions()[4][2].abs() < 1e-4);
//! # Ok(())
//! # }
//! ```
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
//! | 9 | [`draw`] | a picture of a frame (feature `render`) |
//! | 9 | [`scene`] | a file to a simulation, or to an error with its place |
//! | 10 | [`export`] | frames in formats of other programs (feature `export`) |
//! | 10 | [`compare`] | runs side by side on a page (feature `render`) |
//! | 10 | `viewer` | a window (feature `viewer`) |
//! | 11 | [`prelude`] | the names that most programs need |
//! | 11 | [`cli`] | the commands (feature `cli`) |
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
#[cfg(feature = "render")]
pub mod draw;
pub mod scene;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "render")]
pub mod compare;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod prelude;
#[cfg(feature = "cli")]
pub mod cli;
