//! What is kept of a run.
//!
//! | file | content |
//! |---|---|
//! | `scene.ron` | the scene as run, overrides included |
//! | `steps.csv` | a row per step: time, step length, iterations, energies in J, counts, seconds, depth in obstacles |
//! | `terms.csv` | a row per step: momentum in kg m/s; energy stored and dissipated by every term, J |
//! | `probes.csv` | a row per step: the values that the scene's probes follow |
//! | `summary.json` | counts, seconds by phase, peak memory, why the run ended |
//! | `frames.bin` | the frames, in the format of [`frames`] |
//! | `checkpoint.bin` | the state from which `--resume` continues, and digests of the scene's meshes and charts |
//! | `.lock` | the id of the process that writes or wrote the record, locked while it runs |

mod append;
pub mod checkpoint;
pub mod chunk;
pub mod columns;
pub mod error;
pub mod frames;
pub(crate) mod lock;
pub mod params;
pub mod probe;
pub mod progress;
pub mod reader;
pub mod recorder;
pub mod steps;
pub mod summary;
pub mod table;
