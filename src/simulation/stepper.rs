//! From one state to the next by minimising the potential of a step.

use std::sync::Arc;

use hebra_solver::interrupt::Interrupt;
use hebra_solver::linear::Guides;
use hebra_solver::newton::{Newton, NewtonError, NewtonReport};
use hebra_solver::objective::Objective;
use hebra_solver::time::Scheme;

use super::params::SolverParams;
use super::problem::{GAP_KEPT, Problem, explicit_gradient, implicit_terms, longest_step};
use super::relax::{GAP_KEPT_AT_REST, Rest};
use super::tolerance::{error_tolerance, loose_residual, newton_options};
use super::world::World;
use crate::model::ids::BLOCK;
use crate::potential::term::Weights;
use crate::potential::terms::Terms;

/// A step to be made.
pub(super) struct Task<'a> {
    pub(super) world: &'a World,
    pub(super) terms: &'a Terms,
    /// Where the unknowns may go.
    pub(super) guesses: [Vec<f64>; 2],
    /// Its length, s.
    pub(super) dt: f64,
}

/// A step of an implicit scheme, and what it knows of the step before.
pub(super) struct Stepper {
    pub(super) newton: Newton<BLOCK>,
    scheme: Scheme,
    /// Error at which a step has converged where it does not follow from the step's length, m.
    error: Option<f64>,
    /// Velocities at the start of the last step, m/s.
    pub(super) last_velocity: Vec<f64>,
    /// Length of the last step, s.
    pub(super) last_dt: f64,
}

impl Stepper {
    /// Before the first step.
    pub(super) fn new(world: &World, solver: &SolverParams, terms: &Terms, interrupt: &Interrupt) -> Self {
        let World { model, state, .. } = world;
        let guides = Guides { coordinates: model.coordinates.clone(), groups: model.strips.clone() };
        Self {
            newton: Newton::new(Arc::clone(terms.pattern()), guides, newton_options(model, &state.q, solver))
                .with_interrupt(interrupt),
            scheme: solver.scheme,
            error: solver.error.or(solver.residual.map(|_| 0.0)),
            last_velocity: state.v.clone(),
            last_dt: solver.dt,
        }
    }

    /// Factors of the parts of a step's potential.
    pub(super) fn weights(&self, dt: f64) -> Weights {
        Weights { inertia: self.scheme.inertia(dt), whole_step: self.whole_step() }
    }

    /// Weight of forces that act over the whole step: the trapezoidal rule counts the forces of both ends.
    pub(super) fn whole_step(&self) -> f64 {
        match self.scheme {
            Scheme::Newmark => 2.0,
            Scheme::BackwardEuler | Scheme::SymplecticEuler => 1.0,
        }
    }

    /// Sets when a step has converged at whose start contacts press like this, N.
    pub(super) fn set_tolerance(&mut self, world: &World, pressures: &[f64], dt: f64) {
        let error = self.error.unwrap_or_else(|| error_tolerance(dt));
        self.newton.set_error_tolerance(error, loose_residual(&world.model, pressures));
    }

    /// Follows the couplings of the terms.
    pub(super) fn follow(&mut self, terms: &Terms) {
        self.newton.set_pattern(Arc::clone(terms.pattern()));
    }

    /// Where the unknowns may go: with velocities that change as they did in the last step, and with constant ones.
    pub(super) fn guesses(&self, world: &World, terms: &Terms, dt: f64) -> [Vec<f64>; 2] {
        [dt / self.last_dt, 0.0].map(|growth| self.predict(world, terms, dt, growth))
    }

    /// Where the unknowns go if velocities change by `growth` times what they changed in the last step:
    /// `q + dt (v + growth (v - v_last))`, cut short where nodes of a rod would pass each other or rods.
    fn predict(&self, world: &World, terms: &Terms, dt: f64, growth: f64) -> Vec<f64> {
        let World { model, arrangement, state, active, .. } = world;
        let velocities = state.v.iter().zip(&self.last_velocity).zip(active);
        let change: Vec<f64> = velocities
            .map(|((v, last), on)| if *on { dt * (v + growth * (v - last)) } else { 0.0 })
            .collect();
        let apart = terms.collision.as_ref().map_or(1.0, |c| c.longest_step(&state.q, &change, &|_| true));
        let way = [&state.q, &state.q, &change].map(Vec::as_slice);
        let t = apart.min(longest_step(model, arrangement, way, GAP_KEPT, |_| true));
        state.q.iter().zip(&change).map(|(q, d)| q + t * d).collect()
    }

    /// Minimises the step's potential, or goes on towards rest, from the best of some guesses; returns the unknowns that it
    /// came to. Writes the forces on held unknowns, N, where something is held.
    pub(super) fn minimize(
        &mut self,
        task: Task<'_>,
        rest: Option<&mut Rest>,
        reactions: &mut [f64],
    ) -> (Vec<f64>, Result<NewtonReport, NewtonError>) {
        let Task { world, terms, guesses: [first, second], dt } = task;
        let World { model, arrangement, state, active, .. } = world;
        let problem = Problem {
            model,
            arrangement,
            pattern: terms.pattern(),
            active,
            implicit: implicit_terms(self.scheme, terms),
            collision: terms.collision.as_ref(),
            explicit: explicit_gradient(self.scheme, terms, state, dt),
            start: &state.q,
            gap_kept: if rest.is_some() { GAP_KEPT_AT_REST } else { GAP_KEPT },
        };
        let mut q = if problem.value(&second) < problem.value(&first) { second } else { first };
        let report = match rest {
            Some(rest) => rest.iterate(&mut self.newton, &problem, &mut q),
            None => self.newton.minimize(&problem, &mut q),
        };
        if report.is_ok() && !world.clamps.is_empty() {
            problem.reactions(&q, self.whole_step(), reactions);
        }
        (q, report)
    }

    /// Takes over the velocities of a step of `dt` that ended at `q`.
    pub(super) fn accept(&mut self, world: &mut World, q: &[f64], dt: f64) {
        let World { state, clamps, time, .. } = world;
        self.last_velocity.copy_from_slice(&state.v);
        self.last_dt = dt;
        self.scheme.velocity(q, &state.q, &mut state.v, dt);
        clamps.lead(*time + dt, &mut state.v);
    }
}
