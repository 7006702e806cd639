//! The panel beside the yarns: what there is to read and to turn.

mod curves;
mod knobs;
mod marks;

use kiss3d::egui::{self, Align2, Context, Grid, RichText, ScrollArea, Slider, Ui};

use self::knobs::knobs;
pub(super) use self::marks::Marks;
use super::keys::{Action, help};
use super::look::Look;
use super::player::Player;
use super::source::Live;
use super::times::Times;
use crate::draw::{ColourMode, Overlay};
use crate::frame::Frame;
use crate::model::yarns::NodeKind;
use crate::record::steps::StepRow;
use crate::simulation::tuning::Tuning;

/// Points of the window that the panel is wide.
const WIDTH: f32 = 270.0;

/// Points of the window above and below what the panel holds.
const HEAD: f32 = 64.0;

/// Windows smaller than this have no room for it.
const SMALLEST: [f32; 2] = [420.0, 200.0];

/// What the user turns in the panel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Controls {
    /// What is shown.
    pub(super) look: Look,
    /// Whether the camera follows the yarns.
    pub(super) follow: bool,
    /// Whether the panel is open.
    pub(super) panel: bool,
    /// Whether the list of keys is.
    pub(super) help: bool,
    /// The simulation's parameters, if there is one.
    pub(super) tuning: Option<Tuning>,
    /// Factor on the pull of the mouse.
    pub(super) strength: f64,
    /// What is asked for by buttons.
    pub(super) asked: Vec<Action>,
    /// The frame asked for.
    pub(super) seek: Option<usize>,
}

/// What the panel tells.
pub(super) struct Facts<'a> {
    /// The frame shown.
    pub(super) frame: &'a Frame,
    /// Where it is among the others.
    pub(super) player: &'a Player,
    /// The steps so far.
    pub(super) steps: &'a [StepRow],
    /// How long pictures take.
    pub(super) times: Times,
    /// Pictures drawn in the last second.
    pub(super) rate: f64,
    /// The simulation, if there is one.
    pub(super) live: Option<&'a dyn Live>,
    /// The ends of the colours.
    pub(super) range: [f32; 2],
    /// What just happened.
    pub(super) notice: &'a str,
}

/// Draws the panel, the colours' meaning, the list of keys and what just happened.
pub(super) fn show(ctx: &Context, controls: &mut Controls, facts: &Facts<'_>, marks: &Marks) {
    marks.paint(ctx);
    let size = ctx.content_rect().size();
    if size.x < SMALLEST[0] || size.y < SMALLEST[1] {
        return;
    }
    curves::legend(ctx, controls.look.colour, facts.range, facts.frame);
    if controls.panel {
        let window = egui::Window::new(RichText::new("hebra").strong()).id("panel".into()).resizable(false);
        let place = window.anchor(Align2::RIGHT_TOP, [-8.0, 8.0]).default_width(WIDTH);
        place.show(ctx, |ui| {
            let room = size.y - HEAD;
            let area = ScrollArea::vertical().max_height(room).min_scrolled_height(room);
            area.show(ui, |ui| sections(ui, controls, facts))
        });
    }
    if controls.help {
        egui::Window::new("keys")
            .collapsible(false)
            .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
            .show(ctx, keys);
    }
    if !facts.notice.is_empty() {
        let area = egui::Area::new("notice".into()).anchor(Align2::LEFT_BOTTOM, [10.0, -10.0]);
        area.show(ctx, |ui| egui::Frame::popup(ui.style()).show(ui, |ui| ui.label(facts.notice)));
    }
}

fn sections(ui: &mut Ui, controls: &mut Controls, facts: &Facts<'_>) {
    ui.set_width(WIDTH);
    ui.set_max_width(WIDTH);
    playback(ui, controls, facts);
    ui.separator();
    statistics(ui, facts);
    let open = |name: &str, is_open: bool| egui::CollapsingHeader::new(name).default_open(is_open);
    if !facts.steps.is_empty() {
        open("energies", true).show(ui, |ui| curves::energies(ui, facts.steps, facts.frame.time));
    }
    open("look", true).show(ui, |ui| look(ui, controls, facts));
    if let (Some(tuning), Some(live)) = (&mut controls.tuning, facts.live) {
        let turned = open("simulation", true).show(ui, |ui| knobs(ui, tuning, &mut controls.strength, live));
        if turned.body_returned == Some(true) {
            controls.asked.push(Action::Restart);
        }
    }
    ui.separator();
    ui.horizontal(|ui| {
        for (text, action) in
            [("save picture", Action::Picture), ("save camera", Action::Camera), ("keys", Action::Help)]
        {
            if ui.button(text).clicked() {
                controls.asked.push(action);
            }
        }
    });
}

