//! Tables of M = S/P, the damping f/f_el - 1 = g M with g = v/S, P as in [`super`].
//!
//! S^2 = s^2 + v^2/lambda is a norm of the state that makes M smooth: lambda = 4.5 while loading, 0.4 while
//! parting. M is a function of c = |v|/(S sqrt lambda), 0 to 1, and w = S/v_small alone: of c for constant
//! restitution; of c and x = sqrt(w/(w + 0.8)) if it decreases with the speed. P is analytic in w, with
//! logarithms near w = -0.02; the root moves them away.
//!
//! Each cell has polynomials of degree 7 that interpolate M at the Chebyshev-Lobatto points, so M is
//! continuous. For decreasing restitution f/f_el is accurate to 5e-9 absolute and 4e-9 relative, and the
//! slope of M jumps between cells by less than 2e-7 per cell; for constant restitution it is accurate to
//! 3e-11 (1 + u). A table has 143 kB and takes 1 to 1.6 ms, when the first contact that needs it starts; the
//! process keeps it for other instances, [`Kept`].
//!
//! # The impact speed v0 of a contact from its depth rate v and s^2 = 2 E/m
//!
//! Where F = s^2/2 with F = P (v0 - v) - P^2 ln((P + v0)/(P + v)), P = v0/u(e(v0)). See [`super`]. All speeds
//! in units of some S, r = v0/S. Halley's method with bounds; used only to create the tables.

use crate::response::restitution::exact;
use contact_geometry::math::real::{cos, exp, exp_m1, ln, ln_1p};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Limit of a decreasing restitution at zero speed, if below the value of a fast impact [1].
pub(super) const SLOW: f64 = 0.25;
const TERMS: usize = 8;
/// sqrt(lambda) [1] while loading and while parting.
const STRETCH: [f64; 2] = [2.121_320_343_559_642_6, 0.632_455_532_033_675_9];
/// Numbers of cells of c while loading and while parting, for decreasing restitution.
const CELLS: [usize; 2] = [7, 10];
const FIRST: [usize; 2] = [0, CELLS[0]];
const COLUMNS: usize = CELLS[0] + CELLS[1];
const ROWS: usize = 16;
/// w where x^2 = 1/2.
pub(super) const HALF: f64 = 0.8;
/// w from which on the restitution is constant: M changes by less than 1e-10 there.
pub(super) const FAST_FROM: f64 = 8.0;
/// Scale from x^2 to the square of the row: the last row ends at w = [`FAST_FROM`].
const ROWS_2: f64 = (ROWS * ROWS) as f64 * (FAST_FROM + HALF) / FAST_FROM;
/// Minimum and maximum number of cells of c per side for constant restitution: at least [`SLOW`], and less.
const FAST_CELLS: [usize; 2] = [32, 256];

/// Table of M for one restitution.
pub struct Table {
    fast: f64,
    falls: bool,
    /// Cells of c on each side: loading, then parting.
    cells: usize,
    end: f64,
    /// Cells per unit of g on each side.
    per_cell: [f64; 2],
    made: OnceLock<Made>,
}

/// Polynomials, created when a first contact needs them: many instances never have one.
pub(super) struct Made {
    constant: Vec<Line>,
    /// By rows of x; empty for constant restitution.
    falling: Vec<Cell>,
}

/// Coefficients of powers of t, in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f64; TERMS]);

/// Powers of t along c, each with powers of t along x.
type Cell = [Line; TERMS];

/// Side of the table: 0 loading, 1 parting.
#[derive(Clone, Copy)]
pub(crate) struct Side(usize);

pub(crate) struct Slopes {
    pub m: f64,
    pub(crate) along_g: f64,
    pub along_x: f64,
}

impl Side {
    #[inline(always)]
    pub(crate) fn of(v: f64) -> Self {
        Side(usize::from(v < 0.0))
    }

    #[inline(always)]
    pub(crate) fn per_lambda(self) -> f64 {
        const PER: [f64; 2] = [
            1.0 / (STRETCH[0] * STRETCH[0]),
            1.0 / (STRETCH[1] * STRETCH[1]),
        ];
        PER[self.0]
    }
}

