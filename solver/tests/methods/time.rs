//! Orders of convergence of the time schemes, and the control of their step.

use hebra_solver::time::{Scheme, StepControl, StepLimits};

/// Error at `t = 1` for `q'' = -q`, every step solved in closed form: `a (q - q*) + b q = c F(q_n)`.
fn error(scheme: Scheme, steps: usize) -> f64 {
    let [q, v] = oscillate(scheme, 1.0 / steps as f64, steps);
    (q - 1.0_f64.cos()).hypot(v + 1.0_f64.sin())
}

fn oscillate(scheme: Scheme, h: f64, steps: usize) -> [f64; 2] {
    let (mut q, mut v) = ([1.0], [0.0]);
    for _ in 0..steps {
        let mut start = [0.0];
        scheme.predict(&q, &v, h, &mut start);
        let (a, q_n) = (scheme.inertia(h), q);
        q[0] = (a * start[0] - scheme.explicit() * q_n[0]) / (a + scheme.implicit());
        scheme.velocity(&q, &q_n, &mut v, h);
    }
    [q[0], v[0]]
}

#[test]
fn schemes_converge_at_their_orders() {
    let schemes = [(Scheme::BackwardEuler, 1.0), (Scheme::Newmark, 2.0), (Scheme::SymplecticEuler, 1.0)];
    for (scheme, order) in schemes {
        let measured = (error(scheme, 400) / error(scheme, 800)).log2();
        assert!((measured - order).abs() < 0.1, "{scheme:?}: order {measured}");
    }
}

#[test]
fn newmark_keeps_the_energy_and_backward_euler_loses_it() {
    let energy = |scheme| oscillate(scheme, 0.1, 1000).iter().map(|x| x * x).sum::<f64>();
    assert!((energy(Scheme::Newmark) - 1.0).abs() < 1e-10);
    assert!(energy(Scheme::BackwardEuler) < 1e-3);
    assert!((energy(Scheme::SymplecticEuler) - 1.0).abs() < 0.2);
}

#[test]
fn the_step_is_halved_and_grows_back() {
    let limits = StepLimits { max: 1e-3, min: 2e-4, patience: 2 };
    let mut control = StepControl::new(limits);
    control.fail().unwrap();
    control.fail().unwrap();
    assert!(control.fail().is_err());
    assert_eq!(control.step(), 2.5e-4);
    control.succeed();
    assert_eq!(control.step(), 2.5e-4);
    control.succeed();
    assert_eq!(control.step(), 3.125e-4);
    for _ in 0..100 {
        control.succeed();
    }
    assert_eq!(control.step(), 1e-3);
}
