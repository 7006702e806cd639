//! A scene put together in code, and built.

use super::build::build;
use super::error::{Problem, SceneError};
use super::params::Scene;
use super::parse::not_finite;
use super::scan::scan;
use crate::model::clamp::ClampParams;
use crate::model::fabric::{FabricParams, RodParams};
use crate::model::knit::KnitParams;
use crate::model::layers::{LayersParams, SeamParams};
use crate::model::material::MaterialParams;
use crate::model::obstacle::ObstacleParams;
use crate::model::part::Named;
use crate::model::sheets::SheetParams;
use crate::potential::forces::PointForceParams;
use crate::record::params::ProbeParams;
use crate::simulation::Simulation;

impl Scene {
    /// The same scene with one more woven fabric.
    #[must_use]
    pub fn with_fabric(mut self, fabric: FabricParams) -> Self {
        self.fabrics.push(fabric);
        self
    }

    /// The same scene with one more knit.
    #[must_use]
    pub fn with_knit(mut self, knit: KnitParams) -> Self {
        self.knits.push(knit);
        self
    }

    /// The same scene with fabrics lying on one another.
    #[must_use]
    pub fn with_layers(mut self, layers: LayersParams) -> Self {
        self.layers.push(layers);
        self
    }

    /// The same scene with one more seam.
    #[must_use]
    pub fn with_seam(mut self, seam: SeamParams) -> Self {
        self.seams.push(seam);
        self
    }

    /// The same scene with one more single yarn.
    #[must_use]
    pub fn with_rod(mut self, rod: RodParams) -> Self {
        self.rods.push(rod);
        self
    }

    /// The same scene with one more sheet of triangles.
    #[must_use]
    pub fn with_sheet(mut self, sheet: SheetParams) -> Self {
        self.sheets.push(sheet);
        self
    }

    /// The same scene with a material of that name.
    #[must_use]
    pub fn with_material(mut self, name: &str, material: MaterialParams) -> Self {
        self.materials.insert(name.into(), material);
        self
    }

    /// The same scene with one more obstacle.
    #[must_use]
    pub fn with_obstacle(mut self, obstacle: ObstacleParams) -> Self {
        self.obstacles.push(obstacle);
        self
    }

    /// The same scene with one more clamp.
    #[must_use]
    pub fn with_clamp(mut self, clamp: ClampParams) -> Self {
        self.clamps.push(clamp);
        self
    }

    /// The same scene with one more force on chosen nodes.
    #[must_use]
    pub fn with_push(mut self, push: PointForceParams) -> Self {
        self.forces.points.push(push);
        self
    }

    /// The same scene with a probe of that name.
    #[must_use]
    pub fn with_probe(mut self, name: &str, probe: ProbeParams) -> Self {
        self.probes.insert(name.into(), probe);
        self
    }

    /// The same scene with a name for every part without one: its kind and number, as `fabric0`.
    #[must_use]
    pub fn with_names(mut self) -> Self {
        if self.name.is_empty() {
            self.name = "scene".into();
        }
        number("fabric", &mut self.fabrics);
        number("knit", &mut self.knits);
        number("rod", &mut self.rods);
        number("sheet", &mut self.sheets);
        number("obstacle", &mut self.obstacles);
        number("clamp", &mut self.clamps);
        self
    }

    /// The simulation of the scene at its start; parts without a name get one as by [`Self::with_names`]. Relative paths
    /// start at the working folder.
    ///
    /// # Errors
    /// [`SceneError::Problems`] with everything that is wrong with the scene.
    pub fn build(&self) -> Result<Simulation, SceneError> {
        let scene = self.clone().with_names();
        let endless = scene.not_finite();
        if !endless.is_empty() {
            return Err(endless.into());
        }
        Ok(build(&scene)?.simulation)
    }

    /// Numbers that are not finite, which no text has.
    fn not_finite(&self) -> Vec<Problem> {
        let text = ron::to_string(self).unwrap_or_default();
        scan(&text).map_or_else(|_| Vec::new(), |root| not_finite(&text, &root))
    }
}

fn number(kind: &str, parts: &mut [impl Named]) {
    let nameless = parts.iter_mut().map(Named::name_mut).enumerate().filter(|(_, name)| name.is_empty());
    nameless.for_each(|(i, name)| *name = format!("{kind}{i}"));
}
