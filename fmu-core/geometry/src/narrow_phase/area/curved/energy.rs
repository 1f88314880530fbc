//! Stored energy from the nodes.
//!
//! About a point v where all depths are zero p is homogeneous of degree 1, (x - v) . grad p = p, so
//! div(p (x - v)) = 4 p and
//!
//!   U = 1/4 integral of p (x - v) . n_A dA
//!
//! over the surface of A inside B: p is zero on the rest of the boundary. The nodes integrate it
//! exactly. v exists for one plane, an edge, a corner of three faces and the apex of a pyramid.
//!
//! For other planes U = -integral of (integral of p along the ray from x along e) e . n_A dA. That
//! is exact up to the quadrature, 1 % on the side of a prism of 16 faces, as long as no ray enters
//! B: no normal of a loaded plane may point away from e, which excludes a body that passes through
//! B.
//!
//! # The pressure field over one part of the surface
//!
//! In the chart of a part (three axes of the body and an origin) the depth below plane j is affine,
//! g_j = c + a x + b y + e z. The pressure is k min_j g_j where that is positive. A plane whose
//! depth exceeds the deepest point of the part everywhere on it is never the minimum and is left
//! out.
//!
//! # Gauss rules
//!
//! Abscissas and weights are those of the zeros of the Legendre polynomials and, with the weight
//! rho on 0 .. 1, of the Jacobi polynomials [Abramowitz, Stegun 1964, 25.4.30 and 25.4.33],
//! computed with 50 digits.

use crate::math::{Pose, Real, Vec2, Vec3};
use crate::narrow_phase::area::nodes::{Node, OutlineCorner};
use crate::narrow_phase::area::planes::Plane;

/// Largest distance of v from the nodes, relative to their spacing: rounding grows with it.
const FARTHEST: f64 = 1e3;

/// Stored energy [J]. `shares` is the load on each plane [N].
pub(super) fn energy<T: Real>(
    planes: &[Plane<T>],
    stiffness: f64,
    shares: &[f64],
    samples: &[Sample],
    nodes: &[Node<T>],
) -> T {
    let Some(first) = nodes.first() else {
        return T::zero();
    };
    let (most, count) = most_loaded(shares);
    let depth = |j: usize, x: &Vec3<T>| planes[j].offset - planes[j].normal.dot(x);
    if let Some(v) = common_point(planes, &most[..count.min(3)], &first.point)
        && is_near(&v, first, nodes, count)
    {
        let deepest = nodes
            .iter()
            .zip(samples)
            .fold(0.0, |most: f64, (node, sample)| {
                most.max(depth(sample.plane, &node.point).value())
            });
        let mut loaded = (0..planes.len()).filter(|j| shares[*j] > 0.0);
        if loaded.all(|j| depth(j, &v).value().abs() <= COMMON * deepest) {
            let mut sum = T::zero();
            for node in nodes {
                sum += node.force * (node.point - v).dot(&node.normal);
            }
            return sum * 0.25;
        }
    }
    let e = way_out(planes, shares, most[0], nodes);
    let mut sum = T::zero();
    for (node, sample) in nodes.iter().zip(samples) {
        let ray = along_ray(planes, sample.plane, &node.point, &e);
        sum -= ray * e.dot(&node.normal) * (stiffness * sample.area);
    }
    sum
}

/// Direction e from which no normal of a loaded plane points away: the normal of the plane with the
/// largest share, against which perpendicular faces are parallel to the rays, or else the direction
/// against the total load.
fn way_out<T: Real>(
    planes: &[Plane<T>],
    shares: &[f64],
    largest: usize,
    nodes: &[Node<T>],
) -> Vec3<T> {
    let normal = planes[largest].normal;
    let values = normal.map(Real::value);
    let faces = shares.iter().zip(planes);
    let mut loaded = faces.filter(|(share, _)| **share > 0.0);
    if loaded.all(|(_, plane)| plane.normal.map(Real::value).dot(&values) > -ACROSS) {
        return normal;
    }
    let load = nodes.iter().fold(Vec3::zeros(), |sum, node| {
        sum + node.normal.map(Real::value) * node.force.value()
    });
    let size = load.norm();
    match size > 0.0 {
        true => (load / -size).map(T::from),
        false => normal,
    }
}

