//! Outline of a convex planar region of segments and arcs, and its cut by a half-plane.
//!
//! Corners run counter-clockwise. An arc spans at most a quarter of a circle, so that cross
//! products
//! tell what lies on it. Along an arc a depth is c' + |slope| r cos(t - t0): it leaves the inside
//! at
//! t0 + alpha and enters it at t0 - alpha, cos alpha = -c'/(|slope| r), whichever way it is cut.

/// Where an edge begins and what it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Where it begins [m].
    pub at: [f64; 2],
    /// Side of the half disc it is an arc of, 1 or -1 along the first axis; 0 for a segment.
    pub arc: f64,
}

/// Shape of a planar face about the origin of its chart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Two half discs of a radius about (-half, 0) and (half, 0) and the rectangle between them. A
    /// disc where half is 0.
    Stadium {
        /// Half the distance of the centres [m].
        half: f64,
        /// Radius [m].
        radius: f64,
    },
    /// Rectangle of these half lengths [m].
    Rectangle([f64; 2]),
}

/// c + x p_x + y p_y, positive inside.
pub(super) type Side = [f64; 3];

fn evaluate(side: &Side, p: &[f64; 2]) -> f64 {
    side[0] + side[1] * p[0] + side[2] * p[1]
}

pub(super) fn cross(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl Shape {
    /// Centre of the circle of an arc.
    pub fn center(&self, arc: f64) -> [f64; 2] {
        match self {
            Shape::Stadium { half, .. } => [arc * half, 0.0],
            Shape::Rectangle(_) => [0.0; 2],
        }
    }

    /// Radius of the arcs [m].
    pub fn radius(&self) -> f64 {
        match self {
            Shape::Stadium { radius, .. } => *radius,
            Shape::Rectangle(_) => 0.0,
        }
    }

    /// Largest amount by which an affine function of this slope differs from that at the origin.
    pub fn reach(&self, x: f64, y: f64) -> f64 {
        match self {
            Shape::Stadium { half, radius } => (x * x + y * y).sqrt() * radius + half * x.abs(),
            Shape::Rectangle([a, b]) => a * x.abs() + b * y.abs(),
        }
    }

    /// The outline of the whole face.
    pub fn outline(&self, corners: &mut Vec<Corner>) {
        corners.clear();
        let mut add = |x: f64, y: f64, arc: f64| corners.push(Corner { at: [x, y], arc });
        match *self {
            Shape::Stadium { half, radius } => {
                let straight = half > 0.0;
                add(half, -radius, 1.0);
                add(half + radius, 0.0, 1.0);
                if straight {
                    add(half, radius, 0.0);
                }
                add(-half, radius, -1.0);
                add(-half - radius, 0.0, -1.0);
                if straight {
                    add(-half, -radius, 0.0);
                }
            }
            Shape::Rectangle([a, b]) => {
                add(a, b, 0.0);
                add(-a, b, 0.0);
                add(-a, -b, 0.0);
                add(a, -b, 0.0);
            }
        }
    }

    /// Cuts an outline by a side and says whether anything is left.
    pub fn cut(&self, side: &Side, from: &[Corner], to: &mut Vec<Corner>) -> bool {
        to.clear();
        for (i, corner) in from.iter().enumerate() {
            let next = &from[(i + 1) % from.len()];
            let [l, l_next] = [corner, next].map(|corner| evaluate(side, &corner.at));
            if l >= 0.0 {
                to.push(*corner);
            }
            if corner.arc == 0.0 {
                if (l >= 0.0) != (l_next >= 0.0) {
                    let t = l / (l - l_next);
                    let at = [0, 1].map(|k| corner.at[k] + t * (next.at[k] - corner.at[k]));
                    to.push(Corner { at, arc: 0.0 });
                }
            } else {
                self.cut_arc(side, corner, next, [l, l_next], to);
            }
        }
        to.len() > 1
    }

    fn cut_arc(
        &self,
        side: &Side,
        corner: &Corner,
        next: &Corner,
        [l, l_next]: [f64; 2],
        to: &mut Vec<Corner>,
    ) {
        let steep = (side[1] * side[1] + side[2] * side[2]).sqrt();
        let (r, center) = (self.radius(), self.center(corner.arc));
        let middle = evaluate(side, &center);
        if steep == 0.0 {
            return;
        }
        let up = [side[1] / steep, side[2] / steep];
        let on_arc = |e: [f64; 2]| {
            let [a, b] = [corner, next].map(|c| [c.at[0] - center[0], c.at[1] - center[1]]);
            cross(&a, &e) > 0.0 && cross(&e, &b) > 0.0
        };
        let (leaves, enters) = match (l >= 0.0, l_next >= 0.0) {
            (true, false) => (true, false),
            (false, true) => (false, true),
            (true, true) => {
                let both = middle < steep * r && on_arc([-up[0], -up[1]]);
                (both, both)
            }
            (false, false) => {
                let both = middle > -steep * r && on_arc(up);
                (both, both)
            }
        };
        if !(leaves || enters) {
            return;
        }
        let reach = steep * r;
        let cos = (-middle / reach).clamp(-1.0, 1.0);
        let sin = ((reach - middle) * (reach + middle)).max(0.0).sqrt() / reach;
        let at = |sin: f64| {
            let e = [up[0] * cos - up[1] * sin, up[1] * cos + up[0] * sin];
            [center[0] + r * e[0], center[1] + r * e[1]]
        };
        let leave = Corner {
            at: at(sin),
            arc: 0.0,
        };
        let enter = Corner {
            at: at(-sin),
            arc: corner.arc,
        };
        match (leaves, enters, l >= 0.0) {
            (true, true, true) => to.extend([leave, enter]),
            (true, true, false) => to.extend([enter, leave]),
            (true, ..) => to.push(leave),
            _ => to.push(enter),
        }
    }
}