/// Cell and t, -1/2 to 1/2 in it, of a position from 0 to `count`, to some rounding.
#[inline(always)]
fn cell(place: f64, count: usize, end: f64) -> (usize, f64) {
    /// 1.5 2^52: adding it rounds a number to an integer, which is then in the last bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // NaN passes, in some cell.
    let middle = if place > end { end } else { place } - 0.5;
    let rounded = middle + ROUND;
    let cell = (rounded.to_bits() as u32 as usize).min(count - 1);
    (cell, middle - (rounded - ROUND))
}

/// Just before the end of `count` cells, which is the middle between two integers.
const fn end(count: usize) -> f64 {
    count as f64 * (1.0 - 2.0 * f64::EPSILON)
}

const ENDS: [f64; 2] = [end(CELLS[0]), end(CELLS[1])];
const LAST_ROW: f64 = end(ROWS);
const PER_CELL: [f64; 2] = [
    CELLS[0] as f64 / STRETCH[0],
    -(CELLS[1] as f64) / STRETCH[1],
];

/// a + b t, elementwise.
#[inline(always)]
fn line(a: &[f64; TERMS], b: &[f64; TERMS], t: f64) -> [f64; TERMS] {
    let mut sum = [0.0; TERMS];
    for i in 0..TERMS {
        sum[i] = a[i] + b[i] * t;
    }
    sum
}

#[inline(always)]
fn value(k: &[f64; TERMS], t: f64) -> f64 {
    let t_2 = t * t;
    let low = (k[0] + k[1] * t) + t_2 * (k[2] + k[3] * t);
    low + t_2 * t_2 * ((k[4] + k[5] * t) + t_2 * (k[6] + k[7] * t))
}

#[inline(always)]
fn slope(k: &[f64; TERMS], t: f64) -> f64 {
    let t_2 = t * t;
    let low = (k[1] + 2.0 * k[2] * t) + t_2 * (3.0 * k[3] + 4.0 * k[4] * t);
    low + t_2 * t_2 * ((5.0 * k[5] + 6.0 * k[6] * t) + t_2 * (7.0 * k[7]))
}

impl Table {
    /// For the restitution 0 < e < 1 of fast impacts, speed-dependent if it `falls`.
    pub(crate) fn new(fast: f64, falls: bool) -> Self {
        let cells = FAST_CELLS[usize::from(fast < SLOW)];
        Table {
            fast,
            falls,
            cells,
            end: end(cells),
            per_cell: [cells as f64 / STRETCH[0], -(cells as f64) / STRETCH[1]],
            made: OnceLock::new(),
        }
    }

    /// Creates the polynomials unless they exist: at the start of a contact, so that no evaluation has to.
    #[inline(always)]
    pub(super) fn make(&self) -> &Made {
        self.made.get_or_init(|| {
            KEPT.write()
                .unwrap_or_else(PoisonError::into_inner)
                .copy(self)
        })
    }

    #[inline(always)]
    pub(crate) fn constant(&self, side: Side, g: f64) -> f64 {
        let (cell, t) = cell(g * self.per_cell[side.0], self.cells, self.end);
        value(&self.make().constant[side.0 * self.cells + cell].0, t)
    }

    pub(crate) fn constant_slopes(&self, side: Side, g: f64) -> Slopes {
        let (cell, t) = cell(g * self.per_cell[side.0], self.cells, self.end);
        let line = &self.make().constant[side.0 * self.cells + cell].0;
        Slopes {
            m: value(line, t),
            along_g: slope(line, t) * self.per_cell[side.0],
            along_x: 0.0,
        }
    }

    /// M for decreasing restitution, at x^2.
    #[inline(always)]
    pub(crate) fn falling(&self, side: Side, g: f64, x_2: f64) -> f64 {
        let (column, t) = cell(g * PER_CELL[side.0], CELLS[side.0], ENDS[side.0]);
        let (row, along) = cell((x_2 * ROWS_2).sqrt(), ROWS, LAST_ROW);
        let k = &self.make().falling[row * COLUMNS + FIRST[side.0] + column];
        value_by_pairs(&across(k, t), along)
    }

