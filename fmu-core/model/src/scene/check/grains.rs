//! Groups of free balls: names, sizes, places, regions.

use super::checker::{Checker, material_names};
use crate::scene::description::SceneItem;
use crate::scene::description::grains::GRAINS;
use crate::scene::flaw::{Rule, SceneFlaw};
use contact_laws::quantity::Range;
use contact_laws::quantity::row::checks;

impl Checker<'_> {
    pub(super) fn grains(&mut self, index: usize) {
        let (item, group) = (SceneItem::Grains(index), &self.scene.grains[index]);
        self.identifier(item, &group.name);
        let mut before = self.scene.grains[..index].iter();
        let mut joints = self.scene.joints.iter();
        if before.any(|other| other.name == group.name) {
            self.broken(item, "name", Rule::NameTaken, ["another group"]);
        } else if self.bodies.contains_key(group.name.as_str()) {
            self.broken(item, "name", Rule::NameTaken, ["a body"]);
        } else if joints.any(|joint| joint.name == group.name) {
            self.broken(item, "name", Rule::NameTaken, ["a joint"]);
        }
        self.rows(item, const { &checks(&GRAINS) }, group);
        let (places, sizes) = (group.positions.len(), group.diameters.len());
        if places == 0 {
            self.broken(item, "", Rule::NoGrain, []);
        } else if places != sizes {
            let counts = [("positions", places), ("diameters", sizes)];
            self.fail(item, "diameter", SceneFlaw::Counts(counts));
        }
        let bad_size = |d: &&f64| Range::POSITIVE.violated(**d).is_some();
        if let Some(diameter) = group.diameters.iter().find(bad_size) {
            self.number(item, "diameter", (*diameter, "m"), Range::POSITIVE);
        }
        let is_bad = |p: &&[f64; 3]| !p.iter().all(|c| c.is_finite());
        let bad_place = group.positions.iter().find(is_bad);
        self.vector(item, "", bad_place.unwrap_or(&[0.0; 3]));
        match self
            .scene
            .materials
            .iter()
            .find(|m| m.name == group.material)
        {
            None => {
                let flaw =
                    SceneFlaw::unknown("material", &group.material, material_names(self.scene));
                self.fail(item, "material", flaw);
            }
            Some(material) if material.density <= 0.0 => {
                self.broken(item, "material", Rule::NoMass, []);
            }
            Some(_) => {}
        }
        self.regions(index);
    }

    fn regions(&mut self, index: usize) {
        let (item, group) = (SceneItem::Grains(index), &self.scene.grains[index]);
        for (place, region) in group.regions.iter().enumerate() {
            self.identifier(item, &region.name);
            let mut before = group.regions[..place].iter();
            if before.any(|other| other.name == region.name) {
                self.broken(item, "region", Rule::NameTaken, ["another region"]);
            }
            for [lower, upper] in region.bounds {
                if lower.is_nan() || upper.is_nan() || lower >= upper {
                    self.fail(item, "region", SceneFlaw::Limits("region", [lower, upper]));
                }
            }
        }
    }
}
