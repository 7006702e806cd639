//! Pictures of compared runs at equal times.

use std::path::Path;

use clap::Args;

use super::error::CliError;
use super::frames::open;
use super::look::size;
use crate::compare::case::{Case, Picture};
use crate::draw::{RenderOptions, camera, encode_png, render};
use crate::frame::Frame;

/// How many pictures, and how large.
#[derive(Debug, Clone, Args)]
pub(super) struct Strip {
    /// Pictures of each run, at equal times.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=50))]
    pictures: u32,
    /// Pixels of each picture across and down.
    #[arg(long, value_name = "WxH", default_value = "320x240", value_parser = size)]
    picture_size: [u32; 2],
}

/// Draws the frames nearest to equal times of every run, all from the same place.
pub(super) fn add_pictures(strip: &Strip, folders: &[&Path], cases: &mut [Case]) -> Result<(), CliError> {
    let mut frames: Vec<Vec<Frame>> = Vec::with_capacity(folders.len());
    for folder in folders {
        let mut record = open(folder)?;
        let moments = record.equal_times(strip.pictures as usize);
        frames.push(moments.into_iter().map(|k| record.frame(k)).collect::<Result<_, _>>()?);
    }
    let [width, height] = strip.picture_size;
    let all: Vec<&Frame> = frames.iter().flatten().collect();
    if all.is_empty() {
        return Ok(());
    }
    let camera = Some(camera::fit(&all, f64::from(width) / f64::from(height)));
    let options = RenderOptions { width, height, camera, legend: false, ..RenderOptions::default() };
    for (case, frames) in cases.iter_mut().zip(&frames) {
        for frame in frames {
            let png = encode_png(&render(frame, &options))?;
            case.pictures.push(Picture { time: frame.time, png });
        }
    }
    Ok(())
}
