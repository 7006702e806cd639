//! A scene that is simulated in a thread of its own while a window shows it.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::frame::{Camera, Frame};
use crate::geometry::Vec3;
use crate::model::ids::RodId;
use crate::record::steps::StepRow;
use crate::scene::error::SceneError;
use crate::scene::save::SceneFile;
use crate::simulation::run::has_reached;
use crate::simulation::setup::Setup;
use crate::simulation::tuning::Tuning;
use crate::simulation::{Simulation, SimulationError};
use crate::viewer::{Command, Frames, Live, Pull};

/// Bytes of frames that are kept to look back at; beyond it every second one is dropped.
const MOST_BYTES: usize = 1 << 29;

/// Bytes of a node in a frame.
const BYTES_PER_NODE: usize = 36;

/// What a scene says of its time, s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// When it ends.
    pub(super) until: f64,
    /// Between frames that are kept.
    pub(super) every: f64,
}

/// What the simulation's thread tells the window's.
#[derive(Default)]
struct News {
    /// Frames to look back at.
    kept: Vec<Frame>,
    /// The last step, if it is not among them.
    latest: Option<Frame>,
    /// Steps that the window has not taken over yet.
    steps: Vec<StepRow>,
    /// Whether those before them belong to an earlier start.
    is_new_start: bool,
    /// Changes of any of it.
    changes: u64,
    remark: String,
    failure: Option<SimulationError>,
}

/// The window's end of a simulation.
pub(super) struct LiveFrames {
    news: Arc<Mutex<News>>,
    seen: u64,
    steps: Vec<StepRow>,
    commands: Sender<Command>,
    tuning: Tuning,
    clamps: Vec<String>,
    file: SceneFile,
}

impl LiveFrames {
    /// Starts to simulate; it ends when this is dropped, after the step that it is at.
    pub(super) fn start(setup: Setup, times: Times, file: &Path) -> Result<Self, SceneError> {
        let (commands, received) = channel();
        let tuning = Tuning::of(&setup);
        let simulation = Simulation::new(tuning.apply(&setup));
        let news = Arc::new(Mutex::new(News { kept: vec![simulation.frame()], ..News::default() }));
        let clamps = setup.clamps.iter().map(|(clamp, _)| clamp.name.clone()).collect();
        let live = Self {
            news: Arc::clone(&news),
            seen: 0,
            steps: Vec::new(),
            commands,
            tuning: tuning.clone(),
            clamps,
            file: SceneFile::read(file)?,
        };
        let worker =
            Worker { setup, simulation, tuning, times, news, pull: None, is_running: true, ends: true };
        thread::spawn(move || worker.work(&received));
        Ok(live)
    }

    /// Why the simulation could not go on, if it could not.
    pub(super) fn failure(&self) -> Option<SimulationError> {
        lock(&self.news).failure.clone()
    }
}

impl Frames for LiveFrames {
    fn count(&self) -> usize {
        let news = lock(&self.news);
        news.kept.len() + usize::from(news.latest.is_some())
    }

    fn frame(&mut self, index: usize) -> Result<Frame, String> {
        let news = lock(&self.news);
        let found = news.kept.get(index).or(news.latest.as_ref()).or(news.kept.last());
        found.cloned().ok_or_else(|| "it is not simulated yet".into())
    }

    fn refresh(&mut self) -> Result<bool, String> {
        let mut news = lock(&self.news);
        if news.changes == self.seen {
            return Ok(false);
        }
        self.seen = news.changes;
        if std::mem::take(&mut news.is_new_start) {
            self.steps.clear();
        }
        self.steps.append(&mut news.steps);
        Ok(true)
    }

    fn steps(&self) -> &[StepRow] {
        &self.steps
    }

    fn live(&self) -> Option<&dyn Live> {
        Some(self)
    }

    fn save_camera(&mut self, camera: &Camera) -> Result<String, String> {
        self.file.save_camera(camera).map_err(|error| error.to_string())?;
        Ok(format!("the camera is in {}", self.file.path().display()))
    }
}

impl Live for LiveFrames {
    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn clamps(&self) -> &[String] {
        &self.clamps
    }

