//! Where the balls of a group start: points of a cubic lattice, given by its counts or by the box or
//! cylinder that it fills, and what chance adds. The same file gives the same balls on every
//! machine: numbers come from SplitMix64 [Steele et al. 2014], and nothing but sums, products and
//! comparisons of coordinates decides.

/// Part of the largest diameter by which neighbours on a lattice are apart unless said otherwise.
const ROOM: f64 = 1.01;
/// Part of a spacing by which a lattice may exceed its box: rounding.
const ROUNDING: f64 = 1e-9;

/// Numbers by chance: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
/// generators, OOPSLA 2014, with the constants of its Java version.
pub struct Chance(u64);

impl Chance {
    /// Numbers that follow from a seed.
    pub fn new(seed: u32) -> Self {
        Chance(u64::from(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in 0..1, evenly spread.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Points of a lattice, x fastest, z slowest [m].
pub fn lattice(counts: [u32; 3], spacing: [f64; 3], origin: [f64; 3]) -> Vec<[f64; 3]> {
    let along = |axis: usize, i: u32| origin[axis] + f64::from(i) * spacing[axis];
    let count = counts.iter().map(|n| *n as usize).product();
    let mut points = Vec::with_capacity(count);
    for k in 0..counts[2] {
        for j in 0..counts[1] {
            points.extend((0..counts[0]).map(|i| [along(0, i), along(1, j), along(2, k)]));
        }
    }
    points
}

/// What a lattice fills.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Lower and upper corner [m].
    pub corners: [[f64; 3]; 2],
    /// Radius of a vertical cylinder about the middle [m].
    pub radius: Option<f64>,
    /// Distance of centres from plane walls, and from that of the cylinder, along which x and y are
    /// shaken at once [m].
    pub margins: [f64; 2],
}

impl Room {
    /// Points of a lattice in the room, in the middle of its floor, the lowest layer first.
    pub fn filled(&self, spacing: [f64; 3]) -> Vec<[f64; 3]> {
        let [lower, upper] = self.corners;
        let (mut counts, mut origin) = ([0; 3], [0.0; 3]);
        for axis in 0..3 {
            let free = upper[axis] - lower[axis] - 2.0 * self.margins[0];
            if free < -ROUNDING * spacing[axis] {
                return Vec::new();
            }
            let steps = (free.max(0.0) / spacing[axis] + ROUNDING).floor();
            let rest = if axis < 2 {
                0.5 * (free - steps * spacing[axis])
            } else {
                0.0
            };
            origin[axis] = lower[axis] + self.margins[0] + rest;
            counts[axis] = steps as u32 + 1;
        }
        let mut points = lattice(counts, spacing, origin);
        if let Some(radius) = self.radius {
            let middle = [0, 1].map(|axis| 0.5 * (lower[axis] + upper[axis]));
            let reach = radius - self.margins[1];
            points.retain(|p| {
                let [x, y] = [p[0] - middle[0], p[1] - middle[1]];
                reach >= 0.0 && x * x + y * y <= reach * reach
            });
        }
        points
    }
}

/// Distance of neighbours where none is given [m].
pub fn usual_spacing(diameter: f64, jitter: f64) -> [f64; 3] {
    [ROOM * diameter + 2.0 * jitter; 3]
}

/// A diameter of each of so many balls: of `sizes` values evenly spread between the bounds [m].
pub fn diameters(bounds: [f64; 2], sizes: usize, count: usize, chance: &mut Chance) -> Vec<f64> {
    let [least, most] = bounds;
    if least == most {
        return vec![least; count];
    }
    let one = |_| {
        let size = (chance.unit() * sizes as f64).floor();
        least + (most - least) * size / (sizes - 1) as f64
    };
    (0..count).map(one).collect()
}

/// Moves each coordinate by at most `most` [m].
pub fn shake(points: &mut [[f64; 3]], most: f64, chance: &mut Chance) {
    if most > 0.0 {
        for coordinate in points.iter_mut().flatten() {
            *coordinate += most * (2.0 * chance.unit() - 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First numbers of the reference program of S. Vigna for seed 1234567.
    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut chance = Chance::new(1_234_567);
        let numbers = [(); 5].map(|()| chance.next());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn a_box_holds_as_many_balls_as_fit_side_by_side() {
        let room = Room {
            corners: [[0.0; 3], [1.0, 0.35, 0.3]],
            radius: None,
            margins: [0.05; 2],
        };
        let points = room.filled([0.1; 3]);
        assert_eq!(points.len(), 10 * 3 * 3);
        // In the middle along y, on the floor, from wall to wall along x.
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(points[0][0], 0.05);
        close(points[0][1], 0.075);
        close(points[0][2], 0.05);
        close(points[9][0], 0.95);
        assert!(
            Room {
                margins: [0.2; 2],
                ..room
            }
            .filled([0.1; 3])
            .is_empty()
        );
    }

    #[test]
    fn balls_in_a_cylinder_keep_clear_of_its_wall() {
        let room = Room {
            corners: [[-1.0, -1.0, 0.0], [1.0, 1.0, 0.1]],
            radius: Some(1.0),
            margins: [0.05; 2],
        };
        let points = room.filled([0.1; 3]);
        assert!(
            points
                .iter()
                .all(|[x, y, _]| x.hypot(*y) + 0.05 <= 1.0 + 1e-12)
        );
        // The area of the circle in squares of the lattice, up to the squares at its edge.
        let expected = std::f64::consts::PI * 0.95 * 0.95 / 0.01;
        assert!((points.len() as f64 - expected).abs() < 0.1 * expected);
    }

    #[test]
    fn sizes_and_places_by_chance_keep_their_bounds_and_their_mean() {
        let mut chance = Chance::new(7);
        let found = diameters([1.0, 2.0], 8, 8000, &mut chance);
        for size in 0..8 {
            let wanted = 1.0 + f64::from(size) / 7.0;
            let count = found
                .iter()
                .filter(|d| (**d - wanted).abs() < 1e-12)
                .count();
            // 1000 expected, with a deviation of sqrt(8000 * 1/8 * 7/8) = 30.
            assert!((850..=1150).contains(&count), "{size}: {count}");
        }
        let mut points = vec![[0.0; 3]; 1000];
        shake(&mut points, 0.5, &mut chance);
        let all: Vec<f64> = points.into_iter().flatten().collect();
        assert!(all.iter().all(|c| c.abs() <= 0.5));
        // The mean of 3000 has the deviation 1/sqrt(12)/sqrt(3000) = 0.005.
        assert!((all.iter().sum::<f64>() / 3000.0).abs() < 0.025);
        assert!(all.iter().any(|c| *c > 0.49) && all.iter().any(|c| *c < -0.49));
    }
}
