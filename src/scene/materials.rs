//! Materials by the names that a scene uses.

use crate::model::material::{MATERIALS, Material, named_material};

use super::params::Scene;

impl Scene {
    /// The values of a material: the scene's own of this name, or a built-in one; `None` if neither is.
    pub fn material(&self, name: &str) -> Option<Material> {
        match self.materials.get(name) {
            Some(own) => {
                let base = named_material(own.base.as_deref().unwrap_or("cotton"))?;
                Some(own.over(base.material))
            }
            None => named_material(name).map(|m| m.material),
        }
    }

    /// The names of all materials that the scene may use, its own first.
    pub fn material_names(&self) -> Vec<&str> {
        let built_in = MATERIALS.iter().map(|m| m.name).filter(|&n| !self.materials.contains_key(n));
        self.materials.keys().map(String::as_str).chain(built_in).collect()
    }
}