/// The three planes with the largest shares in descending order, and the number of planes with a
/// share.
fn most_loaded(shares: &[f64]) -> ([usize; 3], usize) {
    let (mut most, mut count) = ([0; 3], 0);
    for (j, share) in shares.iter().enumerate() {
        if *share > 0.0 {
            let mut own = j;
            for (place, other) in most.iter_mut().enumerate() {
                if place >= count {
                    *other = own;
                    break;
                }
                if shares[own] > shares[*other] {
                    std::mem::swap(&mut own, other);
                }
            }
            count += 1;
        }
    }
    (most, count)
}

/// Depth of v below a plane that counts as zero, relative to the largest depth of the nodes.
const COMMON: f64 = 1e-9;
/// Cosine below which a normal counts as perpendicular to e: some rounding.
const ACROSS: f64 = 1e-9;

/// The point on all loaded planes that is nearest to x.
fn common_point<T: Real>(planes: &[Plane<T>], loaded: &[usize], x: &Vec3<T>) -> Option<Vec3<T>> {
    let normal = |i: usize| planes[loaded[i]].normal;
    let depth = |i: usize| planes[loaded[i]].offset - planes[loaded[i]].normal.dot(x);
    match loaded.len() {
        1 => Some(x + normal(0) * depth(0)),
        2 => {
            let (m, n) = (normal(0), normal(1));
            let along = m.cross(&n);
            let length2 = along.dot(&along);
            let step = n.cross(&along) * depth(0) + along.cross(&m) * depth(1);
            (length2.value() > 0.0).then(|| x + step / length2)
        }
        3 => {
            let (l, m, n) = (normal(0), normal(1), normal(2));
            let (mn, nl, lm) = (m.cross(&n), n.cross(&l), l.cross(&m));
            let volume = l.dot(&mn);
            let step = mn * depth(0) + nl * depth(1) + lm * depth(2);
            (volume.value() != 0.0).then(|| x + step / volume)
        }
        _ => None,
    }
}

fn is_near<T: Real>(v: &Vec3<T>, first: &Node<T>, nodes: &[Node<T>], count: usize) -> bool {
    let squared = |d: Vec3<T>| d.dot(&d).value();
    let size = |node: &Node<T>| squared(node.point - first.point);
    let extent = nodes.iter().map(size).fold(0.0, f64::max);
    count == 1 || squared(v - first.point) <= FARTHEST * FARTHEST * extent
}

/// Integral of min_j g_j [m2] along the ray from x along e, up to its exit from B. Plane `now` is
/// nearest to x.
fn along_ray<T: Real>(planes: &[Plane<T>], mut now: usize, x: &Vec3<T>, e: &Vec3<T>) -> T {
    let line = |j: usize| {
        let plane = &planes[j];
        (plane.offset - plane.normal.dot(x), -plane.normal.dot(e))
    };
    let (mut sum, mut s) = (T::zero(), T::zero());
    for _ in planes {
        let (a, b) = line(now);
        // Where the ray leaves B, or another plane becomes the nearest.
        let mut end = (b.value() < 0.0).then(|| (-a / b, None));
        for m in 0..planes.len() {
            let (a_m, b_m) = line(m);
            if b_m.value() < b.value() {
                let meets = (a_m - a) / (b - b_m);
                if end.is_none_or(|(end, _)| meets.value() < end.value()) {
                    end = Some((meets, Some(m)));
                }
            }
        }
        let Some((to, then)) = end else {
            return sum;
        };
        if to.value() > s.value() {
            sum += (a + b * (s + to) * 0.5) * (to - s);
            s = to;
        }
        match then {
            Some(m) => now = m,
            None => break,
        }
    }
    sum
}

