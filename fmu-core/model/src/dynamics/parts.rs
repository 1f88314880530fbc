//! Parts: partition of the links into sets that do not act on each other between two events.
//!
//! Links act on each other if a joint or a contact connects them. Bodies without states - fixed, driven and
//! prescribed ones - connect nothing: links do not affect their motion. So the state derivatives of a part
//! depend on its states, on the inputs and on time alone.

use crate::dynamics::link::Links;
use contact_laws::index::{ActiveId, LinkId, PartId, TiSlice, TiVec};
use std::ops::Range;

/// Links that act on each other, as ranges of the lists of [`Parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub rigid: Range<usize>,
    pub trees: Range<usize>,
    pub contacts: Range<usize>,
    pub(crate) kind: PartKind,
}

/// Composition of a part: most have one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    /// One rigid link under gravity alone.
    Flight(LinkId),
    /// One rigid link with contacts or applied forces.
    Rigid(LinkId),
    /// Tree links, or several links.
    Links,
}

/// Parts of some links, in the order of their first links. Contacts between bodies without states belong to
/// none of them and come last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    list: TiVec<PartId, Part>,
    links: Vec<LinkId>,
    contacts: Vec<ActiveId>,
    /// Contacts that act on no link, among `contacts`.
    idle: Range<usize>,
    /// While dividing, for each member another one of its part with a lower index, or itself.
    leader: TiVec<LinkId, LinkId>,
    part_of: TiVec<LinkId, PartId>,
}

impl Parts {
    /// Divides these links (ascending, complete trees). `contacts` are the links of the two bodies of each
    /// contact, in the order of the ledger; `None` for bodies without states.
    pub(crate) fn divide(
        &mut self,
        links: &Links,
        members: &[LinkId],
        contacts: impl Iterator<Item = [Option<LinkId>; 2]> + Clone,
    ) {
        self.lead(links, members, contacts.clone());
        self.list.clear();
        for index in members {
            let leader = self.find(*index);
            // The leader has the lowest index of its part, so its part is known.
            let part = match leader == *index {
                true => self.list.push_and_get_key(Part::empty()),
                false => self.part_of[leader],
            };
            self.part_of[*index] = part;
            let part = &mut self.list[part];
            // Lengths first; the ranges follow from them.
            match links.is_rigid(*index) {
                true => part.rigid.end += 1,
                false => part.trees.end += 1,
            }
        }
        let part_of = &self.part_of;
        let of_contact = |ends: [Option<LinkId>; 2]| {
            let link = ends[0].or(ends[1])?;
            Some(part_of[link])
        };
        for part in contacts.clone().filter_map(of_contact) {
            self.list[part].contacts.end += 1;
        }
        let (mut link, mut contact) = (0, 0);
        for part in &mut self.list {
            let counts = [part.rigid.len(), part.trees.len(), part.contacts.len()];
            // Empty for now: they grow as they are filled.
            part.rigid = link..link;
            part.trees = link + counts[0]..link + counts[0];
            part.contacts = contact..contact;
            link += counts[0] + counts[1];
            contact += counts[2];
        }
        self.idle = contact..contact;
        self.links.clear();
        self.links.resize(members.len(), LinkId::FIRST);
        for index in members {
            let part = &mut self.list[self.part_of[*index]];
            let range = match links.is_rigid(*index) {
                true => &mut part.rigid,
                false => &mut part.trees,
            };
            self.links[range.end] = *index;
            range.end += 1;
        }
        self.contacts.clear();
        self.contacts
            .resize(contacts.clone().count(), ActiveId::FIRST);
        for (index, ends) in contacts.enumerate() {
            let range = match of_contact(ends) {
                Some(part) => &mut self.list[part].contacts,
                None => &mut self.idle,
            };
            self.contacts[range.end] = ActiveId::from(index);
            range.end += 1;
        }
        for part in &mut self.list {
            part.kind = match &self.links[part.rigid.start..part.trees.end] {
                [link] if links.is_rigid(*link) => {
                    match part.contacts.is_empty() && links.all[*link].applied.is_empty() {
                        true => PartKind::Flight(*link),
                        false => PartKind::Rigid(*link),
                    }
                }
                _ => PartKind::Links,
            };
        }
    }

    /// Finds the first link of the part of each of these links.
    fn lead(
        &mut self,
        links: &Links,
        members: &[LinkId],
        contacts: impl Iterator<Item = [Option<LinkId>; 2]>,
    ) {
        if self.leader.len() != links.all.len() {
            self.leader.clear();
            self.leader.extend(links.all.keys());
            self.part_of.clear();
            self.part_of.resize(links.all.len(), PartId::FIRST);
        }
        for index in members {
            self.leader[*index] = *index;
        }
        for index in members {
            if let Some(parent) = links.all[*index].parent {
                self.join(*index, parent);
            }
        }
        for ends in contacts {
            if let [Some(one), Some(other)] = ends {
                self.join(one, other);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn list(&self) -> &TiSlice<PartId, Part> {
        &self.list
    }

    /// Links divided last, by part.
    pub(crate) fn links(&self) -> &[LinkId] {
        &self.links
    }

    #[inline(always)]
    pub(crate) fn of_part(&self, part: &Part) -> &[LinkId] {
        &self.links[part.rigid.start..part.trees.end]
    }

    /// Rigid links of a part, as indices among [`Links::all`].
    #[inline(always)]
    pub(crate) fn rigid(&self, part: &Part) -> &[LinkId] {
        &self.links[part.rigid.clone()]
    }

    /// Tree links of a part, parents before children.
    #[inline(always)]
    pub(crate) fn trees(&self, part: &Part) -> &[LinkId] {
        &self.links[part.trees.clone()]
    }

    #[inline(always)]
    pub(crate) fn contacts(&self, part: &Part) -> &[ActiveId] {
        &self.contacts[part.contacts.clone()]
    }

    pub(crate) fn idle(&self) -> &[ActiveId] {
        &self.contacts[self.idle.clone()]
    }

    pub(crate) fn of_links(&self) -> &TiSlice<LinkId, PartId> {
        &self.part_of
    }

    fn find(&mut self, mut link: LinkId) -> LinkId {
        while self.leader[link] != link {
            let next = self.leader[link];
            self.leader[link] = self.leader[next];
            link = next;
        }
        link
    }

    fn join(&mut self, one: LinkId, other: LinkId) {
        let [one, other] = [self.find(one), self.find(other)];
        let [low, high] = [one.min(other), one.max(other)];
        self.leader[high] = low;
    }
}

impl Part {
    fn empty() -> Self {
        Part {
            rigid: 0..0,
            trees: 0..0,
            contacts: 0..0,
            kind: PartKind::Links,
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/dynamics/parts.rs"]
mod tests;
