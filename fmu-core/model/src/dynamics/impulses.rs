//! Impulses at an event: contacts that start faster than their rest speed, and those that these set in
//! motion, change the velocities of all bodies concerned instantaneously.
//!
//! 1. Each contact whose law has an impulse gives a meeting ([`Meeting`]): its point, its frame and its
//!    velocities there.
//! 2. Approaching contacts are hit, first all that start, then in turn the fastest, as in
//!    [`propagate`](contact_laws::impact); those that share trees simultaneously, with the inverse mass W = A
//!    M^-1 A^T for unit impulses along each component through the trees ([`Jumps`]), see
//!    [`impact`](contact_laws::impact). The velocities of all other meetings follow from the jumps. A contact
//!    over an area that is hit alone presses by its law, [`pressing`].
//! 3. With [`MultiImpact::Together`] and [`MultiImpact::Compliant`] all meetings connected by contacts are
//!    solved simultaneously.
//!
//! Poses are unchanged. A contact at rest or below its rest speed is left to the force of its law.

use crate::contact::Strike;
use crate::dynamics::contacts::Mode;
use crate::dynamics::guard::Meeting;
use crate::dynamics::source::PairImpulse;
use crate::dynamics::tree::Jumps;
use crate::dynamics::workspace::Workspace;
use crate::dynamics::{Model, pressing};
use crate::scene::description::ForceAxes;
use contact_geometry::math::Vec3;
use contact_geometry::narrow_phase::area::Patch;
use contact_laws::impact::{self, COMPONENTS, Impact, Outcome, Solution, TIE, Touch};
use contact_laws::index::{ActiveId, DrivenId, LinkId, PairId};
use contact_laws::response::choice::MultiImpact;
use nalgebra::DMatrix;

/// Minimum bound on hits at one event; remaining approach ends without expansion.
const MOST_HITS: u32 = 1000;
/// Bound on hits per meeting.
const MOST_HITS_EACH: u32 = 10;
/// Maximum number of meetings solved simultaneously [1]: their inverse mass has 36 entries for each two of
/// them.
const MOST_TOGETHER: usize = 200;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImpulseSummary {
    pub energy_change: f64,
    pub hits: u32,
    pub capped: bool,
}

/// Contact that may transmit an impulse, in an event.
#[derive(Clone, Debug)]
struct Member {
    contact: ActiveId,
    meeting: Meeting,
    /// Whether an impulse of this event has changed its velocities, or it starts.
    is_struck: bool,
    is_next: bool,
    /// Whether it is hit individually in its turn, not together with connected meetings.
    is_in_turn: bool,
    /// Whether it is left to the force of its law: no impulse changes its approach, or hits have no end.
    is_left: bool,
    impulses: [f64; COMPONENTS],
}

impl Member {
    fn approach(&self) -> f64 {
        -self.meeting.velocities[0]
    }

    fn approaches(&self) -> bool {
        self.is_struck && !self.is_left && self.approach() > self.meeting.touch.rest_speed
    }

    fn starts(&self) -> bool {
        self.meeting.touch.starts && self.approaches()
    }
}

/// Method for a group of meetings.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Together,
    Hit,
    /// Without expansion, for endless hits.
    Stop,
}

/// Meetings that are solved simultaneously, ascending.
struct MeetingGroup {
    members: Vec<usize>,
    /// Links of all their trees, ascending.
    links: Vec<LinkId>,
    /// Whether more are connected than can be solved simultaneously.
    is_cut: bool,
}

#[derive(Debug)]
pub struct Impulses {
    jumps: Jumps,
    members: Vec<Member>,
    patch: Patch<f64>,
    list: Vec<PairImpulse>,
    summary: ImpulseSummary,
}

impl Impulses {
    pub(crate) fn new(model: &Model) -> Self {
        Impulses {
            jumps: match model.has_impulses {
                true => Jumps::new(model),
                false => Jumps::default(),
            },
            members: Vec::new(),
            patch: model.scene.patch(),
            list: Vec::new(),
            summary: ImpulseSummary::default(),
        }
    }

    pub fn list(&self) -> &[PairImpulse] {
        &self.list
    }

    pub fn summary(&self) -> &ImpulseSummary {
        &self.summary
    }

