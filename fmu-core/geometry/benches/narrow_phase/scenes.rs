//! Cases whose gap and normal are exact by construction.
//!
//! Shapes are about 1 m across; n is the unit normal from 1 to 2. A feature of either shape is
//! chosen with a common normal n, the two feature points are put into one place, and 2 is moved by
//! gap n. Apart, the plane between them proves the distance. Overlapping, n is the normal of a
//! face of the Minkowski difference and the foot of the origin lies well inside that face, so a
//! small depth is the smallest.
//!
//! Text form, one record a line, which [`read`] takes as well:
//! ```text
//! hull ID NV NF, then NV lines x y z, then NF lines i j k (outward triangles)
//! case PAIR CLASS FEATURE K1 a b c K2 a b c q1[wxyz] p1 q2 p2 gap n w1 w2
//! kinds K: 0 sphere(r) 1 box(half x, y, z) 2 capsule(r, half length, along z) 3 hull(ID)
//! ```

use contact_geometry::math::{Mat3, Vec3, multiply, rotation_matrix};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::convex_hull;

/// Vertices and outward triangles.
pub type Surface = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A shape.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Radius.
    Sphere(f64),
    /// Half edges.
    Box([f64; 3]),
    /// Radius and half length.
    Capsule(f64, f64),
    /// Index of a hull.
    Hull(usize),
}

/// Two shapes at two poses with their gap and normal.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the pair.
    pub pair: String,
    /// sep: apart by 1e-3 to 1e-1 m; pen3 and pen5: overlapping by 1e-3 m and 1e-5 m.
    pub class: String,
    /// The shapes.
    pub kinds: [Kind; 2],
    /// Orientations (w, x, y, z).
    pub quaternions: [[f64; 4]; 2],
    /// Positions [m].
    pub positions: [[f64; 3]; 2],
    /// Signed distance [m].
    pub gap: f64,
    /// Unit normal from 1 to 2.
    pub normal: [f64; 3],
}

/// All cases and the hulls that they name.
#[derive(Debug, Default)]
pub struct Scenes {
    /// Hulls by index.
    pub hulls: Vec<Surface>,
    /// Cases, those of a pair and class together.
    pub cases: Vec<Case>,
}

/// Reads the text form.
pub fn read(text: &str) -> Scenes {
    let mut scenes = Scenes::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[0] == "hull" {
            let [vertices, triangles] = [2, 3].map(|i| words[i].parse::<usize>().expect("a count"));
            scenes.hulls.push((
                lines.by_ref().take(vertices).map(numbers).collect(),
                lines.by_ref().take(triangles).map(numbers).collect(),
            ));
        } else {
            let v: Vec<f64> = numbers_of(&words[4..]);
            scenes.cases.push(Case {
                pair: words[1].into(),
                class: words[2].into(),
                kinds: [0, 4].map(|at| kind(&v[at..at + 4])),
                quaternions: [8, 15].map(|at| array(&v[at..])),
                positions: [12, 19].map(|at| array(&v[at..])),
                gap: v[22],
                normal: array(&v[23..]),
            });
        }
    }
    scenes
}

fn kind(v: &[f64]) -> Kind {
    match v[0] as u32 {
        0 => Kind::Sphere(v[1]),
        1 => Kind::Box([v[1], v[2], v[3]]),
        2 => Kind::Capsule(v[1], v[2]),
        _ => Kind::Hull(v[1] as usize),
    }
}

fn numbers<T: std::str::FromStr + Copy + std::fmt::Debug>(line: &str) -> [T; 3] {
    array(&numbers_of(&line.split_whitespace().collect::<Vec<&str>>()))
}

fn numbers_of<T: std::str::FromStr>(words: &[&str]) -> Vec<T> {
    words
        .iter()
        .map(|word| word.parse().ok().expect("a number"))
        .collect()
}

fn array<T: Copy + std::fmt::Debug, const N: usize>(v: &[T]) -> [T; N] {
    v[..N].try_into().expect("enough numbers")
}

/// Numbers in -1..1 that are the same in each run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn between(&mut self, lower: f64, upper: f64) -> f64 {
        lower + (upper - lower) * 0.5 * (self.next() + 1.0)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count - 1)
    }

    fn unit(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.next(), self.next(), self.next());
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q = [self.next(), self.next(), self.next(), self.next()];
            let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
            if length > 0.1 && length < 1.0 {
                return q.map(|c| c / length);
            }
        }
    }

    /// Positive weights with sum 1.
    fn weights<const N: usize>(&mut self) -> [f64; N] {
        let w = std::array::from_fn(|_| self.between(0.15, 1.0));
        let sum: f64 = w.iter().sum();
        w.map(|w: f64| w / sum)
    }

    /// A rotation that maps a to b, both unit, as a quaternion.
    fn rotation_between(&mut self, a: &Vec3, b: &Vec3) -> [f64; 4] {
        // Half a turn about the middle of a and b, then any turn about b.
        let middle = (a + b).normalize();
        let (sine, cosine) = self.between(0.0, std::f64::consts::PI).sin_cos();
        multiply(
            &[cosine, sine * b.x, sine * b.y, sine * b.z],
            &[0.0, middle.x, middle.y, middle.z],
        )
    }
}