    pub(crate) fn falling_slopes(&self, side: Side, g: f64, x_2: f64) -> Slopes {
        let (column, t) = cell(g * PER_CELL[side.0], CELLS[side.0], ENDS[side.0]);
        let x = (x_2 * ROWS_2).sqrt();
        let (row, along) = cell(x, ROWS, LAST_ROW);
        let k = &self.make().falling[row * COLUMNS + FIRST[side.0] + column];
        let values = across(k, t);
        Slopes {
            m: value_by_pairs(&values, along),
            along_g: value(&slope_across(k, t), along) * PER_CELL[side.0],
            along_x: slope(&values, along) * x,
        }
    }
}

/// Cache of the most recent tables of this process, for instances to copy. A static without heap, which would
/// leak when the library is unloaded; a `Mutex` allocates on macOS.
static KEPT: RwLock<Kept> = RwLock::new(Kept::NONE);

struct Kept {
    /// Number of tables created; each replaces the oldest.
    made: usize,
    /// Restitution of fast impacts, and whether it falls; 0 for a free entry.
    keys: [(f64, bool); 8],
    lines: [[Line; MOST_LINES]; 8],
}

/// Lines of a table for decreasing restitution; others have fewer.
const MOST_LINES: usize = 2 * FAST_CELLS[0] + ROWS * COLUMNS * TERMS;

impl Kept {
    /// Zeros, so that they take no space in the library.
    const NONE: Self = Kept {
        made: 0,
        keys: [(0.0, false); 8],
        lines: [[Line([0.0; TERMS]); MOST_LINES]; 8],
    };

    /// Copy of the polynomials of a table, which are created unless cached.
    fn copy(&mut self, of: &Table) -> Made {
        let known = self.keys.iter().position(|key| *key == (of.fast, of.falls));
        let place = known.unwrap_or(self.made % 8);
        let (fast, rest) = self.lines[place].split_at_mut(2 * of.cells);
        let cells = &mut rest.as_chunks_mut().0[..usize::from(of.falls) * ROWS * COLUMNS];
        if known.is_none() {
            let solver = Solver::new(of.fast, of.falls);
            fast.copy_from_slice(&constant(&solver, of.fast, of.cells));
            if of.falls {
                falling(&solver, cells);
            }
            self.keys[place] = (of.fast, of.falls);
            self.made += 1;
        }
        Made {
            constant: fast.to_vec(),
            falling: cells.to_vec(),
        }
    }
}

/// Coefficients along x at t along c.
#[inline(always)]
fn across(k: &Cell, t: f64) -> [f64; TERMS] {
    let pair = |i: usize| line(&k[i].0, &k[i + 1].0, t);
    let t_2 = t * t;
    let low = line(&pair(0), &pair(2), t_2);
    let high = line(&pair(4), &pair(6), t_2);
    line(&low, &high, t_2 * t_2)
}

/// Coefficients of the slope along t.
fn slope_across(k: &Cell, t: f64) -> [f64; TERMS] {
    let mut sum = [0.0; TERMS];
    for i in (1..TERMS).rev() {
        for (sum, k) in sum.iter_mut().zip(k[i].0) {
            *sum = *sum * t + i as f64 * k;
        }
    }
    sum
}

/// [`value`] with even and odd powers side by side, as the coefficients come.
#[inline(always)]
fn value_by_pairs(k: &[f64; TERMS], t: f64) -> f64 {
    let t_2 = t * t;
    let t_4 = t_2 * t_2;
    let part = |i: usize| (k[i] + k[i + 2] * t_2) + (k[i + 4] + k[i + 6] * t_2) * t_4;
    part(0) + part(1) * t
}

/// Chebyshev-Lobatto points in t.
fn points() -> [f64; TERMS] {
    std::array::from_fn(|i| -0.5 * cos(std::f64::consts::PI * i as f64 / (TERMS - 1) as f64))
}

/// Position of a node of `count` cells from 0 to 1; adjacent cells share one.
fn node(points: &[f64; TERMS], index: usize, count: usize) -> f64 {
    let cell = (index / (TERMS - 1)).min(count - 1);
    (points[index - cell * (TERMS - 1)] + 0.5 + cell as f64) / count as f64
}

