//! Distance of points from the triangles of a surface, by a tree of boxes.

use super::hull::{Surface, bounds, distance_to_triangle};
use contact_geometry::math::Vec3;

/// Triangles of a leaf, at most.
const LEAF: usize = 4;

/// A box of the tree with its triangles, and its halves behind it.
struct Node {
    lower: Vec3,
    upper: Vec3,
    /// Range of the triangles, in the order of the tree.
    first: usize,
    end: usize,
    /// Index of the second half; the first follows the node. None in a leaf.
    second: Option<usize>,
}

/// The triangles of a surface, to be asked for distances.
pub struct Nearest {
    triangles: Vec<[Vec3; 3]>,
    nodes: Vec<Node>,
}

impl Nearest {
    /// Sorts the triangles of a surface into boxes.
    pub fn new(surface: &Surface) -> Self {
        let triangles = surface.triangles.iter().map(|t| surface.corners(t));
        let mut nearest = Nearest {
            triangles: triangles.collect(),
            nodes: Vec::new(),
        };
        nearest.build(0, nearest.triangles.len());
        nearest
    }

    /// Adds the node of a range of triangles, halved at the median along the longest edge of its
    /// box.
    fn build(&mut self, first: usize, end: usize) {
        let range = &mut self.triangles[first..end];
        let (lower, upper) = bounds(range.as_flattened());
        let index = self.nodes.len();
        self.nodes.push(Node {
            lower,
            upper,
            first,
            end,
            second: None,
        });
        if end - first > LEAF {
            let axis = (upper - lower).imax();
            let along = |t: &[Vec3; 3]| t[0][axis] + t[1][axis] + t[2][axis];
            range.sort_by(|one, two| along(one).total_cmp(&along(two)));
            let middle = (first + end) / 2;
            self.build(first, middle);
            self.nodes[index].second = Some(self.nodes.len());
            self.build(middle, end);
        }
    }

    /// Distance of a point from the nearest triangle, and that triangle; infinite where there is
    /// none.
    pub fn find(&self, point: &Vec3) -> (f64, [Vec3; 3]) {
        let (mut least, mut nearest) = (f64::INFINITY, [*point; 3]);
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            if self.to_box(index, point) >= least {
                continue;
            }
            match node.second {
                None => {
                    for triangle in &self.triangles[node.first..node.end] {
                        let [a, b, c] = triangle;
                        let distance = distance_to_triangle(point, a, b, c);
                        if distance < least {
                            (least, nearest) = (distance, *triangle);
                        }
                    }
                }
                Some(second) => {
                    let first = index + 1;
                    // The nearer half last, to be looked at first.
                    if self.to_box(first, point) < self.to_box(second, point) {
                        open.extend([second, first]);
                    } else {
                        open.extend([first, second]);
                    }
                }
            }
        }
        (least, nearest)
    }

    fn to_box(&self, index: usize, point: &Vec3) -> f64 {
        let node = &self.nodes[index];
        let outside = (node.lower - point).sup(&(point - node.upper));
        outside.sup(&Vec3::zeros()).norm()
    }
}
