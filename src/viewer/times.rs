//! How long a picture takes, part by part.

/// Seconds of the parts of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Times {
    /// Reading the frame.
    pub read: f64,
    /// Making its meshes.
    pub mesh: f64,
    /// Sending them to the graphics card.
    pub upload: f64,
    /// Drawing them, the panel included, until the window shows them.
    pub draw: f64,
}

/// Share of a new picture in the mean.
const NEW_SHARE: f64 = 0.2;

impl Times {
    /// Takes over the parts that were measured, those above zero, into a sliding mean.
    pub(super) fn mix(&mut self, new: &Self) {
        let parts = [
            (&mut self.read, new.read),
            (&mut self.mesh, new.mesh),
            (&mut self.upload, new.upload),
            (&mut self.draw, new.draw),
        ];
        for (mean, new) in parts.into_iter().filter(|(_, new)| *new > 0.0) {
            *mean = if *mean == 0.0 { new } else { *mean + NEW_SHARE * (new - *mean) };
        }
    }
}
