//! A screen in memory (Xvfb) with a real mouse and keyboard (xdotool).

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hebra::draw::Image;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Set where a missing screen is a failure, and not a reason to leave the tests out.
const REQUIRED: &str = "HEBRA_NEEDS_SCREEN";

/// A screen.
pub(crate) struct Screen {
    server: Child,
    display: String,
    memory: tempfile::TempDir,
}

/// A program with a window on a screen.
pub(crate) struct Program<'a> {
    screen: &'a Screen,
    child: Child,
    window: String,
}

impl Screen {
    /// A screen of a size; none, with a word, where it cannot be had.
    pub(crate) fn open(size: [u32; 2]) -> Option<Self> {
        for tool in ["Xvfb", "xdotool"] {
            if Command::new(tool)
                .arg("-version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_err()
            {
                assert!(std::env::var_os(REQUIRED).is_none(), "{tool} is not installed");
                eprintln!("left out: {tool} is not installed");
                return None;
            }
        }
        let memory = tempfile::tempdir().unwrap();
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0"]);
        command.arg(format!("{}x{}x24", size[0], size[1])).arg("-fbdir").arg(memory.path());
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Some(Self { server, display: format!(":{}", number.trim()), memory })
    }

    /// Starts a program in a folder and waits for its window.
    pub(crate) fn start(&self, folder: &Path, program: &str, arguments: &[&str]) -> Program<'_> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(folder)
            .env("DISPLAY", &self.display)
            .env_remove("WAYLAND_DISPLAY");
        let errors = fs::File::create(folder.join("errors.txt")).unwrap();
        let mut child = command.stdout(Stdio::null()).stderr(errors).spawn().unwrap();
        let window = wait_for("a window", || {
            assert!(child.try_wait().unwrap().is_none(), "{}", errors_in(folder));
            let found = self.ask(&["search", "--onlyvisible", "--name", "."]);
            found.lines().next().map(str::to_owned)
        });
        self.ask(&["windowfocus", "--sync", &window]);
        Program { screen: self, child, window }
    }

    /// What there is to see: the screen's memory, in the format of xwd.
    pub(crate) fn look(&self) -> Image {
        let bytes = fs::read(self.memory.path().join("Xvfb_screen0")).unwrap();
        let number = |k: usize| u32::from_be_bytes(bytes[4 * k..4 * k + 4].try_into().unwrap()) as usize;
        let (header, width, height, bits, row, colours) =
            (number(0), number(4), number(5), number(11), number(12), number(19));
        assert_eq!(bits, 32, "bits of a pixel");
        let start = header + 12 * colours;
        let rows = (0..height).flat_map(|y| bytes[start + y * row..][..4 * width].chunks_exact(4));
        let rgb = rows.flat_map(|pixel| [pixel[2], pixel[1], pixel[0]]).collect();
        Image { width: width as u32, height: height as u32, rgb }
    }

    fn ask(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.display).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

impl Program<'_> {
    /// Presses keys by their names in X.
    pub(crate) fn press(&self, keys: &[&str]) {
        for key in keys {
            self.screen.ask(&["key", key]);
        }
    }

    /// Moves the mouse with a button down, and keys held if there are any.
    pub(crate) fn drag(&self, button: &str, from: [i32; 2], to: [i32; 2], held: Option<&str>) {
        self.take(button, from, to, held);
        self.let_go(button, held);
    }

    /// Moves the mouse with a button down and leaves it so.
    pub(crate) fn take(&self, button: &str, from: [i32; 2], to: [i32; 2], held: Option<&str>) {
        self.point(from);
        pause();
        held.iter().for_each(|key| drop(self.screen.ask(&["keydown", key])));
        self.screen.ask(&["mousedown", button]);
        pause();
        for k in 1..=10 {
            self.point([0, 1].map(|i| from[i] + (to[i] - from[i]) * k / 10));
            std::thread::sleep(Duration::from_millis(20));
        }
        pause();
    }

    /// Lets a button and keys go.
    pub(crate) fn let_go(&self, button: &str, held: Option<&str>) {
        self.screen.ask(&["mouseup", button]);
        held.iter().for_each(|key| drop(self.screen.ask(&["keyup", key])));
        pause();
    }

    /// Clicks.
    pub(crate) fn click(&self, button: &str, times: usize) {
        (0..times).for_each(|_| drop(self.screen.ask(&["click", button])));
        pause();
    }

    /// Moves the mouse.
    pub(crate) fn point(&self, [x, y]: [i32; 2]) {
        self.screen.ask(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Changes the window's size.
    pub(crate) fn resize(&self, [width, height]: [u32; 2]) {
        self.screen.ask(&["windowsize", &self.window, &width.to_string(), &height.to_string()]);
        pause();
    }

    /// The window's title.
    pub(crate) fn title(&self) -> String {
        self.screen.ask(&["getwindowname", &self.window])
    }

    /// The simulated step in the window's title.
    pub(crate) fn step(&self) -> Option<u64> {
        self.title().split_once("step ")?.1.split(',').next()?.parse().ok()
    }

    /// Whether it still runs.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for it to end by itself; its status.
    pub(crate) fn end(&mut self) -> Option<i32> {
        wait_for("the program to end", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What a program complained of.
pub(crate) fn errors_in(folder: &Path) -> String {
    fs::read_to_string(folder.join("errors.txt")).unwrap_or_default()
}

/// Waits for something to come.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Long enough for a window to see that something happened.
fn pause() {
    std::thread::sleep(Duration::from_millis(150));
}