/// Coefficients over t, -1/2 to 1/2, of the polynomial that interpolates a function at [`points`].
fn polynomial(of: impl FnMut(f64) -> f64) -> [f64; TERMS] {
    let points = points();
    powers(&points, points.map(of))
}

/// Interpolation polynomial from values: Newton's divided differences, converted to powers of t.
fn powers(points: &[f64; TERMS], values: [f64; TERMS]) -> [f64; TERMS] {
    let mut differences = values;
    for order in 1..TERMS {
        for i in (order..TERMS).rev() {
            differences[i] =
                (differences[i] - differences[i - 1]) / (points[i] - points[i - order]);
        }
    }
    let mut powers = [0.0; TERMS];
    for i in (0..TERMS).rev() {
        for k in (1..TERMS).rev() {
            powers[k] = powers[k - 1] - points[i] * powers[k];
        }
        powers[0] = differences[i] - points[i] * powers[0];
    }
    powers
}

/// Both sides with the sign of their rates, the parting one first and from its end, c = 1, so that each root
/// is the start value of the next.
const SIDES: [(usize, f64); 2] = [(1, -1.0), (0, 1.0)];

fn constant(solver: &Solver, fast: f64, cells: usize) -> Vec<Line> {
    let points = points();
    let count = cells * (TERMS - 1) + 1;
    let mut values = [vec![0.0; count], vec![0.0; count]];
    // v0 = -v/e where it parts.
    let mut r = STRETCH[1] / fast;
    for (side, sign) in SIDES {
        for step in 0..count {
            let index = if side == 1 { count - 1 - step } else { step };
            let c = node(&points, index, cells);
            if c < 1.0 || side == 0 {
                let place = Place {
                    c: sign * c * STRETCH[side],
                    half: 0.5 * (1.0 - c) * (1.0 + c),
                    size: FAST_FROM * 1e3,
                };
                r = solver.solve(place, r);
            }
            values[side][index] = 1.0 / solver.scale(r, FAST_FROM * 1e3).p;
        }
    }
    let lines = values.iter().flat_map(|values| {
        (0..cells).map(|cell| {
            let first = cell * (TERMS - 1);
            Line(powers(&points, std::array::from_fn(|i| values[first + i])))
        })
    });
    lines.collect()
}

/// Computes the polynomials of all rows of x.
fn falling(solver: &Solver, cells: &mut [Cell]) {
    let points = points();
    let rows = ROWS * (TERMS - 1) + 1;
    let last = (FAST_FROM / (FAST_FROM + HALF)).sqrt();
    let places: Vec<f64> = (0..rows).map(|i| last * node(&points, i, ROWS)).collect();
    let sizes: Vec<f64> = places
        .iter()
        .map(|x| HALF * x * x / (1.0 - x * x))
        .collect();
    let mut first = STRETCH[1] / SLOW;
    for (side, sign) in SIDES {
        let count = CELLS[side] * (TERMS - 1) + 1;
        let mut values = vec![0.0; count * rows];
        for step in 0..count {
            let index = if side == 1 { count - 1 - step } else { step };
            let c = node(&points, index, CELLS[side]);
            let mut known = [first; 3];
            for (row, size) in sizes.iter().enumerate() {
                let start = match row {
                    0 => first,
                    1 | 2 => known[0],
                    _ => extrapolated(&places[row - 3..=row], known),
                };
                let place = Place {
                    c: sign * c * STRETCH[side],
                    half: 0.5 * (1.0 - c) * (1.0 + c),
                    size: *size,
                };
                let r = solver.solve(place, start);
                known = [r, known[0], known[1]];
                if row == 0 {
                    first = r;
                }
                values[index * rows + row] = 1.0 / solver.scale(r, *size).p;
            }
        }
        for row in 0..ROWS {
            for column in 0..CELLS[side] {
                let corner = column * (TERMS - 1) * rows + row * (TERMS - 1);
                let along: [[f64; TERMS]; TERMS] = std::array::from_fn(|i| {
                    let from = corner + i * rows;
                    powers(&points, std::array::from_fn(|j| values[from + j]))
                });
                let cell = &mut cells[row * COLUMNS + FIRST[side] + column];
                for j in 0..TERMS {
                    for (line, k) in cell.iter_mut().zip(powers(&points, along.map(|k| k[j]))) {
                        line.0[j] = k;
                    }
                }
            }
        }
    }
}