/// Number of a depth that only bounds a cell: it has no nodes.
pub(super) const WALL: usize = usize::MAX;

/// Depth below a plane in the coordinates of a chart or of the body: c + slope . x [m].
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth<T: Real = f64> {
    pub c: T,
    pub slope: Vec3<T>,
    pub plane: usize,
}

impl<T: Real> Depth<T> {
    pub(super) fn in_body(plane: &Plane<T>, pose: &Pose<T>, index: usize) -> Self {
        Depth {
            c: plane.offset - plane.normal.dot(&pose.position),
            slope: -pose.rotation.tr_mul(&plane.normal),
            plane: index,
        }
    }

    pub(super) fn values(&self) -> Depth {
        Depth {
            c: self.c.value(),
            slope: self.slope.map(Real::value),
            plane: self.plane,
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, p: &Vec3) -> T {
        self.c + self.slope.x * p.x + self.slope.y * p.y + self.slope.z * p.z
    }
}

impl Depth {
    pub(super) fn beyond(&self, other: &Depth) -> Depth {
        Depth {
            c: self.c - other.c,
            slope: self.slope - other.slope,
            plane: self.plane,
        }
    }

    pub(super) fn across(&self) -> f64 {
        (self.slope.x * self.slope.x + self.slope.y * self.slope.y).sqrt()
    }
}

/// Frame of a part of the surface, given in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chart {
    pub origin: Vec3,
    pub axes: [Vec3; 3],
}

impl Chart {
    /// Converts a depth from body coordinates to chart coordinates.
    pub(super) fn depth(&self, depth: &Depth) -> Depth {
        let [u, v, w] = &self.axes;
        let slope = &depth.slope;
        Depth {
            c: depth.at(&self.origin),
            slope: Vec3::new(slope.dot(u), slope.dot(v), slope.dot(w)),
            plane: depth.plane,
        }
    }

    pub(super) fn direction(&self, x: f64, y: f64, z: f64) -> Vec3 {
        let [u, v, w] = &self.axes;
        u * x + v * y + w * z
    }

    pub(super) fn point(&self, x: f64, y: f64, z: f64) -> Vec3 {
        self.origin + self.direction(x, y, z)
    }
}

/// Quadrature node in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub area: f64,
    /// Index of the nearest plane of B.
    pub plane: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// Piece of a generator.
    Line,
    /// Region of a planar face.
    Region {
        chart: Chart,
        middle: Vec2,
        corners: (usize, usize),
        plane: usize,
    },
}

#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    pub(crate) list: Vec<Sample>,
    /// End of each part in the list, and its kind.
    pub parts: Vec<(usize, Part)>,
    /// Corners of regions relative to the middle; with the centre of the arc that begins there.
    pub corners: Vec<OutlineCorner<f64>>,
}

impl Samples {
    pub(super) fn push(&mut self, sample: Sample) {
        self.list.push(sample);
    }

    pub(super) fn end(&mut self, part: Part) {
        if self.parts.last().map_or(0, |(end, _)| *end) < self.list.len() {
            self.parts.push((self.list.len(), part));
        }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.parts.clear();
        self.corners.clear();
    }
}

/// Selects the depths that can be the minimum somewhere on a part where all are positive, in its
/// chart. `extent` gives the smallest and the largest depth on the part [m].
pub(super) fn find_active(
    depths: &[Depth],
    chart: &Chart,
    extent: impl Fn(&Depth) -> [f64; 2],
    active: &mut Vec<Depth>,
) {
    active.clear();
    let mut deepest = f64::INFINITY;
    for depth in depths {
        let depth = chart.depth(depth);
        deepest = deepest.min(extent(&depth)[1]);
        active.push(depth);
        if deepest <= 0.0 {
            active.clear();
            return;
        }
    }
    active.retain(|depth| extent(depth)[0] <= deepest);
}