    fn send(&self, command: Command) {
        // Nobody listens when the simulation's thread has ended: then there is nothing to be done.
        drop(self.commands.send(command));
    }

    fn remark(&self) -> String {
        lock(&self.news).remark.clone()
    }
}

/// The simulation's end.
struct Worker {
    setup: Setup,
    simulation: Simulation,
    tuning: Tuning,
    times: Times,
    news: Arc<Mutex<News>>,
    pull: Option<Pull>,
    is_running: bool,
    /// Whether the scene's end is one.
    ends: bool,
}

impl Worker {
    /// Steps and obeys until nobody looks.
    fn work(mut self, commands: &Receiver<Command>) {
        loop {
            let first =
                if self.is_running { commands.try_recv() } else { commands.recv().map_err(Into::into) };
            match first {
                Err(TryRecvError::Disconnected) => return,
                Err(TryRecvError::Empty) => {}
                Ok(command) => self.obey_all(std::iter::once(command).chain(commands.try_iter())),
            }
            if self.is_running {
                self.step();
            }
        }
    }

    /// Of many turns of the same knob only the last one counts.
    fn obey_all(&mut self, commands: impl Iterator<Item = Command>) {
        let mut tuning = None;
        for command in commands {
            match command {
                Command::Run(on) => self.run(on),
                Command::Step => {
                    self.step();
                    self.is_running = false;
                }
                Command::Tune(new) => tuning = Some(new),
                Command::Restart(new) => {
                    tuning = None;
                    self.restart(new);
                }
                Command::Grab(pull) => {
                    self.pull = pull;
                    self.simulation.let_go();
                }
            }
        }
        if let Some(new) = tuning {
            self.tune(new);
        }
    }

    fn run(&mut self, on: bool) {
        self.is_running = on;
        if on && self.has_ended() {
            self.ends = false;
            lock(&self.news).remark.clear();
        }
    }

    fn has_ended(&self) -> bool {
        self.ends && has_reached(self.simulation.time(), self.times.until)
    }

    fn tune(&mut self, tuning: Tuning) {
        match self.simulation.tune(&self.setup, &tuning) {
            Ok(()) => self.tuning = tuning,
            Err(error) => self.stop(error.to_string(), None),
        }
    }

    fn restart(&mut self, tuning: Tuning) {
        self.simulation = Simulation::new(tuning.apply(&self.setup));
        (self.tuning, self.pull, self.is_running, self.ends) = (tuning, None, true, true);
        let mut news = lock(&self.news);
        let changes = news.changes + 1;
        *news = News { kept: vec![self.simulation.frame()], is_new_start: true, changes, ..News::default() };
    }

    fn step(&mut self) {
        if self.has_ended() {
            let text = format!("the scene ends at {} s: pause and play to go on", self.times.until);
            return self.stop(text, None);
        }
        if let Some(Pull { rod, arc, target, strength }) = self.pull {
            let stiffness = strength * self.simulation.grab_stiffness();
            self.simulation.grab(RodId(rod), arc, Vec3::from(target), stiffness);
        }
        match self.simulation.step() {
            Ok(report) => self.publish(StepRow::from(&report)),
            Err(error) => self.stop(error.to_string(), Some(error)),
        }
    }

    fn publish(&mut self, row: StepRow) {
        let frame = self.simulation.frame();
        let mut news = lock(&self.news);
        news.changes += 1;
        news.steps.push(row);
        let last = news.kept.last().map_or(f64::NEG_INFINITY, |kept| kept.time);
        if !has_reached(frame.time, last + self.times.every) {
            news.latest = Some(frame);
            return;
        }
        let bytes = BYTES_PER_NODE * frame.position.len() * news.kept.len();
        news.kept.push(frame);
        news.latest = None;
        if bytes > MOST_BYTES {
            let mut index = 0;
            news.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.times.every *= 2.0;
        }
    }

    fn stop(&mut self, remark: String, failure: Option<SimulationError>) {
        self.is_running = false;
        let mut news = lock(&self.news);
        news.changes += 1;
        (news.remark, news.failure) = (remark, failure);
    }
}

fn lock(news: &Mutex<News>) -> MutexGuard<'_, News> {
    news.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
