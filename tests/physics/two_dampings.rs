//! Which coefficient of damping decides what: that of stretch in hanging, that of bending in flapping.

use std::path::Path;

use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

/// Kinetic energy step by step of a scene with eleven yarns each way in place of its own, as large as before.
fn kinetic(scene: &str, settings: &[&str]) -> Vec<f64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let mut source = Source::read(&path).unwrap();
    let smaller = ["warp", "weft"]
        .map(|t| [format!("fabrics[0].{t}.count=11"), format!("fabrics[0].{t}.spacing=1e-2")]);
    smaller.as_flattened().iter().for_each(|s| source.set(s).unwrap());
    settings.iter().for_each(|s| source.set(s).unwrap());
    let scene = parse(&source).unwrap();
    let mut simulation = build(&scene).map_err(|p| source.locate(&p).to_string()).unwrap().simulation;
    let mut out = Vec::new();
    while simulation.time() < 0.4 {
        out.push(simulation.step().unwrap().energies.kinetic);
    }
    out
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, f64::max)
}

/// Largest difference of two runs over the peak of the first.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| (a - b).abs())) / largest(a.iter().copied())
}

#[test]
fn stretch_decides_hanging_and_bending_decides_flapping() {
    let [hanging, flapping] = ["hanging.ron", "flapping.ron"].map(|scene| {
        let own = kinetic(scene, &[]);
        let tenfold = |setting: &str| apart(&own, &kinetic(scene, &[setting]));
        let coefficients = if scene == "hanging.ron" {
            ["damping.stretch=0.05", "damping.bending=0.05"]
        } else {
            ["damping.stretch=0.01", "damping.bending=0.05"]
        };
        coefficients.map(tenfold)
    });
    println!(
        "ten times the damping of stretch and of bending: hanging {hanging:.4?}, flapping {flapping:.4?}"
    );
    assert!(hanging[0] > 0.2 && hanging[1] < 0.03, "{hanging:?}");
    // With as few yarns as here there is little to bend: of 41 each way it is a tenth.
    assert!(flapping[1] > 0.01 && flapping[0] < 0.003, "{flapping:?}");
}
