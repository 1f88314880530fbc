//! Friction of a patch that slides and spins: the integral of mu(|v|) p v/|v| over it. v is the slip velocity
//! perpendicular to N, the direction of the total elastic force, affine over a plane region: v = A (x - c)
//! with the instantaneous centre c. Hence, with y = x - c, the part of a fan between c and an edge is a
//! single integral along the edge, and with a pressure p and damping factor f that are linear,
//! q = p f = q_0 + q_1(y) + q_2(y) in parts of degree 0 to 2,
//!
//!   integral of q mu v/|v| = sum over edges of integral of (q_0 m_1 + q_1 m_2 + q_2 m_3) v/|v| X dt
//!   m_k(s) = integral over rho = 0 .. 1 of rho^k mu(rho s), s = |v| at the edge
//!
//! y = y_a + t (y_b - y_a), X = y_a cross y_b; that times y the same with m_k+1. Beyond the speed v_d from
//! which mu is constant, m_k = mu/(k + 1) + kappa_k/s^(k+1):
//!
//! - the first term gives integrals of t^k/s, s^2 quadratic in t: closed forms, [`over_speed`]
//! - the second is the deficit of the core |v| < v_d: a closed form if it lies inside the region, else a
//!   Gauss rule in the angle of v
//! - parts of edges within the core: a Gauss rule, since m_k/s and v are smooth there
//! - arcs: Gauss rules on both sides of the point nearest to c
//!
//! A region that is narrow as seen from c, where the fan cancels, is two lines per edge instead, to the axis;
//! along a line the integral is that of t^k mu(s)/s, in the same way. If c is far the nodes of the patch are
//! used, with a smooth transition of the weights. So the force is continuously differentiable in motion and
//! pose. For constant mu and uniform p it is the limit surface of [Goyal, Ruina, Papadopoulos 1991]; the fan
//! is derived here.
//!
//! [Goyal, Ruina, Papadopoulos 1991] S. Goyal, A. Ruina, J. Papadopoulos, Planar sliding with dry friction,
//! part 1: limit surface and moment function, Wear 143, 307-330

use crate::response::friction::FrictionLaw;
use crate::response::slip_line::{SlipLine, gauss, speed};
use contact_geometry::math::real::{atan2, sin_cos};
use contact_geometry::math::{Real, Vec2, Vec3, even_root};
use contact_geometry::narrow_phase::area::{
    Extent, FacetPolygon, Line, Node, Outline, OutlineCorner, Patch, in_pairs,
};
use std::f64::consts::PI;
use std::ops::Add;

/// Motion of 2 relative to 1, of a frame at the origin of the patch.
#[derive(Clone, Copy, Debug)]
pub struct AreaMotion<T: Real> {
    /// Velocity at the origin [m/s].
    pub velocity: Vec3<T>,
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3<T>,
}

impl<T: Real> AreaMotion<T> {
    /// Velocity at a point [m/s].
    #[inline(always)]
    pub fn at(&self, point: &Vec3<T>) -> Vec3<T> {
        self.velocity + self.angular_velocity.cross(point)
    }
}

/// mu(v), constant beyond a speed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile<'a> {
    /// Law below that speed; `None` if mu is constant everywhere.
    law: Option<&'a FrictionLaw>,
    sliding: f64,
    /// Junction of its polynomials, and that speed [m/s].
    speeds: [f64; 2],
}

impl Profile<'_> {
    pub(crate) fn constant(sliding: f64) -> Self {
        Profile {
            law: None,
            sliding,
            speeds: [0.0; 2],
        }
    }

    /// mu(v)/v [s/m].
    #[inline(always)]
    fn per_speed<T: Real>(&self, v: T) -> T {
        match self.law {
            Some(law) => law.per_speed(v),
            None if v.value() > 0.0 => T::from(self.sliding) / v,
            None => T::zero(),
        }
    }

    /// m_k(s)/s, k = 1 .. 4, for s <= v_d.
    fn within<T: Real>(&self, s: T) -> [T; 4] {
        let mut sum = [T::zero(); 4];
        let join = (self.speeds[0] / s.value().max(f64::MIN_POSITIVE)).min(1.0);
        for [from, to] in [[0.0, join], [join, 1.0]] {
            if to > from {
                for (rho, weight) in gauss(from, to) {
                    let mut part = self.per_speed(s * rho) * (weight * rho);
                    for sum in &mut sum {
                        part *= rho;
                        *sum += part;
                    }
                }
            }
        }
        sum
    }

    /// Gauss points and weights for the part of t = 0 .. 1 where |from + t d| is in the core, divided at the
    /// junction of the polynomials of mu and at the smallest speed.
    fn in_core<T: Real>(&self, line: &SlipLine<T>, mut f: impl FnMut(f64, f64)) {
        let [[from, to], [low, high]] = self.speeds.map(|v| line.within(v));
        let foot = line.foot().clamp(low, high);
        let mut start = low;
        for end in [from.min(foot), foot, to.max(foot).min(high), high] {
            if end > start {
                gauss(start, end).for_each(|(t, weight)| f(t, weight));
                start = end;
            }
        }
    }

    /// kappa_k, k = 1 .. 4.
    fn deficits(&self) -> [f64; 4] {
        let (v, within) = (self.speeds[1], self.within(self.speeds[1]));
        let mut power = v;
        [0, 1, 2, 3].map(|i| {
            power *= v;
            power * (within[i] * v - self.sliding / (i + 2) as f64)
        })
    }
}

