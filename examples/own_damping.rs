//! cargo run --release --example own_damping
//!
//! A mass on a spring with a damping of one's own: dry friction of the strain, nearly the same stress at any
//! rate. Prints how the swing along the spring ends within a finite time while the mass goes on round.

#![allow(clippy::print_stdout, reason = "an example prints what it finds")]

use std::error::Error;

use hebra::potential::dissipation::{self, Dissipation};
use hebra::potential::family::{Family, Stencils};
use hebra::potential::material::Material;
use hebra::potential::strain::Density;
use hebra::potential::stretch::Stretch;
use hebra::potential::term::EnergyKind;
use hebra::prelude::*;

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
    let (density, radius, stretch) = (Some(150.0), Some(0.056_418_958), Some(1e4));
    let rod = Rod { velocity: [0.0, 20.0, 0.0], ..Rod::line([0.0; 3], [2.0, 0.0, 0.0], 1) };
    let mut scene = Scene::default()
        .with_rod(rod.named("spring").of("spring"))
        .with_material("spring", YarnMaterial { density, radius, stretch, ..YarnMaterial::default() })
        .with_clamp(Clamp::of(Selection::rod_start("spring")));
    scene.forces.gravity = [0.0; 3];
    scene.damping.kind = DampingKind::None;
    scene.solver.scheme = Scheme::Newmark;
    (scene.solver.residual, scene.solver.correction) = (Some(1e-6), Some(1e-9));
    let simulation = scene.build()?;
    // The spring's own strain without a stiffness, with the damping alone: `x, y, z, u` of both ends.
    let ends = [0, 1].map(|k| simulation.model().nodes[k].dofs());
    let stencils = Stencils::new(vec![std::array::from_fn(|i| ends[i / 4][i % 4])], [0, 0, 0, 0, 1, 1, 1, 1]);
    let law = dissipation::Damping::StrainRate(Box::new(Dry { stress: 5.0, slow: 0.01 }));
    let material = Material::new(Stretch, vec![0.0], law);
    let dry = Family::new("dry", EnergyKind::Elastic, stencils, material);
    simulation.with_potential(dry).run_until(10.0, |_, report| {
        let e = report.energies;
        if report.step % 500 == 0 {
            println!("{:5.1} s: kinetic {:8.3} J, dissipated {:8.3} J", report.time, e.kinetic, e.dissipated);
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}