    /// Adds the velocity jumps to the states. The workspace has the bodies placed and trees factored at them.
    /// `starts` returns true for a pair whose contact starts at this event; `struck` says that velocities
    /// have also changed otherwise, so that persistent contacts may approach. Returns true if a state has
    /// changed.
    pub(crate) fn respond(
        &mut self,
        mode: &Mode,
        work: &Workspace<f64>,
        states: &mut [f64],
        starts: impl Fn(PairId) -> bool,
        struck: bool,
    ) -> bool {
        self.list.clear();
        self.summary = ImpulseSummary::default();
        let mut contacts = mode.contacts.list().iter();
        if !mode.model.has_impulses || !(struck || contacts.any(|c| starts(c.pair))) {
            return false;
        }
        self.find_members(mode, work, starts, struck);
        while self.members.iter().any(Member::approaches) {
            self.solve_next(mode, work, states);
        }
        self.note_impulses(&mode.model, work);
        if let Some(lost) = mode.model.scene.layout().work() {
            states[lost] -= self.summary.energy_change;
        }
        !self.list.is_empty()
    }

    fn find_members(
        &mut self,
        mode: &Mode,
        work: &Workspace<f64>,
        starts: impl Fn(PairId) -> bool,
        struck: bool,
    ) {
        self.members.clear();
        let multi = mode.model.scene.contact().multi_impact;
        for (index, contact) in mode.contacts.list().iter_enumerated() {
            let starts = starts(contact.pair);
            if contact.moves.contains(&true)
                && let Some(meeting) = Meeting::of(mode, contact, work, starts, &mut self.patch)
            {
                let mut member = Member {
                    contact: index,
                    meeting,
                    is_struck: starts || struck,
                    is_in_turn: multi == MultiImpact::Propagate,
                    is_next: false,
                    is_left: false,
                    impulses: [0.0; COMPONENTS],
                };
                // One that comes to approach later has to wait for its turn.
                member.meeting.touch.starts = member.starts();
                self.members.push(member);
            }
        }
    }

    fn solve_next(&mut self, mode: &Mode, work: &Workspace<f64>, states: &mut [f64]) {
        let model = &*mode.model;
        let Some(first) = self.members.iter().position(Member::approaches) else {
            return;
        };
        let (group, how) = if self.summary.hits >= self.most_hits() {
            (self.group_of(model, first, |_| true), How::Stop)
        } else if self.members[first].is_in_turn {
            self.choose_next();
            let next = self.members.iter().position(|m| m.is_next);
            let is_next = |m: usize| self.members[m].is_next;
            (
                self.group_of(model, next.unwrap_or(first), is_next),
                How::Hit,
            )
        } else {
            let group = self.group_of(model, first, |_| true);
            if group.is_cut {
                self.summary.capped = true;
                for member in group.members {
                    self.members[member].is_in_turn = true;
                }
                return;
            }
            (group, How::Together)
        };
        let MeetingGroup { members, links, .. } = group;
        let outcome = self.outcome(mode, &members, &links, how, work);
        match &outcome {
            Some(outcome) => self.take(model, &members, &links, outcome, work, states),
            None => self.jumps.clear(model, &links),
        }
        let cut_short = how == How::Together && outcome.as_ref().is_some_and(|o| o.capped);
        let is_over = how == How::Stop || outcome.is_none() || cut_short;
        for member in members {
            let member = &mut self.members[member];
            member.is_next = false;
            member.is_left |= is_over && member.approaches();
        }
    }

    fn most_hits(&self) -> u32 {
        MOST_HITS.max(MOST_HITS_EACH.saturating_mul(self.members.len() as u32))
    }

    /// Selects the meetings hit next, after all selected before: those that start, then the fastest, with
    /// equally fast ones.
    fn choose_next(&mut self) {
        let mut all = self.members.iter();
        if all.any(|m| m.is_next) {
            return;
        }
        let approaches = |m: &Member| m.is_in_turn && m.approaches();
        let mut all = self.members.iter();
        let one_starts = all.any(|m| approaches(m) && m.meeting.touch.starts);
        let speeds = self.members.iter().filter(|m| approaches(m));
        let fastest = speeds.map(Member::approach).fold(0.0, f64::max);
        for member in self.members.iter_mut().filter(|m| approaches(m)) {
            member.is_next = match one_starts {
                true => std::mem::take(&mut member.meeting.touch.starts),
                false => member.approach() >= fastest * (1.0 - TIE),
            };
        }
    }