impl FrictionLaw {
    pub(crate) fn profile(&self) -> Option<Profile<'_>> {
        let (sliding, speeds) = match self {
            FrictionLaw::Regularized { sliding, v_small } => (*sliding, [*v_small; 2]),
            FrictionLaw::Coulomb {
                coefficients,
                speeds,
                ..
            } => (coefficients[1], *speeds),
            FrictionLaw::CoulombDynamic { sliding, speed, .. } => (*sliding, [*speed; 2]),
            _ => return None,
        };
        Some(Profile {
            law: Some(self),
            sliding,
            speeds,
        })
    }
}

/// Linear function of the place, from the origin of the patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine<T: Real> {
    pub(super) at_0: T,
    pub(super) slope: Vec3<T>,
}

impl<T: Real> Affine<T> {
    /// The component of the velocity of a motion along a direction [m/s].
    fn velocity(motion: &AreaMotion<T>, direction: &Vec3<T>) -> Self {
        Affine {
            at_0: direction.dot(&motion.velocity),
            slope: direction.cross(&motion.angular_velocity),
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, point: &Vec3<T>) -> T {
        self.at_0 + self.slope.dot(point)
    }

    /// The same function of a place along the axes of a region.
    #[inline(always)]
    fn over(&self, outline: &Outline<T>) -> impl Fn([T; 2]) -> T + use<T> {
        let at_0 = self.at(&outline.middle);
        let [x, y] = outline.axes.each_ref().map(|axis| self.slope.dot(axis));
        move |place| at_0 + x * place[0] + y * place[1]
    }
}

/// Load on the nodes: p (n.N) max(0, 1 + d rate).
#[derive(Clone, Copy, Debug)]
pub(super) struct PatchLoad<T: Real> {
    /// N, direction of the total elastic force.
    pub(crate) normal: Vec3<T>,
    pub damping: T,
    /// Speed of compression [m/s].
    pub(super) rate: Affine<T>,
}

/// Load on a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressing<T: Real> {
    pub rate: T,
    pub damped: T,
    /// Force along N [N].
    pub size: T,
}

impl<T: Real> PatchLoad<T> {
    /// Load in a motion; `spin`: axis of revolution, and the spin about it [rad/s], which does not compress.
    pub(super) fn new(
        normal: Vec3<T>,
        damping: T,
        motion: &AreaMotion<T>,
        spin: Option<(&Line<T>, T)>,
    ) -> Self {
        let apart = Affine::velocity(motion, &normal);
        let mut rate = Affine {
            at_0: -apart.at_0,
            slope: -apart.slope,
        };
        if let Some((axis, about)) = spin {
            let lever = normal.cross(&axis.direction) * about;
            rate.at_0 -= lever.dot(&axis.point);
            rate.slope += lever;
        }
        PatchLoad {
            normal,
            damping,
            rate,
        }
    }

    /// n.N, where it presses.
    #[inline(always)]
    pub(super) fn along(&self, normal: &Vec3<T>) -> T {
        normal.dot(&self.normal).positive_part()
    }

    /// Load on a node with n.N = `along`.
    #[inline(always)]
    pub(super) fn on(&self, node: &Node<T>, along: T) -> Pressing<T> {
        let rate = self.rate.at(&node.point);
        let size = node.force * along;
        let factor = (self.damping * rate + 1.0).positive_part();
        let damped = size * (factor - 1.0);
        Pressing {
            rate,
            damped,
            size: size + damped,
        }
    }

