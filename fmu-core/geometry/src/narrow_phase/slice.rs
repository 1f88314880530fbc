//! A plane and a line through a cylinder, cone or beam, in the frame of its core.

use crate::math::Vec3;
use crate::narrow_phase::area::Linear;
use crate::shapes::{Beam, Cone, Core, Cylinder};

/// Steps to the farthest point of a slice before angles are halved, which need [`HALVINGS`]: mostly 16, at most 29
/// in 12,000 slices of four shapes.
const QUICK: usize = 40;
/// Number of bisections of an angle: down to its rounding.
const HALVINGS: usize = 54;
/// Distance from a plane or a face, relative to the size of the core, that is rounding.
const ROUNDING: f64 = 4e-16;
/// Length relative to the size of the core from which two farthest points are those of a face, not of a curve.
const FACE: f64 = 1e-6;
/// Sine of the angle of two directions below which they are parallel.
const PARALLEL: f64 = 1e-12;

/// Point of a slice farthest along a direction.
pub(super) struct Farthest {
    pub(super) point: Vec3,
    /// l: the core is farthest along the direction plus l times the gradient of the plane there [1].
    pub(super) share: f64,
}

/// A direction, the point of a core farthest along it, and the value of a plane there [m].
#[derive(Clone, Copy)]
struct Look {
    way: Vec3,
    point: Vec3,
    value: f64,
}

/// Point of a core farthest along `direction` where `plane`, of unit gradient, is zero, any for a direction
/// normal to the plane; `None` if it is nowhere, or if it shows that it is not farther than `least` [m].
///
/// The farthest point along d + l a, with a the gradient, moves along a as l grows, and no point of the plane is
/// farther along d + l a than that one. From two points on either side of the plane the search goes on normal to
/// their chord, which ends on a face, and where the value would be zero if it were linear, in turn.
pub(super) fn farthest_on(
    core: &Core,
    direction: &Vec3,
    plane: &Linear,
    least: f64,
) -> Option<Farthest> {
    let a = plane.gradient;
    let along = direction.dot(&a);
    let mut across = direction - a * along;
    let mut size = across.norm();
    let is_normal = size <= PARALLEL * direction.norm();
    if is_normal {
        let mut axis = Vec3::zeros();
        axis[a.iamin()] = 1.0;
        across = a.cross(&axis);
        size = across.norm();
    }
    let look = |way: Vec3| {
        let point = core.support(&way);
        let value = plane.at(&point);
        Look { way, point, value }
    };
    let (mut low, mut high) = (look(-a), look(a));
    if low.value > 0.0 || high.value < 0.0 {
        return None;
    }
    let reach = core.solid().largest_coordinate();
    let mut now = look(across / size);
    let mut is_on_face = false;
    for step in 0..QUICK + HALVINGS {
        let factor = size / (now.way.dot(&across) / size).max(PARALLEL);
        let share = factor * now.way.dot(&a) - along;
        if !is_normal && factor * now.way.dot(&now.point) + share * plane.at_0 <= least {
            return None;
        }
        if is_on_face {
            break;
        }
        if now.value.abs() <= ROUNDING * reach {
            (low, high) = (now, now);
            break;
        }
        *(if now.value < 0.0 { &mut low } else { &mut high }) = now;
        let chord = high.point - low.point;
        let normal = across * a.dot(&chord) - a * across.dot(&chord);
        let is_normal_to_chord = step % 2 == 0 && step < QUICK && normal.norm() > 0.0;
        let way = match is_normal_to_chord {
            true => normal,
            false if step < QUICK => low.way * high.value - high.way * low.value,
            false => low.way + high.way,
        };
        now = look(way.normalize());
        let beyond = (now.point - low.point).dot(&now.way);
        is_on_face =
            is_normal_to_chord && beyond <= ROUNDING * reach && chord.norm() > FACE * reach;
    }
    let between = high.value - low.value;
    let part = if between > 0.0 {
        -low.value / between
    } else {
        0.5
    };
    let turned = now.way.dot(&across) / size;
    let share = size * now.way.dot(&a) / turned.max(PARALLEL);
    Some(Farthest {
        point: low.point + (high.point - low.point) * part,
        share: if is_normal { -along } else { share - along },
    })
}

/// Interval of the parameter of a line; empty if the first end is greater.
pub(super) type Interval = [f64; 2];

const ALL: Interval = [f64::NEG_INFINITY, f64::INFINITY];
const NONE: Interval = [f64::INFINITY, f64::NEG_INFINITY];

fn common(one: Interval, other: Interval) -> Interval {
    [one[0].max(other[0]), one[1].min(other[1])]
}

/// Where c + s t >= 0.
pub(super) fn half_line(c: f64, s: f64) -> Interval {
    if s > 0.0 {
        [-c / s, f64::INFINITY]
    } else if s < 0.0 {
        [f64::NEG_INFINITY, -c / s]
    } else if c >= 0.0 {
        ALL
    } else {
        NONE
    }
}

fn slab(ends: [f64; 2], at: f64, slope: f64) -> Interval {
    common(
        half_line(at - ends[0], slope),
        half_line(ends[1] - at, -slope),
    )
}

/// Where a t^2 + 2 b t + c <= 0, within an interval that meets one of its two parts at most.
fn below(a: f64, b: f64, c: f64, within: Interval) -> Interval {
    let squared = b * b - a * c;
    if squared < 0.0 {
        return if a > 0.0 || a == 0.0 && c > 0.0 {
            NONE
        } else {
            within
        };
    }
    let q = -(b + squared.sqrt().copysign(b));
    if a == 0.0 {
        return common(half_line(-c, -2.0 * b), within);
    }
    let [x, y] = [q / a, if q == 0.0 { 0.0 } else { c / q }];
    let (low, high) = (x.min(y), x.max(y));
    if a > 0.0 {
        return common([low, high], within);
    }
    let before = common([f64::NEG_INFINITY, low], within);
    let behind = common([high, f64::INFINITY], within);
    if before[1] - before[0] >= behind[1] - behind[0] {
        before
    } else {
        behind
    }
}