/// Half of a symmetric rule on -1 .. 1: abscissas >= 0 with their weights. A nonzero abscissa also
/// represents its opposite.
pub(crate) type Rule = [[f64; 2]];

/// Two-point Gauss rule, exact for cubic polynomials.
pub(super) const TWO: &Rule = &G2;
/// Three-point Gauss rule, exact for polynomials of degree 5.
pub(super) const THREE: &Rule = &G3;

/// Rule on 0 .. 1 for the integral of rho f(rho), exact for f of degree 5.
pub(super) const RADIAL: [[f64; 2]; 3] = [
    [0.212_340_538_239_152_94, 0.069_826_979_901_454_12],
    [0.590_533_135_559_265_3, 0.229_241_106_359_586_25],
    [0.911_412_040_487_296_1, 0.200_931_913_738_959_63],
];

/// Rules for arcs up to a half angle [rad].
///
/// Bounds: an integral of (cos t - cos h)^q cos(k t) over -h .. h with q and k up to 3 and 4, hence
/// of a depth, its square and its cube times direction and arms, has a relative error below 1e-14;
/// from a quarter of a circle on, 1e-12 for the cube.
const ARCS: [(f64, &Rule); 8] = [
    (7e-4, &G5),
    (0.0106, &G6),
    (0.0442, &G7),
    (0.108, &G8),
    (0.322, &G10),
    (0.622, &G12),
    (1.58, &G16),
    (2.2, &G20),
];

/// Smallest relative size of the ellipse in which an integrand is analytic, and the rule for it: n
/// points with rho^(-2 n) < 2e-19, times n^3 from the poles.
const ELLIPSES: [(f64, &Rule); 5] = [
    (36.0, &G6),
    (14.7, &G8),
    (8.6, &G10),
    (6.0, &G12),
    (SMALLEST_ELLIPSE, &G16),
];

/// Arcs with a smaller ellipse are bisected.
pub(super) const SMALLEST_ELLIPSE: f64 = 3.84;

pub(super) fn arc(half: f64) -> &'static Rule {
    find(&ARCS, |bound| half <= bound)
}

/// Rule for an arc whose integrand has no poles inside an ellipse of this size.
pub(crate) fn arc_with_poles(half: f64, ellipse: f64) -> &'static Rule {
    let by_poles = find(&ELLIPSES, |bound| ellipse >= bound);
    let by_angle = arc(half);
    match by_poles.len() >= by_angle.len() {
        true => by_poles,
        false => by_angle,
    }
}

