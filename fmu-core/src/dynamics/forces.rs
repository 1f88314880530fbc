//! Contact forces on the bodies: the pairs of the ledger in pair order, each by its law.
//!
//! With p the contact point, v_rel = v_2(p) - v_1(p), the force f acts on 2 at p and -f on 1; the
//! torque about a body origin o is (p - o) x f plus the torque of rolling resistance.

use crate::contact::{Contact, Hints};
use crate::dynamics::Model;
use crate::dynamics::workspace::{Load, Twist, Workspace};
use crate::geometry::{Core, RoundedShape};
use crate::math::{Pose, Real, Vec3};
use crate::narrow_phase::{Proximity, query, query_ball};
use crate::response::PairLaw;
use crate::response::law::{ContactForce, ContactMotion};
use crate::response::stick::{Bristle, StickLaw};

/// A contact of the ledger with everything its force needs that does not change between events.
#[derive(Clone, Debug, PartialEq)]
pub struct ActiveContact {
    /// Its place in the ledger.
    pub index: usize,
    /// Its indicator slot.
    slot: usize,
    /// Its pair.
    pair: usize,
    /// Law of the pair.
    pub law: PairLaw,
    /// A function of the user is part of the law.
    user: bool,
    /// What the law froze when the contact started, [`PairLaw::frozen`].
    frozen: f64,
    forms: [RoundedShape; 2],
    /// Frames of the shapes.
    frames: [usize; 2],
    bodies: [usize; 2],
    /// Whether the bodies are fixed.
    fixed: [bool; 2],
    /// Which deflection it has, where its friction has one.
    deflection: Option<usize>,
    /// What [`Self::ball_on_fixed`] answers.
    ball_on_fixed: Option<usize>,
}

impl ActiveContact {
    /// The contact at `index` of the ledger.
    pub fn new(model: &Model, index: usize, known: &Contact) -> Self {
        let slot = known.slot as usize;
        let pair = known.pair as usize;
        let bodies = model.pair_bodies(pair);
        let shapes = model.scene.pairs().get(pair).shapes;
        let mut law = model.law(pair);
        law.set_impact_speed(known.impact_speed);
        let mut contact = ActiveContact {
            index,
            slot,
            pair,
            user: law.is_user(),
            law,
            frozen: known.frozen,
            forms: model.scene.forms_of(shapes).map(RoundedShape::clone),
            frames: shapes.map(|shape| model.frames.of_shapes[shape]),
            bodies,
            fixed: bodies.map(|body| model.scene.bodies()[body].is_fixed()),
            deflection: None,
            ball_on_fixed: None,
        };
        if contact.law.friction.stick().is_some() {
            let layout = model.scene.layout();
            contact.deflection = layout.deflection_of(known.pair, known.slot);
        }
        contact.ball_on_fixed = contact.find_ball_on_fixed(model);
        contact
    }

    /// The free body, where it is a ball about its origin and the other one is fixed: a contact
    /// for [`touch_fixed`]. Not one with a deflection or a law of the user. Not a ball before a fixed
    /// ball: the normal of concentric balls is +x from 1 to 2, which is not odd in their order.
    #[inline(always)]
    pub fn ball_on_fixed(&self) -> Option<usize> {
        self.ball_on_fixed
    }

    /// The law of its friction and the index of its deflection, where it has one.
    #[inline(always)]
    pub fn bristle(&self) -> Option<(&StickLaw, usize)> {
        self.law.friction.stick().zip(self.deflection)
    }

    fn find_ball_on_fixed(&self, model: &Model) -> Option<usize> {
        let side = match self.fixed {
            _ if self.user => return None,
            [false, true] => 0,
            [true, false] => 1,
            _ => return None,
        };
        if self.deflection.is_some() {
            return None;
        }
        let body = self.bodies[side];
        let is_free = model.scene.bodies()[body].is_free();
        let is_ball = self.forms[side].core == Core::Point && self.frames[side] == body;
        let before_a_ball = side == 0 && self.forms[1].core == Core::Point;
        (is_free && is_ball && !before_a_ball).then_some(body)
    }
}