    /// Load on a polygon, with the friction of `over`.
    #[inline(never)]
    pub(super) fn over_polygon(
        &self,
        patch: &Patch<T>,
        polygon: &FacetPolygon<T>,
        over: Option<&Over<'_, T>>,
    ) -> PolygonLoad<T> {
        let (outline, along) = (&polygon.outline, self.along(&polygon.normal));
        let corners = patch.nodes.corners(outline);
        let exact = over.and_then(|over| over.region(outline, along, corners));
        let (mut friction, share) = exact.unwrap_or((Sliding::none(), T::zero()));
        let rest = (T::one() - share) * along;
        let slides = over.filter(|_| rest.value() != 0.0);
        let damps = self.damping.value() != 0.0 || !self.damping.is_constant();
        let (rate, damping) = (self.rate.over(outline), self.damping);
        // Damping, times both coordinates, its power; friction along both axes, times both coordinates.
        let mut sums = [T::zero(); 10];
        if let Some(over) = slides {
            let slip = over.slip.each_ref().map(|slip| slip.over(outline));
            sums = patch.nodes.over(outline, |place, force, sums| {
                let mut size = force;
                if damps {
                    size += damp(place, force, rate(place), damping, sums);
                }
                let slip = [slip[0](place), slip[1](place)];
                let square = slip[0] * slip[0] + slip[1] * slip[1];
                let per_speed = size * over.profile.per_speed(even_root(square));
                for k in 0..2 {
                    let force = slip[k] * per_speed;
                    sums[4 + k] += force;
                    sums[6 + k] += force * place[0];
                    sums[8 + k] += force * place[1];
                }
            });
            let [x, y, x_x, y_x, x_y, y_y] = [4, 5, 6, 7, 8, 9].map(|k| sums[k] * rest);
            let integral = Integral {
                sum: Vec2::new(x, y),
                first: [Vec2::new(x_x, y_x), Vec2::new(x_y, y_y)],
            };
            friction = friction + over.exert(&outline.middle, outline.axes, integral);
        } else if damps {
            sums = patch.nodes.over(outline, |place, force, sums| {
                damp(place, force, rate(place), damping, sums);
            });
        }
        let [damped, x, y, dissipation] = [0, 1, 2, 3].map(|k| sums[k] * along);
        PolygonLoad {
            damped,
            first: outline.middle * damped + outline.axes[0] * x + outline.axes[1] * y,
            size: polygon.force * along + damped,
            dissipation,
            friction,
        }
    }
}

/// Adds the damping of a node, and returns it.
#[inline(always)]
fn damp<T: Real>(place: [T; 2], force: T, rate: T, damping: T, sums: &mut [T; 10]) -> T {
    let damped = force * ((damping * rate + 1.0).positive_part() - 1.0);
    sums[0] += damped;
    sums[1] += damped * place[0];
    sums[2] += damped * place[1];
    sums[3] += damped * rate;
    damped
}

/// Load on a polygon besides the elastic one.
pub(super) struct PolygonLoad<T: Real> {
    /// Force of the damping along N [N].
    pub(super) damped: T,
    /// Its first moment from the origin of the patch [N.m].
    pub(super) first: Vec3<T>,
    /// Force along N [N].
    pub(super) size: T,
    /// Power of the damping [W].
    pub(super) dissipation: T,
    pub(super) friction: Sliding<T>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding<T: Real> {
    pub(crate) force: Vec3<T>,
    /// Torque about the origin of the patch [N.m].
    pub moment: Vec3<T>,
}

impl<T: Real> Sliding<T> {
    pub(super) fn none() -> Self {
        Sliding {
            force: Vec3::zeros(),
            moment: Vec3::zeros(),
        }
    }

    /// Power in a motion [W].
    pub(super) fn power(&self, motion: &AreaMotion<T>) -> T {
        self.force.dot(&motion.velocity) + self.moment.dot(&motion.angular_velocity)
    }
}

impl<T: Real> Add for Sliding<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Sliding {
            force: self.force + other.force,
            moment: self.moment + other.moment,
        }
    }
}

/// (distance of c/extent)^-2 up to which the nodes are used, and above which the integral.
const NEAR: [f64; 2] = [1.0 / 24.0, 1.0 / 12.0];
/// Speed over that of the first polynomial of mu that counts as a centre equally far: near rest the force is
/// smooth.
const FLOOR: f64 = 1.0;
/// (width of a region/distance of c or radius of the core)^2 up to which lines are used, and above which the
/// fan.
const WIDE: [f64; 2] = [1.0 / 100.0, 1.0 / 40.0];

/// Friction of a patch under a load, against the motion `slip`: the motion of the load, or any for a limit
/// surface. Its power is -(force.velocity + moment.angular_velocity), and the force has no component along N.
pub(super) fn sliding<T: Real>(
    patch: &Patch<T>,
    load: &PatchLoad<T>,
    slip: &AreaMotion<T>,
    profile: &Profile<'_>,
) -> Sliding<T> {
    let over = Over::new(load, slip, profile);
    let zero = (Sliding::none(), SlipSum::zero());
    let (exact, nodes) = patch
        .nodes
        .facets()
        .fold(zero, |(all, sum), (facet, extent)| {
            if let Extent::Polygon(polygon) = extent {
                let own = load.over_polygon(patch, polygon, Some(&over));
                return (all + own.friction, sum);
            }
            let (exact, rest) = over.facet(patch, facet, extent);
            let mut nodes = SlipSum::zero();
            if rest.value() != 0.0 {
                nodes = in_pairs(facet, nodes, |node| {
                    let size = load.on(node, load.along(&node.normal)).size;
                    over.node(&node.point, size * rest)
                });
            }
            (all + exact, sum + nodes)
        });
    exact + over.of_nodes(&nodes)
}

/// Friction of nodes along both axes of [`Over`], its first moments, and its power.
#[derive(Clone, Copy)]
pub(super) struct SlipSum<T: Real> {
    first: [Vec3<T>; 2],
    force: [T; 2],
    pub(super) dissipation: T,
}