/// Extrapolation by the parabola through the last three values, the newest first, to the last of four
/// positions.
fn extrapolated(places: &[f64], known: [f64; 3]) -> f64 {
    let &[x2, x1, x0, x] = places else {
        return known[0];
    };
    let (a, b, c) = (x - x0, x - x1, x - x2);
    known[0] * (b * c) / ((x0 - x1) * (x0 - x2))
        + known[1] * (a * c) / ((x1 - x0) * (x1 - x2))
        + known[2] * (a * b) / ((x2 - x0) * (x2 - x1))
}

/// v0/v_small from which on e is constant: 0.01^9 is negligible against 1.
const SOLVED_FROM: f64 = 9.0;
/// Relative step of Halley's method after which the error is its third power, 1e-12 [1].
const LAST_STEP: f64 = 1e-4;
/// Relative step that is rounding [1].
const ROUNDING: f64 = 1e-15;
const MOST_STEPS: usize = 100;
/// P/S above which its logarithm is computed from the difference, which keeps its digits [1].
const NEARLY_ELASTIC: f64 = 30.0;
/// P/S above which F hardly depends on P, and its dependence is lost in rounding [1].
const ELASTIC: f64 = 1e4;

struct Solver {
    fast: f64,
    /// 1/u of it [1].
    fast_inverse: f64,
    /// v0/v_small from which on the restitution is constant; 0 if it always is.
    fast_from: f64,
    slow: f64,
    inverse: &'static InverseDamping,
}

/// P/S and its first and second derivative with respect to r.
struct ScaledDamping {
    pub p: f64,
    p_1: f64,
    p_2: f64,
}

struct FirstIntegral {
    value: f64,
    slope: f64,
    curvature: f64,
}

/// v/S, s^2/(2 S^2) and S/v_small.
#[derive(Clone, Copy)]
struct Place {
    pub c: f64,
    pub half: f64,
    pub size: f64,
}

impl Solver {
    /// For the restitution 0 < e < 1 of fast impacts, speed-dependent if it `falls`.
    fn new(fast: f64, falls: bool) -> Self {
        Solver {
            fast,
            fast_inverse: 1.0 / exact(fast),
            fast_from: if falls { SOLVED_FROM } else { 0.0 },
            slow: fast.min(SLOW),
            inverse: InverseDamping::shared(),
        }
    }

    /// P at r, with S/v_small.
    fn scale(&self, r: f64, size: f64) -> ScaledDamping {
        let speed = r * size;
        if speed >= self.fast_from {
            let g = self.fast_inverse;
            return ScaledDamping {
                p: r * g,
                p_1: g,
                p_2: 0.0,
            };
        }
        // e and its derivatives with respect to r.
        let decay = LN_HUNDREDTH * size;
        let missing = (self.fast - self.slow) * exp(LN_HUNDREDTH * speed);
        let (e, e_1) = (self.fast - missing, -decay * missing);
        let [g, g_e, g_ee] = self.inverse.at(e);
        let g_1 = g_e * e_1;
        ScaledDamping {
            p: r * g,
            p_1: g + r * g_1,
            p_2: 2.0 * g_1 + r * (g_ee * e_1 + g_e * decay) * e_1,
        }
    }

    /// With A = 1/(P + v0), B = 1/(P + v) and L = ln(B/A): F_v0 = v0 P A, F_P = v0 - v - 2 P L - P^2 (A - B),
    /// F_v0v0 = P^2 A^2, F_v0P = v0^2 A^2, F_PP = -2 L - 4 P (A - B) + P^2 (A^2 - B^2).
    fn integral(&self, place: Place, r: f64, scale: &ScaledDamping) -> FirstIntegral {
        let &ScaledDamping { p, p_1, p_2 } = scale;
        let (before, now, travel) = (p + r, p + place.c, r - place.c);
        let both = 1.0 / (before * now);
        let log = if p < NEARLY_ELASTIC {
            ln(before * before * both)
        } else {
            ln_1p(travel * before * both)
        };
        let a = now * both;
        let (of_p, of_pp) = if p < ELASTIC {
            let t = p * travel * both;
            (
                travel - 2.0 * p * log + p * t,
                -2.0 * log + t * (4.0 - p * both * (before + now)),
            )
        } else {
            (0.0, 0.0)
        };
        let (pa, ra) = (p * a, r * a);
        FirstIntegral {
            value: p * (travel - p * log) - place.half,
            slope: r * pa + of_p * p_1,
            curvature: pa * pa + 2.0 * ra * ra * p_1 + of_pp * p_1 * p_1 + of_p * p_2,
        }
    }