/// What a contact does at one state.
#[derive(Clone, Copy, Debug)]
pub struct ContactWrench<T: Real> {
    /// Gap [m].
    pub gap: T,
    /// Power that leaves the mechanical energy [W], where the scene keeps a balance.
    pub dissipation: T,
    /// Where the force acts, world frame [m].
    pub point_w: Vec3<T>,
    /// Force on 2, world axes [N].
    pub force_w: Vec3<T>,
    /// Torque of rolling resistance on 2, world axes [N.m].
    pub torque_w: Vec3<T>,
}

impl<T: Real> ContactWrench<T> {
    /// Before anything was computed.
    pub fn zero() -> Self {
        ContactWrench {
            gap: T::zero(),
            dissipation: T::zero(),
            point_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
        }
    }

    #[inline(always)]
    fn of(model: &Model, contact: &ActiveContact, motion: &ContactMotion<T>) -> Self {
        let exerted = contact.law.force(motion, contact.frozen);
        ContactWrench::exerted(model, motion, &exerted)
    }

    #[inline(always)]
    fn exerted(model: &Model, motion: &ContactMotion<T>, exerted: &ContactForce<T>) -> Self {
        ContactWrench {
            gap: motion.gap,
            dissipation: if model.energy_balance {
                exerted.dissipation
            } else {
                T::zero()
            },
            point_w: motion.point,
            force_w: exerted.on_2(&motion.normal),
            torque_w: exerted.torque,
        }
    }

    /// Whether force and torque are, in value and derivative.
    fn is_finite(&self) -> bool {
        let finite = |v: &Vec3<T>| {
            v.iter()
                .all(|x| x.value().is_finite() && x.derivative().is_finite())
        };
        finite(&self.force_w) && finite(&self.torque_w)
    }

    /// Adds what this does to a body at `position` [m]; `sign` is 1 for body 2 and -1 for body 1.
    #[inline(always)]
    fn load(&self, position: &Vec3<T>, sign: f64, load: &mut Load<T>) {
        let force = self.force_w * T::from(sign);
        load.acts = true;
        load.force_w += force;
        load.torque_w += (self.point_w - position).cross(&force) + self.torque_w * T::from(sign);
    }
}

/// Adds a contact of a ball with a fixed body to the load of the ball, which stands at `pose` and
/// moves by `twist`. Nothing of the ball is read from memory, and nothing is called.
#[inline(always)]
pub fn touch_fixed<T: Real>(
    model: &Model,
    contact: &ActiveContact,
    hints: &Hints,
    frames: &[Pose<T>],
    (pose, twist): (&Pose<T>, &Twist<T>),
    load: &mut Load<T>,
) -> ContactWrench<T> {
    // As if the ball were 2: for a contact of `ball_on_fixed` all formulas are odd, so the other
    // order gives the negative.
    let free = usize::from(contact.fixed[0]);
    let fixed = &frames[contact.frames[1 - free]];
    let near = query_ball(
        &contact.forms[1 - free],
        fixed,
        contact.forms[free].radius,
        pose,
        hints.of(contact.slot),
    );
    let point = near.contact_point_w();
    let motion = ContactMotion {
        gap: near.gap,
        normal: near.normal_w,
        velocity: twist.velocity_at(&pose.position, &point),
        angular_velocity: twist.omega_w,
        point,
        // Only functions of the user look at it, and none of them comes here.
        time: 0.0,
    };
    let mut wrench = ContactWrench::of(model, contact, &motion);
    wrench.load(&pose.position, 1.0, load);
    if free == 0 {
        wrench.force_w = -wrench.force_w;
        wrench.torque_w = -wrench.torque_w;
    }
    wrench
}