impl<T: Real> SlipSum<T> {
    pub(super) fn zero() -> Self {
        SlipSum {
            first: [Vec3::zeros(); 2],
            force: [T::zero(); 2],
            dissipation: T::zero(),
        }
    }
}

impl<T: Real> Add for SlipSum<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        SlipSum {
            first: [
                self.first[0] + other.first[0],
                self.first[1] + other.first[1],
            ],
            force: [
                self.force[0] + other.force[0],
                self.force[1] + other.force[1],
            ],
            dissipation: self.dissipation + other.dissipation,
        }
    }
}

pub(super) struct Over<'a, T: Real> {
    load: &'a PatchLoad<T>,
    profile: &'a Profile<'a>,
    /// Two unit vectors perpendicular to N.
    axes: [Vec3<T>; 2],
    /// Slip along both [m/s].
    slip: [Affine<T>; 2],
}

impl<'a, T: Real> Over<'a, T> {
    /// Arguments as for [`sliding`].
    pub(super) fn new(
        load: &'a PatchLoad<T>,
        slip: &AreaMotion<T>,
        profile: &'a Profile<'a>,
    ) -> Self {
        let normal = &load.normal;
        let mut first = Vec3::zeros();
        first[normal.map(Real::value).iamin()] = T::one();
        let first = first - normal * normal.dot(&first);
        let first = first * first.dot(&first).sqrt().recip();
        let axes = [first, normal.cross(&first)];
        Over {
            load,
            profile,
            axes,
            slip: axes.map(|axis| Affine::velocity(slip, &axis)),
        }
    }

    /// Integral over a facet, and the weight of its nodes.
    #[inline(always)]
    pub(super) fn facet(
        &self,
        patch: &Patch<T>,
        nodes: &[Node<T>],
        extent: &Extent<T>,
    ) -> (Sliding<T>, T) {
        match extent {
            Extent::Line => (self.line(nodes), T::zero()),
            // A polygon has no nodes here: callers integrate it by `over_polygon`.
            Extent::Nodes | Extent::Polygon(_) => (Sliding::none(), T::one()),
            Extent::Region(outline) => {
                let along = self.load.along(&nodes[0].normal);
                match self.region(outline, along, patch.nodes.corners(outline)) {
                    Some((exact, share)) => (exact, T::one() - share),
                    None => (Sliding::none(), T::one()),
                }
            }
        }
    }

    /// Friction of a node by its force along N [N].
    #[inline(always)]
    pub(super) fn node(&self, point: &Vec3<T>, size: T) -> SlipSum<T> {
        let slip = self.slip_at(point);
        let square = slip.dot(&slip);
        let per_speed = -size * self.profile.per_speed(even_root(square));
        let force = [slip.x * per_speed, slip.y * per_speed];
        SlipSum {
            first: [point * force[0], point * force[1]],
            force,
            dissipation: -per_speed * square,
        }
    }

    /// Force and moment of nodes.
    pub(super) fn of_nodes(&self, sum: &SlipSum<T>) -> Sliding<T> {
        let [x, y] = &self.axes;
        Sliding {
            force: self.back(sum.force.into()),
            moment: sum.first[0].cross(x) + sum.first[1].cross(y),
        }
    }

    #[inline(always)]
    fn slip_at(&self, point: &Vec3<T>) -> Vec2<T> {
        Vec2::new(self.slip[0].at(point), self.slip[1].at(point))
    }

    /// Slope of the slip along a direction [1/s].
    #[inline(always)]
    fn turning(&self, direction: &Vec3<T>) -> Vec2<T> {
        let [x, y] = &self.slip;
        Vec2::new(x.slope.dot(direction), y.slope.dot(direction))
    }

    #[inline(always)]
    fn back(&self, v: Vec2<T>) -> Vec3<T> {
        self.axes[0] * v.x + self.axes[1] * v.y
    }

    /// Force and moment from the integral of v/|v| and its products with the coordinates along vectors from a
    /// point.
    fn exert<const N: usize>(
        &self,
        point: &Vec3<T>,
        along: [Vec3<T>; N],
        integral: Integral<T, N>,
    ) -> Sliding<T> {
        let force = -self.back(integral.sum);
        let mut moment = point.cross(&force);
        for (axis, first) in along.iter().zip(integral.first) {
            moment -= axis.cross(&self.back(first));
        }
        Sliding { force, moment }
    }