fn find(rules: &[(f64, &'static Rule)], fits: impl Fn(f64) -> bool) -> &'static Rule {
    let found = rules.iter().find(|(bound, _)| fits(*bound));
    found.map_or(&G24, |(_, rule)| rule)
}

const G2: [[f64; 2]; 1] = [[0.577_350_269_189_625_7, 1.0]];
const G3: [[f64; 2]; 2] = [
    [0.0, 0.888_888_888_888_888_8],
    [0.774_596_669_241_483_4, 0.555_555_555_555_555_6],
];
const G5: [[f64; 2]; 3] = [
    [0.0, 0.568_888_888_888_888_9],
    [0.538_469_310_105_683_1, 0.478_628_670_499_366_47],
    [0.906_179_845_938_664, 0.236_926_885_056_189_09],
];
const G6: [[f64; 2]; 3] = [
    [0.238_619_186_083_196_9, 0.467_913_934_572_691_05],
    [0.661_209_386_466_264_5, 0.360_761_573_048_138_6],
    [0.932_469_514_203_152, 0.171_324_492_379_170_35],
];
const G7: [[f64; 2]; 4] = [
    [0.0, 0.417_959_183_673_469_4],
    [0.405_845_151_377_397_2, 0.381_830_050_505_118_9],
    [0.741_531_185_599_394_5, 0.279_705_391_489_276_67],
    [0.949_107_912_342_758_5, 0.129_484_966_168_869_7],
];
const G8: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_29],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_47],
    [0.960_289_856_497_536_2, 0.101_228_536_290_376_26],
];
const G10: [[f64; 2]; 5] = [
    [0.148_874_338_981_631_21, 0.295_524_224_714_752_87],
    [0.433_395_394_129_247_2, 0.269_266_719_309_996_36],
    [0.679_409_568_299_024_4, 0.219_086_362_515_982_04],
    [0.865_063_366_688_984_5, 0.149_451_349_150_580_6],
    [0.973_906_528_517_171_7, 0.066_671_344_308_688_14],
];
const G12: [[f64; 2]; 6] = [
    [0.125_233_408_511_468_9, 0.249_147_045_813_402_8],
    [0.367_831_498_998_180_2, 0.233_492_536_538_354_8],
    [0.587_317_954_286_617_5, 0.203_167_426_723_065_92],
    [0.769_902_674_194_304_7, 0.160_078_328_543_346_23],
    [0.904_117_256_370_474_9, 0.106_939_325_995_318_43],
    [0.981_560_634_246_719_2, 0.047_175_336_386_511_83],
];
const G16: [[f64; 2]; 8] = [
    [0.095_012_509_837_637_44, 0.189_450_610_455_068_5],
    [0.281_603_550_779_258_9, 0.182_603_415_044_923_59],
    [0.458_016_777_657_227_39, 0.169_156_519_395_002_54],
    [0.617_876_244_402_643_8, 0.149_595_988_816_576_73],
    [0.755_404_408_355_003, 0.124_628_971_255_533_87],
    [0.865_631_202_387_831_8, 0.095_158_511_682_492_79],
    [0.944_575_023_073_232_6, 0.062_253_523_938_647_893],
    [0.989_400_934_991_649_9, 0.027_152_459_411_754_095],
];
const G20: [[f64; 2]; 10] = [
    [0.076_526_521_133_497_34, 0.152_753_387_130_725_85],
    [0.227_785_851_141_645_08, 0.149_172_986_472_603_75],
    [0.373_706_088_715_419_56, 0.142_096_109_318_382_05],
    [0.510_867_001_950_827_1, 0.131_688_638_449_176_63],
    [0.636_053_680_726_515, 0.118_194_531_961_518_42],
    [0.746_331_906_460_150_8, 0.101_930_119_817_240_44],
    [0.839_116_971_822_218_8, 0.083_276_741_576_704_75],
    [0.912_234_428_251_326, 0.062_672_048_334_109_07],
    [0.963_971_927_277_913_8, 0.040_601_429_800_386_94],
    [0.993_128_599_185_094_9, 0.017_614_007_139_152_118],
];
const G24: [[f64; 2]; 12] = [
    [0.064_056_892_862_605_63, 0.127_938_195_346_752_16],
    [0.191_118_867_473_616_3, 0.125_837_456_346_828_3],
    [0.315_042_679_696_163_4, 0.121_670_472_927_803_39],
    [0.433_793_507_626_045_1, 0.115_505_668_053_725_6],
    [0.545_421_471_388_839_6, 0.107_444_270_115_965_63],
    [0.648_093_651_936_975_5, 0.097_618_652_104_113_88],
    [0.740_124_191_578_554_4, 0.086_190_161_531_953_27],
    [0.820_001_985_973_903, 0.073_346_481_411_080_3],
    [0.886_415_527_004_401_1, 0.059_298_584_915_436_78],
    [0.938_274_552_002_732_8, 0.044_277_438_817_419_81],
    [0.974_728_555_971_309_5, 0.028_531_388_628_933_663],
    [0.995_187_219_997_021_3, 0.012_341_229_799_987_2],
];