/// Writes the wrenches of all contacts and what they do to the free bodies into the workspace.
pub fn apply<T: Real>(
    model: &Model,
    contacts: &[ActiveContact],
    hints: &Hints,
    work: &mut Workspace<T>,
) {
    for body in contacts.iter().flat_map(|contact| contact.bodies) {
        work.loads[body] = Load::zero();
    }
    work.dissipation = T::zero();
    work.deflection_rates.fill(Vec3::zeros());
    work.refused = None;
    for contact in contacts {
        let [form_1, form_2] = &contact.forms;
        let [pose_1, pose_2] = contact.frames.map(|frame| &work.frames[frame]);
        let near = query(form_1, pose_1, form_2, pose_2, hints.of(contact.slot));
        let motion = motion_of(&near, contact.bodies, work);
        let wrench = match contact.bristle() {
            None => ContactWrench::of(model, contact, &motion),
            Some((law, index)) => hold(model, contact, (law, index), &motion, work),
        };
        if contact.user && !wrench.is_finite() {
            work.refused = Some(contact.index);
        }
        work.dissipation += wrench.dissipation;
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = contact.bodies[side];
            wrench.load(&work.frames[body].position, sign, &mut work.loads[body]);
        }
        work.wrenches[contact.index] = wrench;
    }
}

/// The wrench of a contact whose friction has a deflection; writes the rate of that.
fn hold<T: Real>(
    model: &Model,
    contact: &ActiveContact,
    (law, index): (&StickLaw, usize),
    motion: &ContactMotion<T>,
    work: &mut Workspace<T>,
) -> ContactWrench<T> {
    let [omega_1, omega_2] = contact.bodies.map(|body| work.twists[body].omega_w);
    let bristle = Bristle {
        deflection: work.deflections[index],
        spin: (omega_1 + omega_2).dot(&motion.normal) * 0.5,
    };
    let (exerted, rate) = contact
        .law
        .force_of_bristle(law, motion, contact.frozen, &bristle);
    work.deflection_rates[index] = rate;
    ContactWrench::exerted(model, motion, &exerted)
}

/// Why a function of the user gave no force in the last [`apply`]; none where each did.
#[cold]
pub fn refusal(
    model: &Model,
    contacts: &[ActiveContact],
    hints: &Hints,
    work: &Workspace<f64>,
) -> Option<String> {
    let refused = work.refused?;
    let contact = contacts.iter().find(|contact| contact.index == refused)?;
    let [form_1, form_2] = &contact.forms;
    let [pose_1, pose_2] = contact.frames.map(|frame| &work.frames[frame]);
    let near = query(form_1, pose_1, form_2, pose_2, hints.of(contact.slot));
    let motion = motion_of(&near, contact.bodies, work);
    let reason = contact.law.refusal(&motion, contact.frozen);
    let reason = reason.unwrap_or_else(|| {
        "a law of the user refused once, and not when it was asked the same again; a law must not \
         remember"
            .into()
    });
    Some(format!("{}: {reason}", model.scene.pair_name(contact.pair)))
}

/// Writes what the contacts do to the fixed bodies, which no derivative needs.
pub fn load_fixed(model: &Model, contacts: &[ActiveContact], work: &mut Workspace<f64>) {
    for (load, body) in work.loads.iter_mut().zip(model.scene.bodies()) {
        if body.is_fixed() {
            *load = Load::zero();
        }
    }
    for contact in contacts {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let body = contact.bodies[side];
            if contact.fixed[side] {
                let wrench = &work.wrenches[contact.index];
                wrench.load(&work.frames[body].position, sign, &mut work.loads[body]);
            }
        }
    }
}

/// Motion of a pair at its contact point.
pub fn motion_of<T: Real>(
    near: &Proximity<T>,
    bodies: [usize; 2],
    work: &Workspace<T>,
) -> ContactMotion<T> {
    let point_w = near.contact_point_w();
    let [velocity_1, velocity_2] =
        bodies.map(|body| work.twists[body].velocity_at(&work.frames[body].position, &point_w));
    let [omega_1, omega_2] = bodies.map(|body| work.twists[body].omega_w);
    ContactMotion {
        gap: near.gap,
        normal: near.normal_w,
        velocity: velocity_2 - velocity_1,
        angular_velocity: omega_2 - omega_1,
        point: point_w,
        time: work.time,
    }
}
