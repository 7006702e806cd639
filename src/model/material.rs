//! Yarns by name, with the sources of their values.

use serde::{Deserialize, Serialize};

/// The mechanical properties of a yarn as it lies in a fabric.
///
/// A yarn's `density` is that of the yarn with the air in it: fibre density times packing (about 0.6 in
/// spun yarns). Its `stretch` modulus is the low-load one of a yarn that was woven in: crimp that pulls
/// straight makes it ten to forty times softer than its fibres. `bending`, `shear` and `friction` are
/// what fabric tests give (KES: bending rigidity per width times the yarns' spacing, shear rigidity
/// times the area of a crossing, shared by its four corners).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Mass per volume of the yarn with its air, kg/m3.
    pub density: f64,
    /// Radius, m.
    pub radius: f64,
    /// Stretch modulus, Pa; the stiffness of the rod is this times its cross-section.
    pub stretch: f64,
    /// Bending rigidity EI, N m2.
    pub bending: f64,
    /// Shear stiffness of one corner of a crossing, J/rad2.
    pub shear: f64,
    /// Stiffness of the contact of neighbouring parallel yarns, N/m.
    pub contact: f64,
    /// Coulomb's coefficient between yarns, and against obstacles that give none.
    pub friction: f64,
    /// Stiffness of the spring that holds a sticking contact, N/m.
    pub stick: f64,
    /// Normal force at a woven crossing at rest, N.
    pub preload: f64,
    /// Distance that yarns keep where they touch without crossing in a weave, m; none: what
    /// [`Rod::collision_thickness`](super::yarns::Rod::collision_thickness) makes of the radius.
    pub collision_thickness: Option<f64>,
    /// Strain-rate damping of stretch, s.
    pub stretch_damping: f64,
    /// Strain-rate damping of bending, s.
    pub bending_damping: f64,
    /// Strain-rate damping of shear, s.
    pub shear_damping: f64,
    /// Strain-rate damping of the contact of parallel yarns, s.
    pub contact_damping: f64,
}

impl Material {
    /// Cross-section, m2.
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }

    /// Mass per length, kg/m.
    pub fn line_density(&self) -> f64 {
        self.density * self.area()
    }

    /// Stretch stiffness of a rod, N.
    pub fn stretch_stiffness(&self) -> f64 {
        self.stretch * self.area()
    }

    /// Every value with its key in scenes and its unit; none where it follows from others.
    pub fn values(&self) -> [(&'static str, &'static str, Option<f64>); 14] {
        [
            ("density", "kg/m3", Some(self.density)),
            ("radius", "m", Some(self.radius)),
            ("stretch", "Pa", Some(self.stretch)),
            ("bending", "N m2", Some(self.bending)),
            ("shear", "J/rad2", Some(self.shear)),
            ("contact", "N/m", Some(self.contact)),
            ("friction", "", Some(self.friction)),
            ("stick", "N/m", Some(self.stick)),
            ("preload", "N", Some(self.preload)),
            ("collision_thickness", "m", self.collision_thickness),
            ("stretch_damping", "s", Some(self.stretch_damping)),
            ("bending_damping", "s", Some(self.bending_damping)),
            ("shear_damping", "s", Some(self.shear_damping)),
            ("contact_damping", "s", Some(self.contact_damping)),
        ]
    }
}

/// A named material and where its values come from.
#[derive(Debug, Clone, Copy)]
pub struct NamedMaterial {
    /// Name in scenes.
    pub name: &'static str,
    /// The values.
    pub material: Material,
    /// Their source.
    pub source: &'static str,
}

const COTTON: Material = Material {
    density: 910.0,
    radius: 1.0e-4,
    stretch: 1.5e8,
    bending: 2.5e-9,
    shear: 2.5e-6,
    contact: 500.0,
    friction: 0.3,
    stick: 200.0,
    preload: 5e-4,
    collision_thickness: None,
    stretch_damping: 1e-3,
    bending_damping: 5e-3,
    shear_damping: 5e-3,
    contact_damping: 1e-3,
};

