//! cargo run --release --example own_damping
//!
//! A mass on a spring with a damping of one's own: dry friction of the strain, nearly the same stress at any
//! rate. Prints how the swing along the spring ends within a finite time while the mass goes on round.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;
use std::path::Path;

use hebra::potential::dissipation::{Damping, Dissipation};
use hebra::potential::family::Family;
use hebra::potential::material::Material;
use hebra::potential::strain::Density;
use hebra::potential::stretch::Stretch;
use hebra::potential::term::{EnergyKind, Potential};
use hebra::scene::build::set_up;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;
use hebra::simulation::Simulation;

/// `Psi_d = s sqrt(r^2 + r0^2)`: a stress `s`, N, but for rates below `r0`, 1/s.
#[derive(Debug)]
struct Dry {
    stress: f64,
    slow: f64,
}

impl Dissipation<1> for Dry {
    fn density(&self, _element: usize, rate: &[f64; 1]) -> Density<1> {
        let size = rate[0].hypot(self.slow);
        Density::scalar([
            self.stress * size,
            self.stress * rate[0] / size,
            self.stress * self.slow * self.slow / size.powi(3),
        ])
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let source = Source::read(Path::new("scenes/spring.ron"))?;
    let mut scene = parse(&source)?;
    scene.damping.stretch = Some(0.0);
    let (setup, _) = set_up(&scene).map_err(|problems| source.locate(&problems))?;
    // The spring's own strain without a stiffness, with the damping alone: `x, y, z, u` of both ends.
    let ends = [0, 1].map(|k| setup.model.nodes[k].dofs());
    let dofs: [u32; 8] = std::array::from_fn(|i| ends[i / 4][i % 4]);
    let law = Damping::StrainRate(Box::new(Dry { stress: 5.0, slow: 0.01 }));
    let material = Material::new(Stretch, vec![0.0], law);
    let family = Family::new(("dry", EnergyKind::Elastic), (vec![dofs], [0, 0, 0, 0, 1, 1, 1, 1]), material);
    let mut simulation = Simulation::with_potentials(setup, vec![Box::new(family) as Box<dyn Potential>]);
    while simulation.time() < scene.until {
        let report = simulation.step()?;
        if report.step % 500 == 0 {
            let e = report.energies;
            println!("{:5.1} s: kinetic {:8.3} J, dissipated {:8.3} J", report.time, e.kinetic, e.dissipated);
        }
    }
    Ok(())
}