    /// Outcome of a group; `None` if no impulse changes the approach.
    fn outcome(
        &mut self,
        mode: &Mode,
        members: &[usize],
        links: &[LinkId],
        how: How,
        work: &Workspace<f64>,
    ) -> Option<Outcome> {
        let model = &*mode.model;
        let contact = model.scene.contact();
        let inverse_mass = self.inverse_mass(model, members, links, work);
        let meetings = members.iter().map(|m| &self.members[*m].meeting);
        let velocities: Vec<f64> = meetings.clone().flat_map(|m| m.velocities).collect();
        let touches: Vec<Touch> = meetings.map(|m| m.touch).collect();
        let impact = Impact {
            inverse_mass: &inverse_mass,
            velocities: &velocities,
            touches: &touches,
            hypothesis: contact.impact_law,
            multi: contact.multi_impact,
        };
        if let ([one], true) = (members, how != How::Stop)
            && let Some(sum) = pressed(mode, &self.members[*one], &impact, work, &mut self.patch)
        {
            return Some(impact::outcome(&impact, sum));
        }
        match how {
            How::Together => impact::solve(&impact),
            How::Hit => impact::hit(&impact),
            How::Stop => Some(impact::stop(&impact)),
        }
    }

    /// The first meeting and all connected to it through trees, over meetings that `may` belong to it.
    fn group_of(&self, model: &Model, first: usize, may: impl Fn(usize) -> bool) -> MeetingGroup {
        let roots = |m: usize| {
            let bodies = self.members[m].meeting.bodies.iter();
            let links = bodies.filter_map(|body| model.links.of_bodies[*body]);
            links.map(|link| model.links.roots[link])
        };
        let mut members = vec![first];
        let mut is_member = vec![false; self.members.len()];
        is_member[first] = true;
        let mut known: Vec<LinkId> = roots(first).collect();
        let mut reached = 0;
        let mut is_cut = false;
        while reached < known.len() && !is_cut {
            let root = known[reached];
            reached += 1;
            let is_on = |m: &usize| may(*m) && !is_member[*m] && roots(*m).any(|own| own == root);
            let new: Vec<usize> = (0..self.members.len()).filter(is_on).collect();
            let room = MOST_TOGETHER - members.len();
            is_cut = new.len() > room;
            for m in new.into_iter().take(room) {
                members.push(m);
                is_member[m] = true;
                let others: Vec<LinkId> = roots(m).filter(|own| !known.contains(own)).collect();
                known.extend(others);
            }
        }
        members.sort_unstable();
        let mut all_roots: Vec<LinkId> = members.iter().flat_map(|m| roots(*m)).collect();
        all_roots.sort_unstable();
        let links = model.links.roots.iter_enumerated();
        let links = links.filter(|(_, root)| all_roots.binary_search(root).is_ok());
        MeetingGroup {
            links: links.map(|(link, _)| link).collect(),
            members,
            is_cut,
        }
    }

    /// Inverse mass W of these meetings, by their components in succession.
    fn inverse_mass(
        &mut self,
        model: &Model,
        members: &[usize],
        links: &[LinkId],
        work: &Workspace<f64>,
    ) -> DMatrix<f64> {
        let size = COMPONENTS * members.len();
        let mut matrix = DMatrix::zeros(size, size);
        let mut unit = [0.0; COMPONENTS];
        for (place, member) in members.iter().enumerate() {
            for component in 0..COMPONENTS {
                unit[component] = 1.0;
                self.jumps.clear(model, links);
                let meeting = &self.members[*member].meeting;
                push(&mut self.jumps, model, meeting, &unit, work);
                self.jumps.solve(model, links, work);
                unit[component] = 0.0;
                for (row, other) in members.iter().enumerate() {
                    let jump = change(&self.jumps, &self.members[*other].meeting, work);
                    let column = COMPONENTS * place + component;
                    for (i, value) in jump.into_iter().enumerate() {
                        matrix[(COMPONENTS * row + i, column)] = value;
                    }
                }
            }
        }
        // Symmetric but for rounding.
        (&matrix + matrix.transpose()) * 0.5
    }

