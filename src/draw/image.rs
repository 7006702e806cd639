//! Pictures and their files.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// A picture, sRGB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green and blue of each pixel, row by row from the upper left.
    pub rgb: Vec<u8>,
}

/// A picture that cannot be written.
#[derive(Debug, Error)]
pub enum ImageError {
    /// The file cannot be made.
    #[error("cannot write the picture {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The picture is not one.
    #[error("cannot encode the picture {path} of {width} x {height} pixels: {source}")]
    Encoding {
        /// The file.
        path: PathBuf,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// What the encoder says.
        source: png::EncodingError,
    },
}

/// Writes a picture as a PNG file.
///
/// # Errors
/// [`ImageError`] if the file cannot be made or the picture has no pixels.
pub fn write_png(path: &Path, image: &Image) -> Result<(), ImageError> {
    let io = |source| ImageError::Io { path: path.to_owned(), source };
    let file = std::io::BufWriter::new(std::fs::File::create(path).map_err(io)?);
    encode(file, image).map_err(|source| ImageError::encoding(path, image, source))
}

/// A picture as the bytes of a PNG file.
///
/// # Errors
/// [`ImageError::Encoding`] if the picture has no pixels.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, ImageError> {
    let mut bytes = Vec::new();
    encode(&mut bytes, image)
        .map_err(|source| ImageError::encoding(Path::new("in memory"), image, source))?;
    Ok(bytes)
}

fn encode(out: impl std::io::Write, image: &Image) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgb)?;
    writer.finish()
}

impl ImageError {
    fn encoding(path: &Path, image: &Image, source: png::EncodingError) -> Self {
        Self::Encoding { path: path.to_owned(), width: image.width, height: image.height, source }
    }
}

/// The sRGB bytes of linear brightnesses at equal steps from 0 to 1: a thousand roots are quicker than one
/// for each pixel.
pub(crate) struct SrgbTable(Vec<u8>);

impl SrgbTable {
    /// Steps: fine enough for the darkest of them to be less than a byte apart.
    const STEPS: usize = 4096;

    /// The table.
    pub(crate) fn new() -> Self {
        Self((0..=Self::STEPS).map(|k| to_srgb(k as f32 / Self::STEPS as f32)).collect())
    }

    /// The byte of a linear brightness, 0 to 1.
    pub(crate) fn byte(&self, linear: f32) -> u8 {
        self.0[(linear.clamp(0.0, 1.0) * Self::STEPS as f32 + 0.5) as usize]
    }
}

/// A linear brightness, 0 to 1, as an sRGB byte (IEC 61966-2-1).
pub(crate) fn to_srgb(linear: f32) -> u8 {
    let c = linear.clamp(0.0, 1.0);
    let encoded = if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

/// An sRGB byte as a linear brightness, 0 to 1.
pub(crate) fn from_srgb(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}