/// Polytope with its sharp edges: two vertices and two face normals each.
struct Polytope {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    edges: Vec<([Vec3; 2], [Vec3; 2])>,
}

impl Polytope {
    fn new(surface: &Surface) -> Self {
        let vertices: Vec<Vec3> = surface.0.iter().map(|v| Vec3::from(*v)).collect();
        let triangles = surface.1.clone();
        let at = |v: u32| vertices[v as usize];
        let normals: Vec<Vec3> = triangles
            .iter()
            .map(|[a, b, c]| (at(*b) - at(*a)).cross(&(at(*c) - at(*a))).normalize())
            .collect();
        let mut edges = Vec::new();
        for (i, one) in triangles.iter().enumerate() {
            for (j, other) in triangles.iter().enumerate().skip(i + 1) {
                let shared: Vec<u32> = one.iter().copied().filter(|v| other.contains(v)).collect();
                if shared.len() == 2 && normals[i].dot(&normals[j]) < 1.0 - 1e-9 {
                    edges.push(([at(shared[0]), at(shared[1])], [normals[i], normals[j]]));
                }
            }
        }
        Polytope {
            vertices,
            triangles,
            normals,
            edges,
        }
    }

    fn farthest(&self, d: &Vec3) -> Vec3 {
        let along = |v: &&Vec3| v.dot(d);
        *self
            .vertices
            .iter()
            .max_by(|a, b| along(a).total_cmp(&along(b)))
            .expect("vertices")
    }
}

/// Rotation of 2, normal, and the two points to be put together, all in the frame of 1.
type Meeting = ([f64; 4], Vec3, [Vec3; 2]);

fn polytopes(a: &Polytope, b: &Polytope, feature: usize, random: &mut Random) -> Meeting {
    loop {
        let q = random.quaternion();
        let r: Mat3 = rotation_matrix(&q);
        match feature {
            // Corner on face.
            0 => {
                let face = random.below(a.triangles.len());
                let n = a.normals[face];
                let w = random.weights::<3>();
                let on_1 = (0..3)
                    .map(|i| a.vertices[a.triangles[face][i] as usize] * w[i])
                    .sum();
                let mut heights: Vec<f64> = b.vertices.iter().map(|v| (r * v).dot(&n)).collect();
                heights.sort_by(f64::total_cmp);
                if heights[1] - heights[0] > 1e-5 {
                    return (q, n, [on_1, r * b.farthest(&r.tr_mul(&-n))]);
                }
            }
            // Edge on edge.
            1 => {
                let (edge_1, normals_1) = a.edges[random.below(a.edges.len())];
                let (edge_2, normals_2) = b.edges[random.below(b.edges.len())];
                let mut mean = |v: [Vec3; 2]| {
                    let w = random.weights::<2>();
                    v[0] * w[0] + v[1] * w[1]
                };
                let (on_1, on_2) = (mean(edge_1), mean(edge_2));
                let n = mean(normals_1).normalize();
                let opposite = mean(normals_2).normalize();
                let q = random.rotation_between(&opposite, &-n);
                let r: Mat3 = rotation_matrix(&q);
                let direction = |e: [Vec3; 2]| (e[1] - e[0]).normalize();
                let sine = direction(edge_1).cross(&(r * direction(edge_2))).norm();
                if sine > 0.3 {
                    return (q, n, [on_1, r * on_2]);
                }
            }
            // Corner on corner.
            _ => {
                let n = random.unit();
                return (q, n, [a.farthest(&n), r * b.farthest(&r.tr_mul(&-n))]);
            }
        }
    }
}

fn ball_and_box(r: f64, half: &Vec3, feature: usize, random: &mut Random) -> Meeting {
    // A point of the box surface and an outward normal there, by how many faces meet at it.
    let mut point = Vec3::zeros();
    let mut outward = Vec3::zeros();
    let first = random.below(3);
    for i in 0..3 {
        let axis = (first + i) % 3;
        if i <= feature {
            let side = 1f64.copysign(random.next());
            point[axis] = side * half[axis];
            outward[axis] = side * random.between(0.3, 1.0);
        } else {
            point[axis] = random.between(-0.85, 0.85) * half[axis];
        }
    }
    let q = random.quaternion();
    let rotation: Mat3 = rotation_matrix(&q);
    let n = -(rotation * outward.normalize());
    (q, n, [n * r, rotation * point])
}

