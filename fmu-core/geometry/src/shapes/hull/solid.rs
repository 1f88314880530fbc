//! A hull as the core of a shape: farthest vertices, soft point, footprint and strata.

use crate::math::{Real, Vec3};
use crate::shapes::hull::Hull;
use crate::shapes::soft::{BLEND, Footprint, dot, fade};
use crate::shapes::solid::Solid;
use crate::shapes::strata::{Element, INSIDE, Stratum};

impl Solid for Hull {
    #[inline(always)]
    fn support(&self, d: &Vec3) -> Vec3 {
        self.vertices()[self.farthest(d)]
    }

    #[inline(always)]
    fn support_function<T: Real>(&self, d: &Vec3<T>) -> T {
        dot(&self.vertices()[self.farthest(&d.map(Real::value))], d)
    }

    fn soft_support<T: Real>(&self, d: &Vec3<T>) -> Vec3<T> {
        let direction = d.map(Real::value);
        let band = BLEND * self.faces().size;
        let number = self.farthest(&direction);
        let farthest = self.vertices()[number];
        if !self.has_near(number, &direction, band) {
            return farthest.map(T::from);
        }
        let (mut sum, mut weights) = (Vec3::zeros(), T::zero());
        for vertex in self.vertices() {
            let behind = farthest - vertex;
            if behind.dot(&direction) < band {
                let weight = T::from(1.0) - dot(&behind, d) / band;
                let weight = weight * weight;
                // Relative to the farthest one, which is the exact point where it is alone.
                sum += behind.map(|c| weight * c);
                weights += weight;
            }
        }
        farthest.zip_map(&sum, |f, s| T::from(f) - s / weights)
    }

    fn footprint<T: Real>(&self, d: &Vec3<T>, basis: &[Vec3<T>; 2]) -> Option<Footprint<T>> {
        let direction = d.map(Real::value);
        let number = self.farthest(&direction);
        let farthest = self.vertices()[number];
        // All diagonals lie in the cone of the edges, so none is flatter than the flattest edge.
        let neighbours = self.faces().neighbours(number).iter();
        let mut along = neighbours.map(|i| farthest - self.vertices()[*i as usize]);
        if along.all(|along| along.dot(&direction) >= BLEND * along.norm()) {
            return None;
        }
        let [edge, face] = self.shown(&farthest, d);
        if edge.value() <= 0.0 {
            return None;
        }
        // The covariance of the vertices under the weights of the soft point, over its root.
        let band = BLEND * self.faces().size;
        let near = |vertex: &&Vec3| (farthest - **vertex).dot(&direction) < band;
        let middle = self.soft_support(d);
        let (mut sum, mut weights) = ([T::zero(); 3], T::zero());
        for vertex in self.vertices().iter().filter(near) {
            let behind = (farthest - vertex).map(T::from).dot(d);
            let weight = T::one() - behind / band;
            let weight = weight * weight;
            let off = vertex.map(T::from) - middle;
            let [x, y] = [basis[0].dot(&off), basis[1].dot(&off)];
            sum[0] += weight * x * x;
            sum[1] += weight * x * y;
            sum[2] += weight * y * y;
            weights += weight;
        }
        let trace = (sum[0] + sum[2]) / weights;
        (trace.value() > 0.0).then(|| {
            let scale = T::one() / (weights * trace.sqrt());
            Footprint {
                extents: sum.map(|s| s * scale),
                edge,
                face,
            }
        })
    }

    fn reach(&self) -> f64 {
        self.vertices().iter().map(|v| v.norm()).fold(0.0, f64::max)
    }

    fn largest_coordinate(&self) -> f64 {
        let (lower, upper) = self.extent();
        lower.amax().max(upper.amax())
    }

    fn own_box(&self) -> Option<[Vec3; 2]> {
        let (lower, upper) = self.extent();
        Some([lower, upper])
    }

    fn has(&self, part: &Stratum) -> bool {
        let Stratum::Corners { corners, count } = part else {
            return false;
        };
        let used = corners.get(..usize::from(*count)).unwrap_or_default();
        let known = |i: &u32| (*i as usize) < self.vertices().len();
        let repeated = (1..used.len()).any(|i| used[..i].contains(&used[i]));
        !used.is_empty() && used.iter().all(known) && !repeated
    }

    fn farthest_stratum(&self, d: &Vec3, _parallel: f64) -> Stratum {
        Stratum::corner(self.farthest(d))
    }

