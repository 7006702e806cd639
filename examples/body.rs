//! cargo run --release --example body
//!
//! Makes the body of scenes/garment_stvk.ron: nine meshes of a torso that turns to and fro while it lifts its
//! shoulders, written to `scenes/body`.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::Path;

/// Height above the ground and radius of the torso, m, from the hips to the head.
const PROFILE: [[f64; 2]; 12] = [
    [0.00, 0.145],
    [0.08, 0.160],
    [0.18, 0.140],
    [0.28, 0.120],
    [0.38, 0.135],
    [0.46, 0.150],
    [0.52, 0.135],
    [0.56, 0.085],
    [0.60, 0.060],
    [0.65, 0.075],
    [0.72, 0.085],
    [0.80, 0.055],
];
const AROUND: usize = 28;
const FRAMES: usize = 9;

/// A point of the torso at a moment from 0 to 1.
fn point(ring: usize, k: usize, moment: f64) -> [f64; 3] {
    let [z, radius] = PROFILE[ring];
    // Lifted shoulders are higher and wider.
    let shoulder = (-((z - 0.50) / 0.07).powi(2)).exp() * (0.5 - 0.5 * (TAU * moment).cos());
    let around = TAU * k as f64 / AROUND as f64;
    let (x, y) = (radius * (1.25 + 0.25 * shoulder) * around.cos(), radius * 0.8 * around.sin());
    // The torso turns more the higher it is; the hips stay.
    let (sine, cosine) = (0.9 * (TAU * moment).sin() * (z / 0.56).min(1.0)).sin_cos();
    [x * cosine - y * sine, x * sine + y * cosine, z + 0.05 * shoulder]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("scenes/body");
    std::fs::create_dir_all(folder)?;
    let rings = PROFILE.len();
    for frame in 0..FRAMES {
        let moment = frame as f64 / (FRAMES - 1) as f64;
        let mut text = format!("OFF\n{} {} 0\n", rings * AROUND + 2, 2 * rings * AROUND);
        for (ring, k) in (0..rings).flat_map(|ring| (0..AROUND).map(move |k| (ring, k))) {
            let [x, y, z] = point(ring, k, moment);
            writeln!(text, "{x:.4} {y:.4} {z:.4}")?;
        }
        writeln!(text, "0 0 -0.03\n0 0 0.84")?;
        let (bottom, top) = (rings * AROUND, rings * AROUND + 1);
        for k in 0..AROUND {
            let next = (k + 1) % AROUND;
            writeln!(text, "3 {next} {k} {bottom}")?;
            writeln!(text, "3 {} {} {top}", (rings - 1) * AROUND + k, (rings - 1) * AROUND + next)?;
            for ring in 0..rings - 1 {
                let (a, b) = (ring * AROUND + k, ring * AROUND + next);
                writeln!(text, "3 {a} {b} {}\n3 {a} {} {}", b + AROUND, b + AROUND, a + AROUND)?;
            }
        }
        std::fs::write(folder.join(format!("body_{frame}.off")), text)?;
    }
    println!("{FRAMES} meshes in {}", folder.display());
    Ok(())
}