/// The materials that scenes may name.
pub const MATERIALS: [NamedMaterial; 6] = [
    NamedMaterial {
        name: "cotton",
        material: COTTON,
        source: "29 tex shirting yarn; fibre 1520 kg/m3 and 5 N/tex (Morton & Hearle, Physical Properties of \
                 Textile Fibres, 4th ed.), packing 0.6; KES bending 5e-6 N m, shear about 40 N/m",
    },
    NamedMaterial {
        name: "polyester",
        material: Material { density: 900.0, stretch: 3.0e8, bending: 3.5e-9, friction: 0.25, ..COTTON },
        source: "28 tex spun yarn; fibre 1390 kg/m3 and 9 to 11 N/tex (Morton & Hearle), packing 0.65",
    },
    NamedMaterial {
        name: "wool",
        material: Material {
            density: 780.0,
            radius: 1.4e-4,
            stretch: 5.0e7,
            bending: 4.0e-9,
            shear: 2.0e-6,
            friction: 0.35,
            ..COTTON
        },
        source: "48 tex worsted suiting yarn; fibre 1310 kg/m3 and 2.3 N/tex (Morton & Hearle), packing 0.6; \
                 KES bending 7e-6 N m",
    },
    NamedMaterial {
        name: "silk",
        material: Material {
            density: 870.0,
            radius: 0.7e-4,
            stretch: 3.0e8,
            bending: 0.8e-9,
            shear: 0.8e-6,
            friction: 0.2,
            preload: 2e-4,
            ..COTTON
        },
        source: "13 tex filament yarn; fibre 1340 kg/m3 and 7.3 N/tex (Morton & Hearle), packing 0.65",
    },
    NamedMaterial {
        name: "denim",
        material: Material {
            density: 910.0,
            radius: 1.65e-4,
            stretch: 1.5e8,
            bending: 1.5e-8,
            shear: 1.0e-5,
            preload: 1.5e-3,
            ..COTTON
        },
        source: "78 tex (Ne 7.5) ring-spun cotton for 44 yarns per inch; KES bending of 12 oz denim about 3e-5 N m",
    },
    NamedMaterial {
        name: "tablecloth",
        material: Material {
            density: 250.0,
            radius: 2.25e-3,
            stretch: 5.0e5,
            bending: 2.0e-6,
            shear: 2.0e-4,
            contact: 1000.0,
            stick: 500.0,
            preload: 5e-3,
            ..COTTON
        },
        source: "the thick yarn of Sanchez-Banderas et al. 2020 (radius 2.25 mm at a spacing of 5.6 mm) as a soft \
                 cotton roving of 4 ktex",
    },
];

/// Looks a material up.
pub fn named_material(name: &str) -> Option<&'static NamedMaterial> {
    MATERIALS.iter().find(|m| m.name == name)
}

/// A material of the scene: a named one with some values replaced.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MaterialParams {
    /// Name of the material to start from (default `cotton`).
    pub base: Option<String>,
    /// Mass per volume of the yarn with its air, kg/m3 (default: the base's).
    pub density: Option<f64>,
    /// Radius, m (default: the base's).
    pub radius: Option<f64>,
    /// Stretch modulus, Pa (default: the base's).
    pub stretch: Option<f64>,
    /// Bending rigidity EI, N m2 (default: the base's).
    pub bending: Option<f64>,
    /// Shear stiffness of one corner of a crossing, J/rad2 (default: the base's).
    pub shear: Option<f64>,
    /// Contact stiffness of neighbouring parallel yarns, N/m (default: the base's).
    pub contact: Option<f64>,
    /// Coulomb's coefficient between yarns, and against obstacles without one (default: the base's).
    pub friction: Option<f64>,
    /// Stiffness of a sticking contact, N/m (default: the base's).
    pub stick: Option<f64>,
    /// Normal force at a woven crossing at rest, N (default: the base's).
    pub preload: Option<f64>,
    /// Distance between centre lines in a collision, m (default: the base's, or the diameter, twice that in a weave).
    pub collision_thickness: Option<f64>,
    /// Strain-rate damping of stretch, s (default: the base's).
    pub stretch_damping: Option<f64>,
    /// Strain-rate damping of bending, s (default: the base's).
    pub bending_damping: Option<f64>,
    /// Strain-rate damping of shear, s (default: the base's).
    pub shear_damping: Option<f64>,
    /// Strain-rate damping of the contact of parallel yarns, s (default: the base's).
    pub contact_damping: Option<f64>,
}

impl MaterialParams {
    /// The base with the given values in place of its own.
    pub fn over(&self, base: Material) -> Material {
        Material {
            density: self.density.unwrap_or(base.density),
            radius: self.radius.unwrap_or(base.radius),
            stretch: self.stretch.unwrap_or(base.stretch),
            bending: self.bending.unwrap_or(base.bending),
            shear: self.shear.unwrap_or(base.shear),
            contact: self.contact.unwrap_or(base.contact),
            friction: self.friction.unwrap_or(base.friction),
            stick: self.stick.unwrap_or(base.stick),
            preload: self.preload.unwrap_or(base.preload),
            collision_thickness: self.collision_thickness.or(base.collision_thickness),
            stretch_damping: self.stretch_damping.unwrap_or(base.stretch_damping),
            bending_damping: self.bending_damping.unwrap_or(base.bending_damping),
            shear_damping: self.shear_damping.unwrap_or(base.shear_damping),
            contact_damping: self.contact_damping.unwrap_or(base.contact_damping),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_told_with_its_value() {
        for named in MATERIALS {
            let keys = serde_json::to_value(named.material).unwrap();
            let values = named.material.values();
            assert_eq!(keys.as_object().unwrap().len(), values.len());
            values.iter().for_each(|(key, _, value)| assert_eq!(keys[key].as_f64(), *value, "{key}"));
        }
    }
}
