//! Where frames come from: a record, or a simulation that runs in a thread of its own.

use crate::frame::{Camera, Frame};
use crate::record::steps::StepRow;
use crate::simulation::tuning::Tuning;

/// Where frames come from. Nothing here may wait for a step.
pub trait Frames {
    /// Number of frames so far; it may change with [`Frames::refresh`].
    fn count(&self) -> usize;

    /// A frame.
    ///
    /// # Errors
    /// A text that says why it cannot be had.
    fn frame(&mut self, index: usize) -> Result<Frame, String>;

    /// Looks for what came in meanwhile: whether there are new frames, or the last one is another now.
    ///
    /// # Errors
    /// A text that says why nothing more can be had.
    fn refresh(&mut self) -> Result<bool, String> {
        Ok(false)
    }

    /// The steps so far, for the curves.
    fn steps(&self) -> &[StepRow] {
        &[]
    }

    /// The simulation behind the frames, if they come from one.
    fn live(&self) -> Option<&dyn Live> {
        None
    }

    /// Writes a camera into the scene; says where.
    ///
    /// # Errors
    /// A text that says why it cannot be written.
    fn save_camera(&mut self, _camera: &Camera) -> Result<String, String> {
        Err("these frames come from no scene file".into())
    }
}

impl Frames for Vec<Frame> {
    fn count(&self) -> usize {
        self.len()
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        self.get(index).cloned().ok_or_else(|| "there are fewer frames".to_owned())
    }
}

/// A simulation that runs in a thread of its own.
pub trait Live {
    /// The scene's own parameters.
    fn tuning(&self) -> &Tuning;

    /// Names of the clamps, in the scene's order.
    fn clamps(&self) -> &[String];

    /// Asks for something to be done before the next step.
    fn send(&self, command: Command);

    /// What it is doing, if there is something to say: that it has ended, or why it cannot go on.
    fn remark(&self) -> String;
}

/// What a simulation is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Go on, or rest.
    Run(bool),
    /// Rest after one more step.
    Step,
    /// Start again with these parameters.
    Restart(Tuning),
    /// Go on with other parameters.
    Tune(Tuning),
    /// Pull at a yarn, or let it go.
    Grab(Option<Pull>),
}

/// A place on a yarn and where it is pulled to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Index of the yarn.
    pub rod: u32,
    /// Where along it, m.
    pub arc: f64,
    /// m.
    pub target: [f64; 3],
    /// Factor on the usual strength.
    pub strength: f64,
}
