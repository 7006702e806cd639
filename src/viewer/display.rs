//! Whether there is a screen to open a window on: winit ends the program where there is none.

use super::ViewerError;

/// A screen that has answered. Hold it until the window is open: one without users may start anew.
#[derive(Debug)]
pub(super) struct Display {
    #[cfg(target_os = "linux")]
    _connection: Option<x11rb::rust_connection::RustConnection>,
}

/// Elsewhere the system has a screen.
#[cfg(not(target_os = "linux"))]
pub(super) fn ask() -> Result<Display, ViewerError> {
    Ok(Display {})
}

/// Asks the screen that the environment names.
#[cfg(target_os = "linux")]
pub(super) fn ask() -> Result<Display, ViewerError> {
    let value = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let no_answer = |name: &str, reason: String| ViewerError::NoAnswer { display: name.into(), reason };
    if let Some(name) = value("WAYLAND_DISPLAY") {
        // An absolute name, or one in the folder of what runs.
        let folder = std::path::PathBuf::from(value("XDG_RUNTIME_DIR").unwrap_or_default());
        let socket = std::os::unix::net::UnixStream::connect(folder.join(&name));
        socket.map_err(|error| no_answer(&name, error.to_string()))?;
        return Ok(Display { _connection: None });
    }
    let Some(name) = value("DISPLAY") else { return Err(ViewerError::NoDisplay) };
    let connection = connect().map_err(|error| no_answer(&name, error.to_string()))?;
    Ok(Display { _connection: Some(connection) })
}

/// Connects to an X server; one that has just lost its last user answers again after a moment.
#[cfg(target_os = "linux")]
fn connect() -> Result<x11rb::rust_connection::RustConnection, x11rb::errors::ConnectError> {
    const TRIES: usize = 5;
    const MOMENT: std::time::Duration = std::time::Duration::from_millis(200);
    let again = |_| {
        std::thread::sleep(MOMENT);
        x11rb::connect(None)
    };
    let first = x11rb::connect(None);
    let found = (1..TRIES).fold(first, |found, _| found.or_else(again));
    found.map(|(connection, _)| connection)
}