    /// Applies the impulses of these meetings to states and to the velocities of all meetings.
    fn take(
        &mut self,
        model: &Model,
        members: &[usize],
        links: &[LinkId],
        outcome: &Outcome,
        work: &Workspace<f64>,
        states: &mut [f64],
    ) {
        self.jumps.clear(model, links);
        for (member, impulses) in members
            .iter()
            .zip(outcome.impulses.chunks_exact(COMPONENTS))
        {
            let member = &mut self.members[*member];
            member.meeting.touch.starts = false;
            push(&mut self.jumps, model, &member.meeting, impulses, work);
            for (sum, impulse) in member.impulses.iter_mut().zip(impulses) {
                *sum += impulse;
            }
        }
        self.jumps.solve(model, links, work);
        self.jumps.write(model, links, states);
        for Member {
            meeting, is_struck, ..
        } in &mut self.members
        {
            let jump = change(&self.jumps, meeting, work);
            *is_struck |= jump.iter().any(|part| *part != 0.0);
            for (velocity, jump) in meeting.velocities.iter_mut().zip(jump) {
                *velocity += jump;
            }
        }
        self.jumps.clear(model, links);
        self.summary.energy_change += outcome.checks.energy_change;
        self.summary.hits += outcome.hits.max(1);
        self.summary.capped |= outcome.capped;
    }

    fn note_impulses(&mut self, model: &Model, work: &Workspace<f64>) {
        for Member {
            meeting, impulses, ..
        } in &self.members
        {
            if impulses.iter().any(|part| *part != 0.0) {
                let [impulse_w, moment_w] = meeting.wrench(impulses);
                self.list.push(PairImpulse {
                    pair: meeting.pair,
                    impulse_w,
                    point_w: meeting.point_w,
                    moment_w,
                    strikes: strikes(model, meeting, [impulse_w, moment_w], work),
                });
            }
        }
    }
}

/// Impulses of a contact over an area that is hit alone; `None` for others.
fn pressed(
    mode: &Mode,
    member: &Member,
    impact: &Impact<'_>,
    work: &Workspace<f64>,
    patch: &mut Patch<f64>,
) -> Option<Solution> {
    let contact = &mode.contacts.list()[member.contact];
    let is_hit = member.approach() > impact::least_approaches(impact)[0];
    (contact.over_area && is_hit)
        .then(|| pressing::solve(mode, contact, &member.meeting, impact, work, patch))
        .flatten()
}

/// Effects of a meeting's impulse and moment, world axes, on its driven bodies.
fn strikes(
    model: &Model,
    meeting: &Meeting,
    [impulse_w, moment_w]: [Vec3; 2],
    work: &Workspace<f64>,
) -> [Option<(DrivenId, Strike)>; 2] {
    [(meeting.bodies[0], -1.0), (meeting.bodies[1], 1.0)].map(|(body, sign)| {
        let driven = model.driven.position(|driven| driven.body == body)?;
        let pose = &work.frames[body.frame()];
        let moment_w = (meeting.point_w - pose.position).cross(&impulse_w) + moment_w;
        let [impulse, moment] = [impulse_w, moment_w].map(|vector_w| {
            match model.scene.bodies()[body].drive.wrench_axes {
                ForceAxes::Body => pose.rotation.tr_mul(&vector_w) * sign,
                ForceAxes::World => vector_w * sign,
            }
        });
        let strike = Strike {
            time: work.time,
            impulse: impulse.into(),
            moment: moment.into(),
        };
        Some((driven, strike))
    })
}

fn push(
    jumps: &mut Jumps,
    model: &Model,
    meeting: &Meeting,
    components: &[f64],
    work: &Workspace<f64>,
) {
    let [impulse_w, moment_w] = meeting.wrench(components);
    for (body, sign) in meeting.bodies.into_iter().zip([-1.0, 1.0]) {
        if model.links.of_bodies[body].is_some() {
            let origin_w = &work.frames[body.frame()].position;
            let (impulse_w, moment_w) = (impulse_w * sign, moment_w * sign);
            jumps.add(body, origin_w, &meeting.point_w, &impulse_w, &moment_w);
        }
    }
}

fn change(jumps: &Jumps, meeting: &Meeting, work: &Workspace<f64>) -> [f64; COMPONENTS] {
    let [jump_1, jump_2] = meeting.bodies.map(|body| {
        let offset = meeting.point_w - work.frames[body.frame()].position;
        jumps.of_bodies[body].motion_at(&offset)
    });
    meeting.components(
        &(jump_2.linear - jump_1.linear),
        &(jump_2.angular - jump_1.angular),
    )
}