    /// r with F = s^2/2 from a start value, bracketed.
    fn solve(&self, place: Place, start: f64) -> f64 {
        let (mut low, mut high) = (place.c.max(0.0), f64::INFINITY);
        let mut r = start;
        for _ in 0..MOST_STEPS {
            let scale = self.scale(r, place.size);
            let now = scale.p + place.c;
            if now <= 0.0 {
                // v0 is larger: this impact parts before it is as fast as v.
                low = r;
                r = between(low, high);
                continue;
            }
            let found = self.integral(place, r, &scale);
            let newton = found.value / found.slope;
            let bend = 0.5 * newton * found.curvature / found.slope;
            let mut step = newton / (1.0 - bend.min(0.5));
            if scale.p_1 * step >= now {
                // Past the end of the logarithm: a step of Newton in ln(P + v), along which F is
                // straight there.
                step = -now * exp_m1(-newton * scale.p_1 / now) / scale.p_1;
            }
            let next = r - step;
            if step.abs() * scale.p_1 <= LAST_STEP * now.min(scale.p) + ROUNDING * scale.p {
                return next;
            }
            if found.value > 0.0 {
                high = r;
            } else {
                low = r;
            }
            r = match low < next && next < high {
                true => next,
                false => between(low, high),
            };
        }
        r
    }
}

/// A value between bounds of r, of which the upper may not be known yet.
#[cold]
fn between(low: f64, high: f64) -> f64 {
    match high < f64::INFINITY {
        true => 0.5 * (low + high),
        false => 1.5 * low,
    }
}

const LN_HUNDREDTH: f64 = -2.0 * std::f64::consts::LN_10;

/// 1/u as a function of e, from polynomials of (1 - e)/u, which goes from 0 to 2/3 as e goes from 0 to 1.
struct InverseDamping([[f64; TERMS]; INTERVALS]);

/// Number of intervals of e: each polynomial is accurate to some 1e-12.
const INTERVALS: usize = 64;

impl InverseDamping {
    /// Shared by all restitutions; without heap, which would leak when the library is unloaded.
    fn shared() -> &'static Self {
        static SHARED: OnceLock<InverseDamping> = OnceLock::new();
        let loss = |e: f64| match e < 1.0 {
            true => (1.0 - e) / exact(e),
            false => 2.0 / 3.0,
        };
        let of =
            |interval: usize| polynomial(|t| loss((t + 0.5 + interval as f64) / INTERVALS as f64));
        SHARED.get_or_init(|| InverseDamping(std::array::from_fn(of)))
    }

    /// 1/u and its first two derivatives with respect to e, 0 < e < 1.
    fn at(&self, e: f64) -> [f64; 3] {
        let scaled = e * INTERVALS as f64;
        let interval = (scaled as usize).min(INTERVALS - 1);
        let t = scaled - interval as f64 - 0.5;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.0[interval];
        let (t_2, t_4) = (t * t, t * t * t * t);
        let value =
            (k0 + k1 * t) + t_2 * (k2 + k3 * t) + t_4 * ((k4 + k5 * t) + t_2 * (k6 + k7 * t));
        let slope = (k1 + 2.0 * k2 * t)
            + t_2 * (3.0 * k3 + 4.0 * k4 * t)
            + t_4 * ((5.0 * k5 + 6.0 * k6 * t) + t_2 * (7.0 * k7));
        // To lead the search of a root, which needs no more terms of it.
        let bend = 2.0 * k2 + 6.0 * k3 * t + 12.0 * k4 * t_2;
        let (slope, bend) = (
            slope * INTERVALS as f64,
            bend * (INTERVALS * INTERVALS) as f64,
        );
        let per_loss = 1.0 / (1.0 - e);
        let g = value * per_loss;
        let g_1 = (slope + g) * per_loss;
        [g, g_1, (bend + 2.0 * g_1) * per_loss]
    }
}