    /// Vertex, edge or face by one, two or three corners.
    fn element(&self, part: &Stratum) -> Element {
        let Stratum::Corners { corners, count } = part else {
            return Element::point(Vec3::zeros());
        };
        let [a, b, c] = corners.map(|i| self.vertex_or_last(i));
        match count {
            1 => Element::point(a),
            2 => Element::edge((a + b) * 0.5, (b - a) * 0.5),
            _ => {
                let normal = (b - a).cross(&(c - a));
                Element::Face {
                    normal: normal / normal.norm(),
                    q: a,
                }
            }
        }
    }

    fn exit(&self, part: &Stratum, y: &Vec3) -> Option<Stratum> {
        let Stratum::Corners { corners, .. } = part else {
            return None;
        };
        let [a, b, c] = corners.map(|i| self.vertices().get(i as usize).copied());
        let (a, b, c) = (a?, b?, c?);
        let normal = (b - a).cross(&(c - a));
        // The side that the point is farthest beyond, in parts of the triangle's area.
        let mut worst = -INSIDE * normal.norm_squared();
        let mut new = *part;
        let sides = [(a, b, [0, 1, 2]), (b, c, [1, 2, 0]), (c, a, [2, 0, 1])];
        for (p, q, order) in sides {
            let area = (q - p).cross(&(y - p)).dot(&normal);
            if area < worst {
                worst = area;
                new = Stratum::Corners {
                    corners: order.map(|i| corners[i]),
                    count: 2,
                };
            }
        }
        (new != *part).then_some(new)
    }
}

impl Hull {
    /// One to three vertices, repeated ones counted once; three in the order that makes d an
    /// outward direction.
    pub fn through(&self, indices: impl Iterator<Item = u32>, d: &Vec3) -> Stratum {
        let mut corners = [0; 3];
        let mut count = 0;
        for index in indices {
            if count < 3 && !corners[..count].contains(&index) {
                corners[count] = index;
                count += 1;
            }
        }
        if count == 3 {
            let [p, q, r] = corners.map(|i| self.vertex_or_last(i));
            if (q - p).cross(&(r - p)).dot(d) < 0.0 {
                corners.swap(0, 1);
            }
        }
        Stratum::Corners {
            corners,
            count: count as u8,
        }
    }

    /// A vertex [m]; the last one where there is none with this index.
    fn vertex_or_last(&self, index: u32) -> Vec3 {
        let last = self.vertices().len().saturating_sub(1);
        self.vertices()[(index as usize).min(last)]
    }

    /// Whether a vertex lies less than `band` [m] behind the one that is farthest along
    /// `direction`, the vertex `farthest`. Then one of its neighbours does: the walk upwards along
    /// edges from any other vertex ends there over one of them.
    #[inline(always)]
    fn has_near(&self, farthest: usize, direction: &Vec3, band: f64) -> bool {
        let at = self.vertices()[farthest];
        let neighbours = self.faces().neighbours(farthest).iter();
        let mut behind = neighbours.map(|i| (at - self.vertices()[*i as usize]).dot(direction));
        // NaN counts as near.
        let alone = behind.all(|behind| behind >= band);
        !alone
    }

    /// How much of an edge, and of a face alone, lies across d at the vertex `farthest` along it.
    fn shown<T: Real>(&self, farthest: &Vec3, d: &Vec3<T>) -> [T; 2] {
        /// Sine of the angle between two edges that make a face.
        const WIDE: f64 = 0.1;
        let direction = d.map(Real::value);
        // Edges and diagonals from the farthest vertex to which d is nearly normal.
        let edges = || {
            self.vertices().iter().filter_map(|vertex| {
                let along = farthest - vertex;
                let length = along.norm();
                if length == 0.0 || along.dot(&direction) >= BLEND * length {
                    return None;
                }
                let along = along / length;
                fade(along.map(T::from).dot(d)).map(|fade| (along, fade))
            })
        };
        let (mut edge, mut face) = (T::zero(), T::zero());
        for (u, fade_u) in edges() {
            if fade_u.value() > edge.value() {
                edge = fade_u;
            }
            for (v, _) in edges() {
                // Of the face that holds both, as far as they make one.
                let normal = u.cross(&v);
                let sine = normal.norm();
                if sine > 0.0 {
                    let aside = d.cross(&(normal / sine).map(T::from));
                    let x = aside.dot(&aside) / (BLEND * BLEND);
                    let rest = T::one() - x;
                    let flat = rest * rest * (sine / WIDE).min(1.0);
                    if x.value() < 1.0 && flat.value() > face.value() {
                        face = flat;
                    }
                }
            }
        }
        [edge, face]
    }
}
