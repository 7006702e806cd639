//! Whether there is a screen to open a window on: winit ends the program where there is none.

use super::ViewerError;

/// Asks the screen that the environment names.
#[cfg(target_os = "linux")]
pub(super) fn check() -> Result<(), ViewerError> {
    use std::path::Path;

    let value = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let refused = |name: &str, reason: String| ViewerError::NoAnswer { display: name.into(), reason };
    if let Some(name) = value("WAYLAND_DISPLAY") {
        // An absolute name, or one in the folder of what runs.
        let folder = value("XDG_RUNTIME_DIR").unwrap_or_default();
        let socket = std::os::unix::net::UnixStream::connect(Path::new(&folder).join(&name));
        return socket.map(drop).map_err(|error| refused(&name, error.to_string()));
    }
    let Some(name) = value("DISPLAY") else { return Err(ViewerError::NoDisplay) };
    x11rb::connect(None).map(drop).map_err(|error| refused(&name, error.to_string()))
}

/// Elsewhere the system has one.
#[cfg(not(target_os = "linux"))]
pub(super) fn check() -> Result<(), ViewerError> {
    Ok(())
}
