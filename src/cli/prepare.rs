//! Builds a scene and shows how far its knits are on their way to rest.

use super::display::Display;
use super::stop::Stop;
use crate::scene::build::{Built, build_watched};
use crate::scene::error::Problem;
use crate::scene::params::Scene;
use crate::scene::watch::{Part, Preparing, Watch};

/// Builds a scene while the user looks on, who may end it.
pub(super) fn prepare(scene: &Scene, stop: &Stop) -> Result<Built, Vec<Problem>> {
    let display = Display::new("{spinner} {elapsed}  {msg}");
    let tell = |now: &Preparing<'_>| display.show(None, || text_of(now));
    let built = build_watched(scene, &Watch { interrupt: stop.interrupt(), tell: &tell });
    display.finish();
    built
}

fn text_of(now: &Preparing<'_>) -> String {
    let Preparing { knit, part, step, force, tolerance } = now;
    let what = match part {
        Part::Repeat => return format!("knit `{knit}`: a repeat of it comes to rest"),
        Part::Patch => "a patch of it comes to rest",
        Part::Whole => "it comes to rest",
        Part::Free => "it comes out of its plane",
    };
    format!(
        "knit `{knit}`: {what}, step {step}, largest force {force:.1e} N of {tolerance:.1e} N that count as rest"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::parse::parse;
    use crate::scene::source::Source;
    use std::cell::RefCell;
    use std::path::Path;

    #[test]
    fn a_knit_tells_of_its_repeat_its_patch_and_itself() {
        let text = "(knits: [(name: \"k\", pattern: Jersey, courses: 24, wales: 24, start: Relaxed)])";
        let scene = parse(&Source::new(Path::new("a.ron"), text.into())).unwrap();
        let (told, stop) = (RefCell::new(Vec::new()), Stop::default());
        let tell = |now: &Preparing<'_>| told.borrow_mut().push((now.part, text_of(now)));
        let watch = Watch { interrupt: stop.interrupt(), tell: &tell };
        assert!(build_watched(&scene, &watch).is_ok());
        let mut parts: Vec<Part> = told.borrow().iter().map(|(part, _)| *part).collect();
        parts.dedup();
        assert_eq!(parts, [Part::Repeat, Part::Patch, Part::Whole]);
        let last = told.borrow().last().cloned().unwrap().1;
        assert!(last.starts_with("knit `k`: it comes to rest, step ") && !last.contains("inf"), "{last}");
        // Who no longer waits is not kept waiting.
        told.borrow_mut().clear();
        stop.interrupt().raise();
        let broken_off = build_watched(&scene, &watch).err().unwrap();
        assert!(broken_off[0].message.starts_with("interrupted"), "{broken_off:?}");
        assert!(told.borrow().len() <= 1);
    }
}
