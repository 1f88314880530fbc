//! Order of the joints of long chains.

use crate::fixtures::*;
use contact_laws::index::JointId;

#[test]
fn joints_given_from_the_leaf_to_the_root_are_ordered_from_the_root_to_the_leaf() {
    let mut description = chain(5);
    description.joints.reverse();
    let scene = Scene::new(description).expect("a valid scene");
    assert_eq!(scene.tree_order(), [4, 3, 2, 1, 0].map(JointId::from));
}

#[test]
fn a_long_chain_is_a_scene_too() {
    let scene = Scene::new(chain(1000)).expect("a valid scene");
    assert!(scene.tree_order().iter().copied().eq(scene.joints().keys()));
}