fn capsules(r: f64, half: f64, feature: usize, random: &mut Random) -> Meeting {
    let z = Vec3::z();
    loop {
        let q = random.quaternion();
        let d: Vec3 = rotation_matrix(&q) * z;
        let (n, on_1, on_2) = match feature {
            // Cap on side.
            0 => {
                let n = z.cross(&random.unit()).normalize();
                let on_1 = z * (random.between(-0.8, 0.8) * half);
                (n, on_1, d * -half.copysign(n.dot(&d)))
            }
            // Side on side.
            1 => {
                let c = z.cross(&d);
                if c.norm() < 0.3 {
                    continue;
                }
                let [s, t] = [0, 1].map(|_| random.between(-0.8, 0.8) * half);
                (c.normalize(), z * s, d * t)
            }
            // Cap on cap.
            _ => {
                let n = random.unit();
                let on_1 = z * half.copysign(n.z);
                (n, on_1, d * -half.copysign(n.dot(&d)))
            }
        };
        let clear = |feature_from, cosine: f64| feature < feature_from || cosine.abs() > 0.2;
        if (feature == 1 || clear(0, n.dot(&d))) && (feature < 2 || clear(2, n.z)) {
            return (q, n, [on_1 + n * r, on_2 - n * r]);
        }
    }
}

/// A hull of points on an ellipsoid, spread evenly but for some noise.
fn ellipsoid_hull(count: usize, random: &mut Random) -> Surface {
    let golden = std::f64::consts::PI * (1.0 + 5f64.sqrt());
    let points: Vec<Vector> = (0..count)
        .map(|i| {
            let i = i as f64 + 0.5;
            let (sine, cosine) = (1.0 - 2.0 * i / count as f64).acos().sin_cos();
            let (y, x) = (golden * i).sin_cos();
            let noise = 0.25 / (count as f64).sqrt();
            let p = Vec3::new(x * sine, y * sine, cosine)
                + Vec3::new(random.next(), random.next(), random.next()) * noise;
            let p = p.normalize();
            Vector::new(0.5 * p.x, 0.45 * p.y, 0.4 * p.z)
        })
        .collect();
    let (vertices, triangles) = convex_hull(&points);
    (
        vertices.into_iter().map(|v| v.to_array()).collect(),
        triangles,
    )
}

fn box_surface(half: &[f64; 3]) -> Surface {
    let corner = |i: u32| [0, 1, 2].map(|k| half[k] * if i >> k & 1 == 1 { 1.0 } else { -1.0 });
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Makes `count` cases for each of seven pairs and three classes.
pub fn make(count: usize) -> Scenes {
    let mut random = Random(1);
    let half = [0.5, 0.4, 0.3];
    let hulls: Vec<Surface> = [30, 30, 100, 100, 500, 500]
        .iter()
        .map(|count| ellipsoid_hull(*count, &mut random))
        .collect();
    let solids: Vec<Polytope> = hulls.iter().map(Polytope::new).collect();
    let cuboid = Polytope::new(&box_surface(&half));
    let mut cases = Vec::new();
    let pairs = [
        ("ball-ball", [Kind::Sphere(0.5), Kind::Sphere(0.4)]),
        ("ball-box", [Kind::Sphere(0.5), Kind::Box(half)]),
        ("box-box", [Kind::Box(half), Kind::Box(half)]),
        (
            "caps-caps",
            [Kind::Capsule(0.2, 0.4), Kind::Capsule(0.2, 0.4)],
        ),
        ("hull30", [Kind::Hull(0), Kind::Hull(1)]),
        ("hull100", [Kind::Hull(2), Kind::Hull(3)]),
        ("hull500", [Kind::Hull(4), Kind::Hull(5)]),
    ];
    for (pair, kinds) in &pairs {
        for class in ["sep", "pen3", "pen5"] {
            for i in 0..count {
                let sharp = matches!(kinds[0], Kind::Box(_) | Kind::Hull(_));
                // An overlap of two corners has no unique normal.
                let features = if sharp && class != "sep" { 2 } else { 3 };
                let feature = i % features;
                let (q, n, [on_1, on_2]) = match kinds {
                    [Kind::Sphere(a), Kind::Sphere(b)] => {
                        let n = random.unit();
                        (random.quaternion(), n, [n * *a, n * -*b])
                    }
                    [Kind::Sphere(r), _] => {
                        ball_and_box(*r, &Vec3::from(half), feature, &mut random)
                    }
                    [Kind::Capsule(r, half), _] => capsules(*r, *half, feature, &mut random),
                    [Kind::Hull(a), Kind::Hull(b)] => {
                        polytopes(&solids[*a], &solids[*b], feature, &mut random)
                    }
                    _ => polytopes(&cuboid, &cuboid, feature, &mut random),
                };
                let gap = match class {
                    "sep" => 10f64.powf(random.between(-3.0, -1.0)),
                    "pen3" => -1e-3,
                    _ => -1e-5,
                };
                let world = random.quaternion();
                let turn: Mat3 = rotation_matrix(&world);
                let shift = Vec3::new(random.next(), random.next(), random.next());
                cases.push(Case {
                    pair: (*pair).into(),
                    class: class.into(),
                    kinds: kinds.clone(),
                    quaternions: [world, multiply(&world, &q)],
                    positions: [shift, turn * (on_1 + n * gap - on_2) + shift].map(Into::into),
                    gap,
                    normal: (turn * n).into(),
                });
            }
        }
    }
    Scenes { hulls, cases }
}