    /// Friction of a line through the nodes, with the density of their loads.
    #[inline(never)]
    fn line(&self, nodes: &[Node<T>]) -> Sliding<T> {
        let size = |k: usize| {
            let along = self.load.along(&nodes[k].normal);
            self.load.on(&nodes[k], along).size
        };
        // Density c_0 + c_1 tau + c_2 tau^2 along point + tau half, tau = -1 .. 1.
        let (point, half, density);
        if nodes.len() == 2 {
            let root = 3f64.sqrt();
            point = (nodes[0].point + nodes[1].point) * T::from(0.5);
            half = (nodes[0].point - nodes[1].point) * T::from(0.5 * root);
            let (one, other) = (size(0), size(1));
            density = [(one + other) * 0.5, (one - other) * (0.5 * root), T::zero()];
        } else {
            let root = (5.0_f64 / 3.0).sqrt();
            point = nodes[0].point;
            half = (nodes[1].point - nodes[2].point) * T::from(0.5 * root);
            let (middle, one, other) = (size(0) * (9.0 / 8.0), size(1) * 1.8, size(2) * 1.8);
            let bend = (one + other) * 0.5 - middle;
            density = [middle, (one - other) * (0.5 * root), bend * (root * root)];
        }
        let (at, d) = (self.slip_at(&point), self.turning(&half));
        // In t = (tau + 1)/2.
        let [c_0, c_1, c_2] = density;
        let density = [
            (c_0 - c_1 + c_2) * 2.0,
            (c_1 - c_2 * 2.0) * 4.0,
            c_2 * 8.0,
            T::zero(),
        ];
        let line = SlipLine {
            from: at - d,
            d: d * T::from(2.0),
        };
        let [sum, first] = self.along(&line, density);
        let first = [(first * (T::from(2.0))) - sum];
        self.exert(&point, [half], Integral { sum, first })
    }

    /// Integrals over t = 0 .. 1 of mu v/|v|, v = from + t d, times a density, and times t too.
    fn along(&self, line: &SlipLine<T>, density: [T; 4]) -> [Vec2<T>; 2] {
        let mut n = [T::zero(); 6];
        let [low, high] = line.within(self.profile.speeds[1]);
        for [t_0, t_1] in [[0.0, low], [high, 1.0]] {
            if t_1 > t_0 {
                let outside: [T; 6] = line.over_speed([t_0, t_1]);
                for (n, more) in n.iter_mut().zip(outside) {
                    *n += more * self.profile.sliding;
                }
            }
        }
        self.profile.in_core(line, |t, weight| {
            let s = line.speed(t);
            let mut part = self.profile.per_speed(s) * weight;
            for n in &mut n {
                *n += part;
                part *= t;
            }
        });
        [0, 1].map(|more| {
            (0..4).fold(Vec2::zeros(), |sum, k| {
                let j = (line.from * n[k + more]) + (line.d * (n[k + more + 1]));
                sum + j * density[k]
            })
        })
    }
}

/// Angle of an arc [rad] on both sides of the point nearest to c with separate Gauss points.
const NEAR_ARC: f64 = 0.3;

/// Plane region in a motion, with coordinates from its centre c.
struct Fan<'a, T: Real> {
    profile: &'a Profile<'a>,
    deficits: [f64; 4],
    slip: RegionSlip<T>,
    /// Pressure and damping factor at c, and their gradients.
    pressure: (T, Vec2<T>),
    factor: (T, Vec2<T>),
    /// Integral of q mu v/|v|, and of that times both coordinates.
    integral: Integral<T, 2>,
}

/// Slip over a plane region.
#[derive(Clone, Copy)]
struct RegionSlip<T: Real> {
    /// Slip in the middle of the region [m/s].
    middle: Vec2<T>,
    /// Slopes along both axes, and their determinant.
    slopes: [Vec2<T>; 2],
    det: T,
    /// c from the middle [m].
    center: Vec2<T>,
}

/// Integral, and integrals of the same times coordinates.
#[derive(Clone, Copy)]
struct Integral<T: Real, const N: usize> {
    sum: Vec2<T>,
    first: [Vec2<T>; N],
}

impl<T: Real, const N: usize> Integral<T, N> {
    fn zero() -> Self {
        Integral {
            sum: Vec2::zeros(),
            first: [Vec2::zeros(); N],
        }
    }
}

#[derive(Clone, Copy)]
struct At<T: Real> {
    /// Position from c [m].
    y: Vec2<T>,
    slip: Vec2<T>,
    /// Differences of pressure and damping factor from their values at c.
    pressure: T,
    factor: T,
}

impl<T: Real> At<T> {
    fn toward(&self, other: &Self, t: T) -> Self {
        let between = |a: Vec2<T>, b: Vec2<T>| a + (b - a) * t;
        At {
            y: between(self.y, other.y),
            slip: between(self.slip, other.slip),
            pressure: self.pressure + (other.pressure - self.pressure) * t,
            factor: self.factor + (other.factor - self.factor) * t,
        }
    }
}

