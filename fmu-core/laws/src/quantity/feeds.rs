//! What a number of an element enters: the other half of dependencies is what a quantity reads.

use std::ops::BitOr;

/// Set of what states, parameters and inputs of an element enter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feeds(u32);

impl Feeds {
    /// Nothing that the model structure speaks of.
    pub const NOTHING: Feeds = Feeds(0);
    /// Where a body or joint is along its translations.
    pub const POSITION: Feeds = Feeds(1);
    /// How a body is turned, or a joint by a quaternion.
    pub const ORIENTATION: Feeds = Feeds(1 << 1);
    /// Velocity of a body or rate of a coordinate.
    pub const VELOCITY: Feeds = Feeds(1 << 2);
    /// Angular velocity of a body, or of a joint with a quaternion.
    pub const ANGULAR_VELOCITY: Feeds = Feeds(1 << 3);
    /// Mass of a body.
    pub const MASS: Feeds = Feeds(1 << 4);
    /// Centre of mass of a body.
    pub const CENTER_OF_MASS: Feeds = Feeds(1 << 5);
    /// Inertia of a body.
    pub const INERTIA: Feeds = Feeds(1 << 6);
    /// Gravity field of the scene.
    pub const GRAVITY: Feeds = Feeds(1 << 7);
    /// Forces on a body or along a coordinate that are prescribed or inputs.
    pub const LOAD: Feeds = Feeds(1 << 8);
    /// Elastic force and energy of a contact or end stop.
    pub const ELASTIC: Feeds = Feeds(1 << 9);
    /// Every other part of the force of a contact or end stop.
    pub const LAW: Feeds = Feeds(1 << 10);
    /// Force and energy of the spring of a coordinate.
    pub const SPRING: Feeds = Feeds(1 << 11);
    /// Viscous and Coulomb friction of a coordinate.
    pub const FRICTION: Feeds = Feeds(1 << 12);
    /// Where the lower stop of a coordinate is.
    pub const LOWER_STOP: Feeds = Feeds(1 << 13);
    /// Where the upper stop of a coordinate is.
    pub const UPPER_STOP: Feeds = Feeds(1 << 14);

    /// Position and orientation.
    pub const POSE: Feeds = Feeds::POSITION.and(Feeds::ORIENTATION);
    /// Velocity and angular velocity.
    pub const MOTION: Feeds = Feeds::VELOCITY.and(Feeds::ANGULAR_VELOCITY);
    /// Mass, centre of mass and inertia.
    pub const MASSES: Feeds = Feeds::MASS.and(Feeds::CENTER_OF_MASS).and(Feeds::INERTIA);
    /// Force of a contact or end stop.
    pub const CONTACT: Feeds = Feeds::ELASTIC.and(Feeds::LAW);
    /// Where the stops of a coordinate are.
    pub const STOPS: Feeds = Feeds::LOWER_STOP.and(Feeds::UPPER_STOP);
    /// All forces along a coordinate.
    pub const JOINT_FORCE: Feeds = Feeds::SPRING
        .and(Feeds::FRICTION)
        .and(Feeds::STOPS)
        .and(Feeds::CONTACT)
        .and(Feeds::LOAD);

    /// Both sets together; `|` where no constant is asked for.
    pub const fn and(self, other: Feeds) -> Feeds {
        Feeds(self.0 | other.0)
    }

    /// What both sets have.
    pub const fn common(self, other: Feeds) -> Feeds {
        Feeds(self.0 & other.0)
    }

    /// Returns true if both sets have something in common.
    pub const fn meets(self, other: Feeds) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Feeds {
    type Output = Feeds;

    fn bitor(self, other: Feeds) -> Feeds {
        self.and(other)
    }
}