/// Tables created so far, so that a scene creates each one once and keeps them when its numbers change.
#[derive(Clone, Default)]
pub struct Tables {
    used: Vec<Arc<Table>>,
    before: Vec<Arc<Table>>,
}

impl Tables {
    /// Copy for rebinding a scene, which [`Self::bound`] ends.
    #[must_use]
    pub fn again(&self) -> Self {
        Tables {
            used: Vec::new(),
            before: self.used.clone(),
        }
    }

    /// Ends binding: drops unused tables.
    pub fn bound(&mut self) {
        self.before = Vec::new();
    }

    /// Drops tables that no law has any more.
    pub fn drop_unused(&mut self) {
        self.used.retain(|table| Arc::strong_count(table) > 1);
    }

    /// Table for the restitution 0 < e < 1 of fast impacts, speed-dependent if it `falls`.
    pub fn of(&mut self, fast: f64, falls: bool) -> Arc<Table> {
        let is_it = |table: &&Arc<Table>| table.fast == fast && table.falls == falls;
        if let Some(table) = self.used.iter().find(is_it) {
            return Arc::clone(table);
        }
        let before = self.before.iter().find(is_it).cloned();
        let table = before.unwrap_or_else(|| Arc::new(Table::new(fast, falls)));
        self.used.push(Arc::clone(&table));
        table
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables")
            .field("used", &self.used.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALLING: [f64; 6] = [0.26, 0.5, 0.7, 0.9, 0.999, 1.0 - 1e-9];

    /// x^2 at w.
    fn x_2(w: f64) -> f64 {
        w / (w + HALF)
    }

    /// g M by the solver.
    fn solved(solver: &Solver, g: f64, w: f64) -> f64 {
        let c = g.abs() / STRETCH[usize::from(g < 0.0)];
        let half = 0.5 * (1.0 - c) * (1.0 + c);
        let place = Place {
            c: g,
            half,
            size: w,
        };
        g / solver.scale(solver.solve(place, 2.0), w).p
    }

    /// g from -sqrt 0.4 to sqrt 4.5, at `count` places on each side.
    fn rates(count: usize) -> impl Iterator<Item = f64> {
        (0..2 * count).map(move |i| match i < count {
            true => -STRETCH[1] * (i as f64 + 0.37) / count as f64,
            false => STRETCH[0] * ((i - count) as f64 + 0.37) / count as f64,
        })
    }

    #[test]
    fn the_table_is_the_solver_to_some_1e_9_where_the_restitution_falls() {
        for fast in FALLING {
            let (table, solver) = (Table::new(fast, true), Solver::new(fast, true));
            let (mut worst, mut relative) = (0.0_f64, 0.0_f64);
            for g in rates(173) {
                for i in 0..400 {
                    let w = FAST_FROM * ((f64::from(i) + 0.41) / 400.0).powi(3);
                    let damping = solved(&solver, g, w);
                    let error = (g * table.falling(Side::of(g), g, x_2(w)) - damping).abs();
                    worst = worst.max(error);
                    relative = relative.max(error / (1.0 + damping));
                }
            }
            assert!(worst < 5e-9, "{fast}: {worst:e}");
            assert!(relative < 5e-9, "{fast}: {relative:e}");
        }
    }

    #[test]
    fn a_restitution_that_has_fallen_no_more_joins_that_of_fast_impacts() {
        for fast in FALLING {
            let table = Table::new(fast, true);
            for g in rates(100) {
                let side = Side::of(g);
                let jump = table.falling(side, g, x_2(FAST_FROM)) - table.constant(side, g);
                assert!((g * jump).abs() < 3e-9, "{fast} {g}: {jump:e}");
            }
        }
    }

    #[test]
    fn neighbouring_cells_meet_in_value_and_slope() {
        for fast in FALLING {
            let table = Table::new(fast, true);
            let at = |row: usize, column: usize, t: f64, along: f64| {
                let cell = &table.make().falling[row * COLUMNS + column];
                let (lines, slopes) = (across(cell, t), slope_across(cell, t));
                [
                    value(&lines, along),
                    value(&slopes, along),
                    slope(&lines, along),
                ]
            };
            let (mut values, mut slopes) = (0.0_f64, 0.0_f64);
            let mut meet = |a: [f64; 3], b: [f64; 3]| {
                values = values.max((a[0] - b[0]).abs());
                slopes = slopes.max((a[1] - b[1]).abs()).max((a[2] - b[2]).abs());
            };
            for part in (-10..=10).map(|i| f64::from(i) / 20.0) {
                for row in 0..ROWS {
                    for column in 0..COLUMNS {
                        let inner = column + 1 != FIRST[1] && column + 1 != COLUMNS;
                        if inner {
                            meet(at(row, column, 0.5, part), at(row, column + 1, -0.5, part));
                        }
                        if row + 1 < ROWS {
                            meet(at(row, column, part, 0.5), at(row + 1, column, part, -0.5));
                        }
                    }
                    // At rest the sides meet in value.
                    let [a, b] = FIRST.map(|first| [at(row, first, -0.5, part)[0], 0.0, 0.0]);
                    meet(a, b);
                }
            }
            // Slopes for a cell; a cell of g is 0.08 or 0.35 wide.
            assert!(values < 1e-11, "{fast}: {values:e}");
            assert!(slopes < 3e-7, "{fast}: {slopes:e}");
        }
    }

    #[test]
    fn the_force_of_a_constant_restitution_grows_with_the_rate() {
        for fast in [0.05, 0.2, 0.3, 0.7, 0.99] {
            let table = Table::new(fast, false);
            let u = exact(fast);
            let mut last = 1.0 - fast * u;
            for i in 0..=20_000 {
                let c = f64::from(i) / 10_000.0 - 1.0;
                let g = c * STRETCH[usize::from(c < 0.0)];
                let found = 1.0 + g * table.constant(Side::of(g), g);
                assert!(found >= last - 1e-11 * (1.0 + u), "{fast} {c}");
                last = found;
            }
            assert!((last - 1.0 - u).abs() < 1e-11 * (1.0 + u), "{fast}");
        }
    }

    #[test]
    fn a_table_is_made_once_and_kept_while_it_is_in_use() {
        let mut tables = Tables::default();
        let first = tables.of(0.7, true);
        assert!(Arc::ptr_eq(&first, &tables.of(0.7, true)));
        assert!(!Arc::ptr_eq(&first, &tables.of(0.7, false)));
        tables.bound();
        let mut again = tables.again();
        assert!(Arc::ptr_eq(&first, &again.of(0.7, true)));
        again.bound();
        assert_eq!((tables.used.len(), again.used.len()), (2, 1));
    }

    #[test]
    fn a_process_makes_a_table_once_for_all_instances_and_keeps_the_last_ones() {
        static OWN: RwLock<Kept> = RwLock::new(Kept::NONE);
        let mut kept = OWN.write().expect("a lock of one thread");
        let mut instance = |fast: f64, falls: bool| {
            let made = kept.copy(&Table::new(fast, falls));
            let lines = made.constant.iter().chain(made.falling.iter().flatten());
            let bits: Vec<_> = lines.map(|line| line.0.map(f64::to_bits)).collect();
            (bits, kept.made)
        };
        for (fast, falls) in [(0.1, false), (0.7, true), (0.7, false)] {
            let first = instance(fast, falls);
            assert_eq!(instance(fast, falls), first);
        }
        (3..8).for_each(|other| drop(instance(0.8 + 1e-3 * f64::from(other), false)));
        assert_eq!(instance(0.1, false).1, 8);
        // One more takes the place of the first.
        assert_eq!(instance(0.9, false).1, 9);
        assert_eq!(instance(0.7, true).1, 9);
        assert_eq!(instance(0.1, false).1, 10);
    }

    #[test]
    fn one_over_u_is_interpolated_closely() {
        let inverse = InverseDamping::shared();
        for i in 1..5000 {
            let e = f64::from(i) / 5000.0;
            let [g, ..] = inverse.at(e);
            let error = g * exact(e) - 1.0;
            assert!(error.abs() < 3e-12, "{e}: {error:e}");
        }
    }
}
