//! Work grows with the number of joints, not with a power of it.

use super::*;
use crate::dynamics::pipeline;
use crate::dynamics::workspace::Workspace;

#[test]
fn each_inertia_is_carried_to_the_parent_once() {
    for links in [50, 100] {
        let model = bound(&chain(links));
        let mut work: Workspace<f64> = Workspace::new(&model);
        pipeline::place(
            &model,
            &model.links.indices,
            &mut work,
            &model.scene.start_states(),
        );
        let ledger = Ledger::new(&model.scene);
        pipeline::factor(
            &model,
            &model.links.tree_indices,
            ledger.latches(),
            &mut work,
        );
        // All but the first link, which hangs on the world.
        assert_eq!(work.tree.shifts, links as u64 - 1);
    }
}
