//! Iterations of the linear solver on layers that are bound to one another.

use std::path::Path;

use hebra::scene::build::build;
use hebra::scene::parse::parse;
use hebra::scene::source::Source;

/// Three layers at angles to one another, a third of whose contacts are degenerate: the first step finds that
/// strips of yarns do not do, those after it take a fixed number of iterations.
#[test]
fn bound_layers_take_few_iterations() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tablecloths.ron");
    let mut source = Source::read(&file).unwrap();
    source.set("solver.linear=Iterative").unwrap();
    let mut simulation = build(&parse(&source).unwrap()).unwrap().simulation;
    assert!(simulation.counts().eil > 500);
    simulation.step().unwrap();
    for _ in 0..3 {
        let report = simulation.step().unwrap();
        let each = f64::from(report.linear_iterations) / f64::from(report.newton_iterations);
        assert!(each <= 20.0, "{report:?}");
        assert_eq!((report.linear, report.factorisations), ("iterative", 0));
    }
}