impl<T: Real> Over<'_, T> {
    /// Friction of a region by the integral, times its weight, and that weight; `None` for zero weight.
    fn region(
        &self,
        outline: &Outline<T>,
        along: T,
        corners: &[OutlineCorner<T>],
    ) -> Option<(Sliding<T>, T)> {
        let slip = self.slip_at(&outline.middle);
        let slopes = outline.axes.map(|axis| self.turning(&axis));
        let det = slopes[0].perp(&slopes[1]);
        let slow = FLOOR * self.profile.speeds[0];
        let far = slip.dot(&slip) + slow * slow;
        let squares = mean(corners, det.abs(), |x| x.dot(&x));
        let mut share = rise(squares, far, NEAR);
        if share.value() == 0.0 {
            return None;
        }
        let per = det.recip();
        let center = Vec2::new(slopes[1].perp(&slip), slip.perp(&slopes[0])) * per;
        // Across the direction to the farthest corner the region is narrow, if it is.
        let far = |corner: &&OutlineCorner<T>| corner.place.dot(&corner.place).value();
        let farthest = corners
            .iter()
            .max_by(|a, b| far(a).total_cmp(&far(b)))?
            .place;
        let axis = farthest * farthest.dot(&farthest).sqrt().recip();
        let beside = axis.perp(&center);
        let core = det.abs().recip() * (self.profile.speeds[1] * self.profile.speeds[1]);
        let width = mean(corners, T::one(), |x| axis.perp(&x) * axis.perp(&x));
        let wide = rise(width, beside * beside + core, WIDE);
        let slip = RegionSlip {
            middle: slip,
            slopes,
            det,
            center,
        };
        let mut fan = self.fan(outline, along, corners, slip);
        let mut all = Integral::zero();
        let mut add = |own: Integral<T, 2>, part: T| {
            all.sum += own.sum * part;
            all.first = [0, 1].map(|k| all.first[k] + own.first[k] * part);
        };
        let round = corners.iter().any(|corner| corner.center.is_some());
        if round {
            share *= wide;
        } else if wide.value() < 1.0 {
            add(self.lines(&fan, corners, axis), share * (T::one() - wide));
        }
        if wide.value() > 0.0 {
            add(
                fan.integrate(corners, round),
                if round { share } else { share * wide },
            );
        }
        let exact = self.exert(&outline.middle, outline.axes, all);
        Some((exact, share))
    }

    /// Pressure and damping factor from c.
    fn fan(
        &self,
        outline: &Outline<T>,
        along: T,
        corners: &[OutlineCorner<T>],
        slip: RegionSlip<T>,
    ) -> Fan<'_, T> {
        let gradient = outline.gradient * along;
        let damping = self.load.damping;
        let factor = (damping * self.load.rate.at(&outline.middle) + 1.0).positive_part();
        let [x, y] = outline
            .axes
            .map(|axis| self.load.rate.slope.dot(&axis) * damping);
        let slopes = Vec2::new(x, y);
        // No less than zero in a corner.
        let least = corners.iter().fold(T::one(), |least, corner| {
            let fall = -slopes.dot(&corner.place);
            match fall.value() * least.value() > factor.value() {
                true => factor / fall,
                false => least,
            }
        });
        let slopes = slopes * least;
        Fan {
            profile: self.profile,
            deficits: self.profile.deficits(),
            pressure: (
                outline.pressure * along + gradient.dot(&slip.center),
                gradient,
            ),
            factor: (factor + slopes.dot(&slip.center), slopes),
            slip,
            integral: Integral::zero(),
        }
    }

    /// Narrow region: two lines from each edge to its axis, at the Gauss points.
    #[inline(never)]
    fn lines(
        &self,
        fan: &Fan<'_, T>,
        corners: &[OutlineCorner<T>],
        axis: Vec2<T>,
    ) -> Integral<T, 2> {
        let mut all = Integral::zero();
        for (i, corner) in corners.iter().enumerate() {
            let (a, b) = (corner.place, corners[(i + 1) % corners.len()].place);
            let [high_a, high_b] = [a, b].map(|x| axis.perp(&x));
            let run = axis.dot(&(b - a)) * -0.5;
            for part in [0.5 - 0.5 / 3f64.sqrt(), 0.5 + 0.5 / 3f64.sqrt()] {
                // Toward the axis.
                let lower = |x: Vec2<T>, high: T| {
                    let off = high * (1.0 - part);
                    x + Vec2::new(axis.y, -axis.x) * off
                };
                let (a, b) = (lower(a, high_a), lower(b, high_b));
                let [one, other] = [a, b].map(|x| fan.at(x));
                let (p, f) = (fan.pressure.0 + one.pressure, fan.factor.0 + one.factor);
                let (dp, df) = (other.pressure - one.pressure, other.factor - one.factor);
                let q = [p * f, p * df + f * dp, dp * df];
                let (h, dh) = (high_a * run, (high_b - high_a) * run);
                let density = [
                    q[0] * h,
                    q[1] * h + q[0] * dh,
                    q[2] * h + q[1] * dh,
                    q[2] * dh,
                ];
                let [own, times_t] = self.along(&SlipLine::between(one.slip, other.slip), density);
                all.sum += own;
                for k in 0..2 {
                    let along = times_t * (b[k] - a[k]);
                    all.first[k] += (own * a[k]) + along;
                }
            }
        }
        all
    }
}

