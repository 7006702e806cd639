//! How a picture looks: options that several commands share.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::error::CliError;
use crate::draw::{ColourMode, Overlay, colour};
use crate::record::reader::RecordReader;

/// How a picture looks.
#[derive(Debug, Clone, Args)]
pub(super) struct LookArgs {
    /// Pixels across and down.
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size)]
    pub(super) size: [u32; 2],
    /// What the colours of the yarns mean.
    #[arg(long, value_name = "MODE", default_value = "yarn", value_parser = colours())]
    pub(super) colour: ColourMode,
    /// Show more than the yarns.
    #[arg(long, value_name = "WHAT,...", value_delimiter = ',', value_parser = named(&Overlay::ALL))]
    pub(super) overlay: Vec<Overlay>,
}

impl Default for LookArgs {
    fn default() -> Self {
        Self { size: [1280, 720], colour: ColourMode::Yarn, overlay: Vec::new() }
    }
}

impl LookArgs {
    /// One range of colours for some frames; none if the colours are no values.
    pub(super) fn range(
        &self,
        record: &mut RecordReader,
        frames: impl IntoIterator<Item = usize>,
    ) -> Result<Option<[f32; 2]>, CliError> {
        if self.colour.title().is_none() {
            return Ok(None);
        }
        let mut size: f32 = 0.0;
        for index in frames {
            size = size.max(colour::size(&record.frame(index)?, self.colour));
        }
        Ok(Some(self.colour.range(size)))
    }
}

/// The index of frame `n` of `count`, counted from the end if it is negative.
pub(super) fn frame_index(n: i64, count: usize) -> Result<usize, CliError> {
    let from_start = if n < 0 { n.saturating_add(count as i64) } else { n };
    let found = usize::try_from(from_start).ok().filter(|&i| i < count);
    found.ok_or_else(|| {
        let last = count.saturating_sub(1);
        CliError::Usage(format!(
            "there is no frame {n}: the record has {count}, 0 to {last}, or -1 to -{count} from the end"
        ))
    })
}

fn colours() -> impl TypedValueParser<Value = ColourMode> {
    named(&ColourMode::ALL)
}

/// One of a table's names, as the value that it stands for.
pub(super) fn named<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let names = PossibleValuesParser::new(table.iter().map(|(name, _)| *name));
    // The parser lets nothing through but these names.
    names.map(|text| table.iter().find(|(name, _)| *name == text).unwrap_or(&table[0]).1)
}

/// `WxH`, from 16 to 16384 pixels each.
pub(super) fn size(text: &str) -> Result<[u32; 2], String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let is_drawable = |s: &[u32; 2]| s.iter().all(|n| (16..=16384).contains(n));
    parts
        .filter(is_drawable)
        .ok_or_else(|| "expected WxH, as in 1280x720, from 16 to 16384 pixels each".into())
}