/// Part of the line o + t u in a core; nothing for other cores.
pub(super) fn on_line(core: &Core, o: &Vec3, u: &Vec3) -> Interval {
    let disc = |x: [f64; 2], d: [f64; 2], radius: f64| {
        let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
        below(dot(d, d), dot(x, d), dot(x, x) - radius * radius, ALL)
    };
    match core {
        Core::Cylinder(Cylinder { radius, half }) => {
            let ends = slab([-half, *half], o.z, u.z);
            common(disc([o.x, o.y], [u.x, u.y], *radius), ends)
        }
        Core::Cone(Cone { z, radii }) => {
            let slope = (radii[1] - radii[0]) / (z[1] - z[0]);
            let (r, grows) = (radii[0] + slope * (o.z - z[0]), slope * u.z);
            let a = u.x * u.x + u.y * u.y - grows * grows;
            let b = o.x * u.x + o.y * u.y - r * grows;
            let c = o.x * o.x + o.y * o.y - r * r;
            below(a, b, c, slab(*z, o.z, u.z))
        }
        Core::Beam(Beam {
            half,
            radius,
            half_thickness,
        }) => {
            let flat = common(
                slab([-radius, *radius], o.x, u.x),
                slab([-half, *half], o.z, u.z),
            );
            let ends = [-half, *half].map(|z| disc([o.x, o.z - z], [u.x, u.z], *radius));
            let [low, high] = [flat, ends[0], ends[1]]
                .iter()
                .filter(|[low, high]| low <= high)
                .fold(NONE, |all, one| [all[0].min(one[0]), all[1].max(one[1])]);
            common(
                [low, high],
                slab([-half_thickness, *half_thickness], o.y, u.y),
            )
        }
        _ => NONE,
    }
}

/// Points of a circle about a core axis in a plane; none if it does not meet it.
fn of_circle(center: Vec3, radius: f64, axis: usize, plane: &Linear) -> impl Iterator<Item = Vec3> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (a, b) = (plane.gradient[i], plane.gradient[j]);
    let across = (a * a + b * b).sqrt();
    let cos = -plane.at(&center) / (radius * across);
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let both = [sin, -sin].into_iter().filter(move |_| cos.abs() < 1.0);
    both.map(move |sin| {
        let mut point = center;
        point[i] += radius * (a * cos - b * sin) / across;
        point[j] += radius * (b * cos + a * sin) / across;
        point
    })
}

/// Calls `look` with the points in a plane at which a core has an edge; some may be beside it.
pub(super) fn for_each_rim_point(core: &Core, plane: &Linear, mut look: impl FnMut(Vec3)) {
    match core {
        Core::Cylinder(Cylinder { radius, half }) => {
            for z in [-half, *half] {
                of_circle(Vec3::z() * z, *radius, 2, plane).for_each(&mut look);
            }
        }
        Core::Cone(Cone { z, radii }) => {
            for end in 0..2 {
                of_circle(Vec3::z() * z[end], radii[end], 2, plane).for_each(&mut look);
            }
        }
        Core::Beam(Beam {
            half,
            radius,
            half_thickness,
        }) => {
            for y in [-half_thickness, *half_thickness] {
                for z in [-half, *half] {
                    of_circle(Vec3::new(0.0, y, z), *radius, 1, plane).for_each(&mut look);
                }
                for x in [-radius, *radius] {
                    let middle = Vec3::new(x, y, 0.0);
                    let z = -plane.at(&middle) / plane.gradient.z;
                    if z.abs() < *half {
                        look(middle + Vec3::z() * z);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Outward normal of a core at a point of its surface; at a tip or on the axis, along that.
pub(super) fn normal_at(core: &Core, x: &Vec3) -> Vec3 {
    let flat = |axis: usize| {
        let mut normal = Vec3::zeros();
        normal[axis] = 1.0_f64.copysign(x[axis]);
        normal
    };
    match core {
        Core::Cylinder(Cylinder { radius, half }) => {
            let rho = (x.x * x.x + x.y * x.y).sqrt();
            if rho == 0.0 || half - x.z.abs() <= radius - rho {
                flat(2)
            } else {
                Vec3::new(x.x, x.y, 0.0) / rho
            }
        }
        Core::Cone(Cone { z, radii }) => {
            let slope = (radii[1] - radii[0]) / (z[1] - z[0]);
            let rho = (x.x * x.x + x.y * x.y).sqrt();
            let out = radii[0] + slope * (x.z - z[0]) - rho;
            let [bottom, top] = [x.z - z[0], z[1] - x.z];
            if rho == 0.0 || bottom.min(top) <= out {
                return Vec3::z() * if bottom < top { -1.0 } else { 1.0 };
            }
            Vec3::new(x.x, x.y, -slope * rho).normalize()
        }
        Core::Beam(Beam {
            half,
            radius,
            half_thickness,
        }) => {
            let beyond = x.z - x.z.clamp(-half, *half);
            let rho = (x.x * x.x + beyond * beyond).sqrt();
            if rho == 0.0 || half_thickness - x.y.abs() <= radius - rho {
                flat(1)
            } else {
                Vec3::new(x.x, 0.0, beyond) / rho
            }
        }
        _ => Vec3::z(),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/narrow_phase/slice.rs"]
mod tests;
