//! Binary curve collections, as of [Cem Yuksel's yarn-level cloth
//! models](http://www.cemyuksel.com/research/yarnmodels/).
//!
//! ```text
//! header  "BCC" 0x44 "C0"  dimensions u8 = 3  up axis u8 = 2  curves u64  points u64  remark [40 bytes]
//! curve   points i32, negative for a closed curve; then x y z f32 each
//! ```
//!
//! Little-endian; 0x44 stands for integers and floats of four bytes, "C0" for uniform Catmull-Rom splines.

use std::io::{self, Write};

use super::strand::strands;
use super::{Feature, Format, Shot};

/// Binary curve collections.
pub(super) const FORMAT: Format = Format {
    name: "bcc",
    about: "curves in a binary curve collection; a .bcc a frame",
    features: &[Feature::Smooth],
    open: |target| Ok(Box::new(target.each("bcc", write))),
};

/// Bytes of the remark.
const REMARK: usize = 40;

fn write(shot: &Shot<'_>, out: &mut dyn Write) -> io::Result<()> {
    let strands = strands(shot.frame, shot.options.pieces());
    let n_points: usize = strands.iter().map(|s| s.places.len()).sum();
    out.write_all(b"BCC\x44C0\x03\x02")?;
    out.write_all(&(strands.len() as u64).to_le_bytes())?;
    out.write_all(&(n_points as u64).to_le_bytes())?;
    out.write_all(&remark(&format!("hebra, m, step {}, {} s", shot.frame.step, shot.frame.time)))?;
    for strand in &strands {
        let count = i32::try_from(strand.places.len()).map_err(io::Error::other)?;
        out.write_all(&count.to_le_bytes())?;
        for x in strand.places.iter().flat_map(|p| p.position.data.0[0]) {
            out.write_all(&x.to_le_bytes())?;
        }
    }
    Ok(())
}

/// The beginning of a text, filled up with zeros.
fn remark(text: &str) -> [u8; REMARK] {
    let mut remark = [0; REMARK];
    for (byte, c) in remark.iter_mut().zip(text.bytes()) {
        *byte = c;
    }
    remark
}