fn playback(ui: &mut Ui, controls: &mut Controls, facts: &Facts<'_>) {
    let player = facts.player;
    ui.horizontal(|ui| {
        let play = if player.is_playing() { "⏸" } else { "▶" };
        let buttons = [
            ("⏮", Action::First, "first frame"),
            ("◀", Action::Back, "a frame back"),
            (play, Action::Play, "play, pause"),
            ("⏵", Action::Forward, "a frame on"),
            ("⏭", Action::Last, "last frame"),
            ("−", Action::Speed(0.5), "half as fast"),
            ("+", Action::Speed(2.0), "twice as fast"),
        ];
        for (text, action, hint) in buttons {
            if ui.button(text).on_hover_text(hint).clicked() {
                controls.asked.push(action);
            }
        }
        ui.label(format!("x{}", player.speed()));
    });
    let last = player.last();
    let mut index = player.index();
    ui.spacing_mut().slider_width = WIDTH - 70.0;
    if ui
        .add(
            Slider::new(&mut index, 0..=last.max(1))
                .show_value(false)
                .text(format!("{}/{last}", player.index())),
        )
        .changed()
    {
        controls.seek = Some(index);
    }
    if let Some(remark) = facts.live.map(|live| live.remark()).filter(|text| !text.is_empty()) {
        ui.colored_label(ui.visuals().warn_fg_color, remark);
    }
}

fn statistics(ui: &mut Ui, facts: &Facts<'_>) {
    let frame = facts.frame;
    let at = facts.steps.partition_point(|row| row.step <= frame.step);
    let row = at.checked_sub(1).map(|i| facts.steps[i]);
    let count = |kind| frame.kind.iter().filter(|k| **k == kind).count();
    let mut rows =
        vec![("time".to_owned(), format!("{:.4} s", frame.time)), ("step".into(), frame.step.to_string())];
    if let Some(row) = row {
        rows.push(("step length".into(), format!("{:.2e} s", row.dt)));
        rows.push(("Newton iterations".into(), row.newton_iterations.to_string()));
        rows.push(("seconds a step".into(), format!("{:.3}", row.seconds)));
    }
    let kinds = [
        ("nodes, plain", NodeKind::Lagrangian),
        ("sliding, inside", NodeKind::EolIntra),
        ("sliding, between", NodeKind::EolInter),
        ("degenerate", NodeKind::Eil),
    ];
    rows.extend(kinds.map(|(name, kind)| (name.to_owned(), count(kind).to_string())));
    rows.push(("pictures a second".into(), format!("{:.0}", facts.rate)));
    let times = &facts.times;
    let ms = |a: f64, b: f64| format!("{:.1}, {:.1} ms", 1e3 * a, 1e3 * b);
    rows.push(("read, mesh".into(), ms(times.read, times.mesh)));
    rows.push(("upload, draw".into(), ms(times.upload, times.draw)));
    Grid::new("statistics").num_columns(2).spacing([8.0, 1.0]).show(ui, |ui| {
        for (name, value) in rows {
            ui.label(RichText::new(name).weak());
            ui.label(value);
            ui.end_row();
        }
    });
}

fn look(ui: &mut Ui, controls: &mut Controls, facts: &Facts<'_>) {
    let look = &mut controls.look;
    let name = ColourMode::ALL.iter().find(|(_, mode)| *mode == look.colour).map_or("", |(name, _)| name);
    egui::ComboBox::from_label("colour").selected_text(name).show_ui(ui, |ui| {
        for (name, mode) in ColourMode::ALL {
            ui.selectable_value(&mut look.colour, mode, name);
        }
    });
    let layout = &facts.frame.layout;
    let singles = layout.rods.iter().any(|rod| rod.fabric == u32::MAX).then_some("single yarns");
    let names = layout.fabrics.iter().map(String::as_str).map(Some).chain([singles]);
    for (hidden, name) in look.hidden.iter_mut().zip(names) {
        let Some(name) = name else { continue };
        let mut is_shown = !*hidden;
        ui.checkbox(&mut is_shown, name);
        *hidden = !is_shown;
    }
    if !layout.obstacles.is_empty() {
        ui.checkbox(&mut look.obstacles, "obstacles");
    }
    ui.horizontal_wrapped(|ui| {
        for (name, overlay) in Overlay::ALL {
            if ui.selectable_label(look.overlays.contains(&overlay), name).clicked() {
                look.toggle(overlay);
            }
        }
    });
    ui.checkbox(&mut controls.follow, "follow");
    ui.horizontal_wrapped(|ui| {
        for (name, action) in super::keys::views() {
            if ui.small_button(name).clicked() {
                controls.asked.push(action);
            }
        }
    });
}

fn keys(ui: &mut Ui) {
    Grid::new("keys").num_columns(2).striped(true).show(ui, |ui| {
        for (name, text) in help() {
            ui.label(RichText::new(name).strong());
            ui.label(text);
            ui.end_row();
        }
    });
}
