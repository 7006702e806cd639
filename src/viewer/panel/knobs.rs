//! What may be turned while a scene is simulated.

use kiss3d::egui::{Slider, Ui};

use crate::simulation::tuning::{Factors, Tuning};
use crate::viewer::source::Live;

/// Factors on stiffness and friction, and on damping, at most and at least.
const STIFFER: [f64; 2] = [0.01, 100.0];
const DAMPED: [f64; 2] = [0.0, 1000.0];

/// Width of the knobs, points of the window.
const SLIDER: f32 = 110.0;

/// Shows the knobs; whether the simulation is to start again.
pub(super) fn knobs(ui: &mut Ui, tuning: &mut Tuning, strength: &mut f64, live: &dyn Live) -> bool {
    ui.spacing_mut().slider_width = SLIDER;
    let mut again = false;
    ui.horizontal(|ui| {
        again = ui.button("restart").clicked();
        if ui.button("scene's own values").clicked() {
            *tuning = Tuning { released: tuning.released.clone(), ..live.tuning().clone() };
        }
    });
    vector(ui, "gravity, m/s2", &mut tuning.gravity, 20.0);
    vector(ui, "wind, m/s", &mut tuning.wind.velocity, 20.0);
    slider(ui, "air, kg/m3", &mut tuning.wind.density, [0.0, 2.0], false);
    slider(ui, "gusts", &mut tuning.wind.gust, [0.0, 1.0], false);
    ui.label("stiffness, times the scene's");
    factors(ui, &mut tuning.stiffness, STIFFER);
    ui.label("damping, times the scene's");
    factors(ui, &mut tuning.damping, DAMPED);
    slider(ui, "friction", &mut tuning.friction, STIFFER, true);
    slider(ui, "pull of the mouse", strength, STIFFER, true);
    for (released, name) in tuning.released.iter_mut().zip(live.clamps()) {
        // A clamp that took hold again would throw its nodes to where it leads them: only a restart does.
        let was = *released;
        ui.add_enabled_ui(!was, |ui| ui.checkbox(released, format!("release {name}")));
    }
    again
}

fn factors(ui: &mut Ui, factors: &mut Factors, range: [f64; 2]) {
    slider(ui, "stretch", &mut factors.stretch, range, true);
    slider(ui, "bending", &mut factors.bending, range, true);
    slider(ui, "shear", &mut factors.shear, range, true);
    slider(ui, "contact", &mut factors.contact, range, true);
}

fn slider(ui: &mut Ui, name: &str, value: &mut f64, [low, high]: [f64; 2], logarithmic: bool) {
    ui.add(Slider::new(value, low..=high).logarithmic(logarithmic).smallest_positive(1e-2).text(name));
}

fn vector(ui: &mut Ui, name: &str, value: &mut [f64; 3], size: f64) {
    ui.label(name);
    for (name, component) in ["x", "y", "z"].into_iter().zip(value) {
        slider(ui, name, component, [-size, size], false);
    }
}

#[cfg(test)]
mod tests;
