//! What the integrations of islands remember from one window to the next.

use crate::dynamics::island::Island;
use crate::integrator::Memory;
use contact_laws::index::{LinkId, TiVec};
use serde::{Deserialize, Serialize};

/// The memory of each island of the last window; nothing before the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Memories {
    links: TiVec<LinkId, Remembered>,
    /// Length of the last window [s].
    window: Option<f64>,
}

/// What is kept for a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Remembered {
    /// First link of its island.
    leader: LinkId,
    /// Of a first link: number of links, and the memory.
    island: Option<(u32, Memory)>,
}

impl Memories {
    /// Returns true if they can belong to a scene with so many links.
    pub fn fit(&self, links: usize) -> bool {
        let is_known = |link: &Remembered| usize::from(link.leader) < links;
        (self.links.is_empty() || self.links.len() == links)
            && self.links.iter().all(is_known)
            && self.window.is_none_or(|w| w > 0.0 && w.is_finite())
    }

    /// Length of the last window [s]; none before the first.
    pub fn window(&self) -> Option<f64> {
        self.window
    }

    /// Notes the length of a window [s].
    pub fn set_window(&mut self, window: f64) {
        self.window = Some(window);
    }

    /// All forget their step sizes, see [`Memory::restart`].
    pub fn restart(&mut self) {
        self.each(Memory::restart);
    }

    /// The same after an event of all, see [`Memory::restart_after_event`].
    pub fn restart_after_event(&mut self) {
        self.each(Memory::restart_after_event);
    }

    fn each(&mut self, change: impl Fn(&mut Memory)) {
        let islands = self
            .links
            .iter_mut()
            .filter_map(|link| link.island.as_mut());
        islands.for_each(|(_, memory)| change(memory));
    }

    /// The memory that an island begins with: its own if it was one before, otherwise what those
    /// that its links come from agree on.
    pub fn of_island(&self, island: &Island) -> Memory {
        let links = island.links.iter().filter_map(|link| self.links.get(*link));
        let mut leaders: Vec<LinkId> = links.map(|link| link.leader).collect();
        leaders.sort_unstable();
        leaders.dedup();
        let known = leaders
            .iter()
            .filter_map(|leader| self.links[*leader].island.as_ref());
        let mut found: Option<Memory> = None;
        let mut count = 0;
        for (links, memory) in known {
            count += *links as usize;
            match &mut found {
                None => found = Some(memory.clone()),
                Some(found) => found.join(memory),
            }
        }
        let mut memory = found.unwrap_or_default();
        if count != island.links.len() {
            memory.forget_jacobian();
        }
        memory
    }

    /// Keeps the memory of an island in a scene with so many links.
    pub fn keep(&mut self, links: usize, island: &Island, memory: Memory) {
        let Some(leader) = island.links.first().copied() else {
            return;
        };
        if self.links.len() != links {
            self.links.clear();
            let alone = |leader| Remembered {
                leader,
                island: None,
            };
            self.links
                .extend((0..links).map(|link| alone(LinkId::from(link))));
        }
        for link in &island.links {
            self.links[*link] = Remembered {
                leader,
                island: None,
            };
        }
        self.links[leader].island = Some((island.links.len() as u32, memory));
    }
}
