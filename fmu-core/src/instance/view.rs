//! What a picture of the present state shows, for programs that have the scene and draw it: poses of
//! all bodies, contact points with their forces, energies. Nothing here has a value reference.

use crate::instance::failure::Failure;
use crate::instance::lifecycle::Instance;
use crate::instance::modes::Call;
use contact_geometry::math::{Pose, Vec3};
use contact_laws::index::{BodyId, PairId};

/// A contact at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Its pair.
    pub pair: PairId,
    /// Where the force acts, world frame [m].
    pub point_w: Vec3,
    /// Force on body 2 of the pair, world axes [N].
    pub force_w: Vec3,
}

/// Energies at one state [J], as the outputs of the same names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// Kinetic energy.
    pub kinetic: f64,
    /// In the field of gravity and in springs of joints.
    pub potential: f64,
    /// Stored in contacts and end stops.
    pub elastic: f64,
}

impl Instance {
    /// Calls `visit` with the pose of each body in the world, in the order of the scene.
    ///
    /// # Errors
    /// Not allowed now; inputs that cannot be used, by name.
    pub fn each_pose(&mut self, mut visit: impl FnMut(&Pose)) -> Result<(), Failure> {
        self.view()?;
        for body in 0..self.scene.bodies().len() {
            let (pose, _) = self.system.body_here(BodyId::from(body))?;
            visit(&pose);
        }
        Ok(())
    }

    /// Calls `visit` with each contact that has a force, in the order of the pairs.
    ///
    /// # Errors
    /// Not allowed now; an evaluation that fails.
    pub fn each_contact_force(
        &mut self,
        mut visit: impl FnMut(ContactForce),
    ) -> Result<(), Failure> {
        self.view()?;
        self.system.contact_forces_here(|pair, point_w, force_w| {
            visit(ContactForce {
                pair,
                point_w,
                force_w,
            });
        })?;
        Ok(())
    }

    /// Energies of the scene.
    ///
    /// # Errors
    /// Not allowed now; an evaluation that fails.
    pub fn energies(&mut self) -> Result<Energies, Failure> {
        self.view()?;
        let outputs = self.system.outputs_here()?;
        Ok(Energies {
            kinetic: outputs.kinetic_energy,
            potential: outputs.potential_energy,
            elastic: outputs.elastic_energy,
        })
    }

    fn view(&mut self) -> Result<(), Failure> {
        self.allow(Call::GetVariables)?;
        self.set_present_states()
    }
}