impl<T: Real> Fan<'_, T> {
    fn at(&self, place: Vec2<T>) -> At<T> {
        let RegionSlip {
            middle,
            slopes: [x, y],
            center,
            ..
        } = &self.slip;
        let from_center = place - center;
        At {
            y: from_center,
            slip: middle + (x * place[0] + y * place[1]),
            pressure: self.pressure.1.dot(&from_center),
            factor: self.factor.1.dot(&from_center),
        }
    }

    /// Integral of q mu v/|v|, and times the coordinates from the middle.
    #[inline(never)]
    fn integrate(&mut self, corners: &[OutlineCorner<T>], round: bool) -> Integral<T, 2> {
        let v_d = self.profile.speeds[1];
        let (mut cut, mut inside) = (round && v_d > 0.0, true);
        let end = self.at(corners[0].place);
        if v_d > 0.0 {
            let center = self.slip.center.map(Real::value);
            let slopes = self.slip.slopes.map(|slope| slope.map(Real::value));
            let values = |corner: &OutlineCorner<T>| {
                let y = corner.place.map(Real::value) - center;
                (y, slopes[0] * y[0] + slopes[1] * y[1])
            };
            let mut before = values(&corners[corners.len() - 1]);
            for corner in corners {
                let own = values(corner);
                let line = SlipLine {
                    from: before.1,
                    d: own.1 - before.1,
                };
                let [low, high] = line.within(v_d);
                cut |= high > low;
                inside &= before.0.perp(&own.0) > 0.0;
                before = own;
            }
        }
        let mut a = end;
        for (i, corner) in corners.iter().enumerate() {
            let next = corners
                .get(i + 1)
                .map(|next| (next.place, self.at(next.place)));
            let (place, b) = next.unwrap_or((corners[0].place, end));
            match corner.center {
                Some(center) => self.arc(corner.place, place, center),
                None => self.edge(&a, &b, cut),
            }
            a = b;
        }
        if inside && !cut && v_d > 0.0 {
            self.core();
        }
        let Integral { sum, first } = self.integral;
        let first = [0, 1].map(|k| first[k] + sum * self.slip.center[k]);
        Integral { sum, first }
    }

    /// q_0 and the parts of degree 1 and 2 at a point.
    fn parts(&self, at: &At<T>) -> [T; 3] {
        let (p, f) = (self.pressure.0, self.factor.0);
        [
            p * f,
            p * at.factor + f * at.pressure,
            at.pressure * at.factor,
        ]
    }

    /// Adds the rays to a point of the outline with X dt = `weight`; `m` is m_k/s.
    fn ray(&mut self, at: &At<T>, weight: T, m: [T; 4]) {
        let [q_0, q_1, q_2] = self.parts(at);
        let of = |k: usize| (q_0 * m[k] + q_1 * m[k + 1] + q_2 * m[k + 2]) * weight;
        self.integral.sum += at.slip * of(0);
        let first = of(1);
        for k in 0..2 {
            self.integral.first[k] += at.slip * (first * at.y[k]);
        }
    }

    /// Contribution of the core to m_k/s, beyond it.
    fn beyond(&self, s: T) -> [T; 4] {
        let per = s.recip();
        let mut power = per * per;
        self.deficits.map(|kappa| {
            power *= per;
            power * kappa
        })
    }

    /// Straight edge; `cut`: an edge cuts the core.
    fn edge(&mut self, a: &At<T>, b: &At<T>, cut: bool) {
        let line = SlipLine::between(a.slip, b.slip);
        let area = a.y.perp(&b.y);
        let [low, high] = match cut {
            true => line.within(self.profile.speeds[1]),
            false => [1.0; 2],
        };
        for range in [[0.0, low], [high, 1.0]] {
            if range[1] > range[0] {
                self.sliding(a, b, area, range);
                if cut {
                    self.around(a, b, area, range);
                }
            }
        }
        if cut {
            self.profile.in_core(&line, |t, weight| {
                let at = a.toward(b, T::from(t));
                self.ray(&at, area * weight, self.profile.within(speed(at.slip)));
            });
        }
    }

    /// Constant mu, over a range of an edge.
    fn sliding(&mut self, a: &At<T>, b: &At<T>, area: T, range: [f64; 2]) {
        let (line, step) = (SlipLine::between(a.slip, b.slip), b.y - a.y);
        let i: [T; 5] = line.over_speed(range);
        let j = [0, 1, 2, 3].map(|k| a.slip * i[k] + line.d * i[k + 1]);
        let (p, f) = (self.pressure.0, self.factor.0);
        let (dp, df) = (b.pressure - a.pressure, b.factor - a.factor);
        let parts = self.parts(a);
        let slope = [p * df + f * dp, a.pressure * df + a.factor * dp];
        let mu = area * self.profile.sliding;
        // Polynomial in t of degree 2 whose parts are over n, n + 1, n + 2.
        let density = |n: f64| {
            let [zero, one, two] = [n, n + 1.0, n + 2.0].map(|n| mu / n);
            [
                parts[0] * zero + parts[1] * one + parts[2] * two,
                slope[0] * one + slope[1] * two,
                dp * df * two,
            ]
        };
        let sum = |density: &[T; 3], more: usize| {
            (0..3).fold(Vec2::zeros(), |sum, k| sum + j[k + more] * density[k])
        };
        self.integral.sum += sum(&density(2.0), 0);
        let density = density(3.0);
        let (zero, one) = (sum(&density, 0), sum(&density, 1));
        for k in 0..2 {
            let along = (zero * a.y[k]) + one * step[k];
            self.integral.first[k] += along;
        }
    }

    /// Deficit of the core over a range of an edge outside it: a Gauss rule in tan(angle/2) of v from the
    /// foot.
    fn around(&mut self, a: &At<T>, b: &At<T>, area: T, [t_0, t_1]: [f64; 2]) {
        let line = SlipLine::between(a.slip, b.slip);
        let d = line.d;
        let length2 = d.dot(&d);
        if length2.value() <= f64::MIN_POSITIVE {
            return;
        }
        let length = length2.sqrt();
        let height = (a.slip.perp(&d) / length).abs();
        // It has no angle.
        if height.value() <= 1e-9 * self.profile.speeds[1] {
            return;
        }
        let start = a.slip.dot(&d) / length;
        let half_angle = |t: f64| {
            let x = start + length * t;
            x / ((x * x + height * height).sqrt() + height)
        };
        let foot = line.foot().clamp(t_0, t_1);
        for [from, to] in [[t_0, foot], [foot, t_1]] {
            if to > from {
                let [low, high] = [from, to].map(half_angle);
                for (share, weight) in gauss(0.0, 1.0) {
                    let y = low + (high - low) * share;
                    let rest = (T::one() - y * y).recip();
                    let t = (height * y * rest * 2.0 - start) / length;
                    let dt = height * (y * y + 1.0) * (rest * rest) * 2.0 / length;
                    let at = a.toward(b, t);
                    let m = self.beyond(speed(at.slip));
                    self.ray(&at, area * dt * (high - low) * weight, m);
                }
            }
        }
    }

    /// Arc about a centre.
    fn arc(&mut self, from: Vec2<T>, to: Vec2<T>, center: Vec2) {
        let [a, b] = [from, to].map(|p| p.map(Real::value) - center);
        let angle = |e: Vec2| atan2(a.perp(&e), a.dot(&e));
        let span = angle(b);
        let near = angle(self.slip.center.map(Real::value) - center);
        let mut start = 0.0;
        for end in [near - NEAR_ARC, near, near + NEAR_ARC, span] {
            let end = end.min(span);
            if end <= start {
                continue;
            }
            let range = (start, end);
            start = end;
            for (turn, weight) in gauss(range.0, range.1) {
                let (sin, cos) = sin_cos(turn);
                let r = a * cos + Vec2::new(-a.y, a.x) * sin;
                let at = self.at((center + r).map(T::from));
                let s = speed(at.slip);
                let m = if s.value() <= self.profile.speeds[1] {
                    self.profile.within(s)
                } else {
                    let (mut m, per) = (self.beyond(s), s.recip() * self.profile.sliding);
                    for (k, m) in m.iter_mut().enumerate() {
                        *m += per / (k + 2) as f64;
                    }
                    m
                };
                self.ray(&at, at.y.dot(&r.map(T::from)) * weight, m);
            }
        }
    }

    /// Deficit of a core inside the region.
    fn core(&mut self) {
        let [_, two, _, four] = self.deficits;
        let RegionSlip {
            slopes: [x, y],
            det,
            ..
        } = self.slip;
        let per = det.recip();
        // Rows of the inverse of the slopes: y = s (u[0] row[0] + u[1] row[1]).
        let rows = [Vec2::new(y.y, -x.y) * per, Vec2::new(-y.x, x.x) * per];
        let over = |g: Vec2<T>| Vec2::new(rows[0].dot(&g), rows[1].dot(&g));
        let (p, f) = (over(self.pressure.1), over(self.factor.1));
        let size = det.abs().recip() * PI;
        let linear = (f * self.pressure.0) + p * self.factor.0;
        self.integral.sum += linear * (size * two);
        let constant = self.pressure.0 * self.factor.0 * (size * two);
        let quarter = size * (0.25 * four);
        for (k, first) in self.integral.first.iter_mut().enumerate() {
            let row: Vec2<T> = rows.map(|row| row[k]).into();
            let squares = row * p.dot(&f) + (p * f.dot(&row) + f * p.dot(&row));
            *first += row * constant + squares * quarter;
        }
    }
}

/// Mean over the corners, times a factor.
#[inline(always)]
fn mean<T: Real>(corners: &[OutlineCorner<T>], factor: T, of: impl Fn(Vec2<T>) -> T) -> T {
    let sum = corners
        .iter()
        .fold(T::zero(), |sum, corner| sum + of(corner.place));
    sum * factor / corners.len() as f64
}

/// Smooth step from 0 to 1 for a number between two bounds times `to`.
#[inline(always)]
fn rise<T: Real>(number: T, to: T, [low, high]: [f64; 2]) -> T {
    if number.value() <= low * to.value() {
        return T::zero();
    }
    if number.value() >= high * to.value() {
        return T::one();
    }
    let z = (number / to - low) / (high - low);
    z * z * (z * -2.0 + 3.0)
}
