//! Bodies on joints that hit a floor, against equations of motion that know nothing of trees.

use super::*;
use crate::running::Run;
use nalgebra::{DMatrix, DVector};

/// Overlap with the floor [m]: in contact, without force.
const TOUCH: f64 = 1.5e-8;
/// Radius of the balls at the tips [m].
const RADIUS: f64 = 0.01;

/// A bar in the plane of x and z that turns about y at its upper end.
#[derive(Clone, Copy)]
struct Bar {
    /// The bar at whose lower end it hangs; the world if none.
    parent: Option<usize>,
    length: f64,
    mass: f64,
    /// Angle from the downward vertical towards x [rad], and its rate [rad/s]; absolute.
    angle: f64,
    rate: f64,
    /// A ball at the lower end touches the floor there.
    touches: bool,
}

impl Bar {
    fn along(&self) -> [f64; 2] {
        [
            self.length * self.angle.sin(),
            -self.length * self.angle.cos(),
        ]
    }

    /// About the middle.
    fn inertia(&self) -> f64 {
        self.mass * self.length * self.length / 12.0
    }
}

/// Places of the upper ends.
fn tops(bars: &[Bar]) -> Vec<[f64; 2]> {
    let mut tops: Vec<[f64; 2]> = Vec::new();
    for bar in bars {
        tops.push(match bar.parent {
            Some(parent) => {
                let ([x, z], [dx, dz]) = (tops[parent], bars[parent].along());
                [x + dx, z + dz]
            }
            None => [0.0, 0.0],
        });
    }
    tops
}

/// The bars with a floor below each tip that touches.
fn bars_scene(bars: &[Bar], law: Law) -> SceneDescription {
    let tops = tops(bars);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for (i, bar) in bars.iter().enumerate() {
        let name = format!("bar_{i}");
        let mut own = body(&name, Motion::Joint, sphere(2.0 * RADIUS), [0.0; 3]);
        // Bars are long downwards; the contact point, the middle of the overlap, is the tip as it is now.
        let (sin, cos) = bar.angle.sin_cos();
        let above = RADIUS - 0.5 * TOUCH;
        own.shapes[0].position = [above * sin, 0.0, above * cos - bar.length];
        if !bar.touches {
            own.shapes.clear();
        }
        own.mass = given_mass(
            bar.mass,
            [0.0, 0.0, -0.5 * bar.length],
            [bar.inertia(), bar.inertia(), 1e-3 * bar.mass, 0.0, 0.0, 0.0],
        );
        let parent = bar.parent.map(|parent| format!("bar_{parent}"));
        let mut own_joint = joint(JointKind::Revolute, parent.as_deref(), &name);
        let (angle, rate) = bar
            .parent
            .map_or((0.0, 0.0), |p| (bars[p].angle, bars[p].rate));
        // A turn about -y moves what hangs down towards x.
        own_joint.axis = [0.0, -1.0, 0.0];
        own_joint.positions = vec![bar.angle - angle];
        own_joint.rates = vec![bar.rate - rate];
        if let Some(parent) = bar.parent {
            own_joint.parent_frame.position = [0.0, 0.0, -bars[parent].length];
        }
        bodies.push(own);
        joints.push(own_joint);
    }
    for (i, (bar, [x, z])) in bars.iter().zip(&tops).enumerate() {
        if bar.touches {
            let [dx, dz] = bar.along();
            let mut floor: BodyDescription = plate_of(0.05);
            floor.name = format!("floor_{i}");
            floor.shapes[0].name.clone_from(&floor.name);
            floor.position = [x + dx, 0.0, z + dz + 0.5 * TOUCH - 0.05];
            bodies.push(floor);
        }
    }
    let mut description = scene(bodies, law);
    description.joints = joints;
    description
}

/// Rates of the bars, absolute, from the states.
fn rates_of(run: &Run, bars: &[Bar]) -> Vec<f64> {
    let mut rates: Vec<f64> = Vec::new();
    for (i, bar) in bars.iter().enumerate() {
        let own = run.states[2 * i + 1];
        rates.push(own + bar.parent.map_or(0.0, |parent| rates[parent]));
    }
    rates
}

/// Kinetic energy of the bars with these rates.
fn energy(bars: &[Bar], rates: &[f64]) -> f64 {
    let (mass, map) = (mass_matrix(bars), velocities(bars));
    let v = map * DVector::from_column_slice(rates);
    0.5 * v.dot(&(mass * &v))
}

/// Mass matrix of x, z and the angle of all bars, one by one.
fn mass_matrix(bars: &[Bar]) -> DMatrix<f64> {
    let diagonal = bars
        .iter()
        .flat_map(|bar| [bar.mass, bar.mass, bar.inertia()]);
    DMatrix::from_diagonal(&DVector::from_iterator(3 * bars.len(), diagonal))
}

/// Rows that give the velocity of a point of a bar at a part of its length from x, z and the angle of its
/// middle.
fn point_rows(bars: &[Bar], bar: usize, part: f64) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(2, 3 * bars.len());
    let [dx, dz] = bars[bar].along();
    // From the middle; a turn of the angle moves (dx, dz) by (-dz, dx).
    let (rx, rz) = ((part - 0.5) * dx, (part - 0.5) * dz);
    rows[(0, 3 * bar)] = 1.0;
    rows[(1, 3 * bar + 1)] = 1.0;
    rows[(0, 3 * bar + 2)] = -rz;
    rows[(1, 3 * bar + 2)] = rx;
    rows
}

/// Velocities of x, z and the angle of all middles from the rates of the angles.
fn velocities(bars: &[Bar]) -> DMatrix<f64> {
    let n = bars.len();
    let mut map = DMatrix::zeros(3 * n, n);
    for i in 0..n {
        map[(3 * i + 2, i)] = 1.0;
        let [dx, dz] = bars[i].along();
        map[(3 * i, i)] = -0.5 * dz;
        map[(3 * i + 1, i)] = 0.5 * dx;
        let mut above = bars[i].parent;
        while let Some(parent) = above {
            let [dx, dz] = bars[parent].along();
            map[(3 * i, parent)] -= dz;
            map[(3 * i + 1, parent)] += dx;
            above = bars[parent].parent;
        }
    }
    map
}

/// Rates after an impact at which the velocities of these rows become `wanted`, by the equations of Lagrange
/// of all bars without joints, with a multiplier for each joint and each wanted velocity. Returns the rates and the
/// multipliers of the wanted velocities.
fn kkt(bars: &[Bar], rows: &DMatrix<f64>, wanted: &DVector<f64>) -> (Vec<f64>, Vec<f64>) {
    let n = 3 * bars.len();
    let rates = DVector::from_iterator(bars.len(), bars.iter().map(|bar| bar.rate));
    let before = velocities(bars) * rates;
    let mut joints = DMatrix::zeros(2 * bars.len(), n);
    for (i, bar) in bars.iter().enumerate() {
        let mut own = point_rows(bars, i, 0.0);
        if let Some(parent) = bar.parent {
            own -= point_rows(bars, parent, 1.0);
        }
        joints.rows_mut(2 * i, 2).copy_from(&own);
    }
    let (m, k) = (joints.nrows(), rows.nrows());
    let mut matrix = DMatrix::zeros(n + m + k, n + m + k);
    let mass = mass_matrix(bars);
    matrix.view_mut((0, 0), (n, n)).copy_from(&mass);
    matrix.view_mut((n, 0), (m, n)).copy_from(&joints);
    matrix.view_mut((n + m, 0), (k, n)).copy_from(rows);
    matrix
        .view_mut((0, n), (n, m))
        .copy_from(&-joints.transpose());
    matrix
        .view_mut((0, n + m), (n, k))
        .copy_from(&-rows.transpose());
    let mut right = DVector::zeros(n + m + k);
    right.rows_mut(0, n).copy_from(&(mass * before));
    right.rows_mut(n + m, k).copy_from(wanted);
    let solution = matrix.lu().solve(&right).expect("a regular matrix");
    let rates = (0..bars.len()).map(|i| solution[3 * i + 2]).collect();
    (rates, solution.rows(n + m, k).iter().copied().collect())
}

/// Ten bars in a tree of two arms, both of which end on a floor.
fn tree() -> Vec<Bar> {
    let bar = |parent, angle: f64, rate, touches| Bar {
        parent,
        length: 0.3,
        mass: 1.0,
        angle,
        rate,
        touches,
    };
    let mut bars = vec![
        bar(None, 0.2, 0.3, false),
        bar(Some(0), -0.3, -0.2, false),
        bar(Some(1), 0.5, 0.4, false),
        bar(Some(2), -0.2, 0.1, false),
        bar(Some(3), 0.4, -0.6, true),
        bar(Some(0), 0.6, 0.2, false),
        bar(Some(5), 0.1, -0.5, false),
        bar(Some(6), 0.7, -0.3, false),
        bar(Some(1), -0.9, 0.7, false),
        bar(Some(7), 1.2, -0.9, true),
    ];
    for (i, bar) in bars.iter_mut().enumerate() {
        bar.mass += 0.1 * i as f64;
        bar.length += 0.02 * i as f64;
    }
    // Both tips go down: against what would lift them.
    let [_, normal] = tips(&bars);
    let lift = (normal * velocities(&bars)).row_sum();
    for (bar, lift) in bars.iter_mut().zip(&lift) {
        bar.rate -= 2.0 * lift;
    }
    bars
}

/// Velocities of the tips that touch, tangential and normal rows one after the other.
fn tips(bars: &[Bar]) -> [DMatrix<f64>; 2] {
    let touching = (0..bars.len()).filter(|i| bars[*i].touches);
    let rows: Vec<DMatrix<f64>> = touching.map(|i| point_rows(bars, i, 1.0)).collect();
    [0, 1].map(|at| {
        let own: Vec<_> = rows.iter().map(|rows| rows.row(at).into_owned()).collect();
        DMatrix::from_rows(&own)
    })
}

fn before(bars: &[Bar]) -> DVector<f64> {
    let rates = DVector::from_iterator(bars.len(), bars.iter().map(|bar| bar.rate));
    velocities(bars) * rates
}

#[test]
fn a_tree_of_ten_links_hits_at_two_points_as_by_lagranges_equations() {
    let bars = tree();
    let [_, normal] = tips(&bars);
    let approach = &normal * before(&bars);
    assert!(approach.iter().all(|u| *u < -0.01), "{approach}");
    for restitution in [0.0, 0.4, 1.0] {
        let (expected, impulses) = kkt(&bars, &normal, &(&approach * -restitution));
        assert!(impulses.iter().all(|p| *p > 0.0), "{impulses:?}");
        let law = law(restitution, 0.0);
        let mut description = bars_scene(&bars, law);
        description.contact.multi_impact = MultiImpact::Together;
        let run = Run::new(description, 1e-9);
        let found = rates_of(&run, &bars);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
        let list = run.system.impulses().list();
        for (impulse, expected) in list.iter().zip(&impulses) {
            assert!((impulse.impulse_w.norm() - expected).abs() < 1e-10);
        }
    }
}

#[test]
fn a_tree_that_sticks_at_two_points_stops_there_as_by_lagranges_equations() {
    let mut bars = tree();
    let [tangential, normal] = tips(&bars);
    let mut rows = DMatrix::zeros(4, tangential.ncols());
    rows.rows_mut(0, 2).copy_from(&tangential);
    rows.rows_mut(2, 2).copy_from(&normal);
    // Both tips go almost straight down.
    let wanted = DVector::from_column_slice(&[0.1, -0.2, -1.0, -1.2]);
    let (rates, _) = kkt(&bars, &rows, &wanted);
    for (bar, rate) in bars.iter_mut().zip(rates) {
        bar.rate = rate;
    }
    let (expected, impulses) = kkt(&bars, &rows, &DVector::zeros(4));
    let friction = 5.0;
    let cones = impulses[..2].iter().zip(&impulses[2..]);
    assert!(
        cones
            .clone()
            .all(|(t, n)| *n > 0.0 && t.abs() < friction * n)
    );
    let law = law(0.0, friction);
    let mut description = bars_scene(&bars, law);
    description.contact.multi_impact = MultiImpact::Together;
    let run = Run::new(description, 1e-9);
    for (found, expected) in rates_of(&run, &bars).iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }
}

/// Two uniform rods, m = 1 kg, L = 1 m, angles from the downward vertical (-16, -23) degrees, rates (0, 0.6), whose
/// tip hits a floor with mu = 0.5 and e = 0.7: from M = [4/3, c/2; c/2, 1/3], c the cosine of the angle
/// between them, and the velocity of the tip, W = J M^-1 J^T, u- = (0.55230291, -0.23443868), and the
/// planar impulse path slides, stops and turns back. Newton's hypothesis would make the energy 8.45 times as
/// large; it is scaled so that it stays.
#[test]
fn a_double_pendulum_gains_no_energy_by_any_hypothesis() {
    let rod = |parent, angle: f64, rate, touches| Bar {
        parent,
        length: 1.0,
        mass: 1.0,
        angle: angle.to_radians(),
        rate,
        touches,
    };
    let bars = [rod(None, -16.0, 0.0, false), rod(Some(0), -23.0, 0.6, true)];
    let start = energy(&bars, &[0.0, 0.6]);
    assert!((start - 0.06).abs() < 1e-15);
    #[rustfmt::skip]
    let rows = [
        (Hypothesis::Poisson, Some([-0.05117928, 0.31618818]), 0.215806),
        (Hypothesis::Energetic, Some([0.06744369, 0.57589934]), 0.344213),
        (Hypothesis::Newton, None, 1.0),
    ];
    for (hypothesis, impulse, ratio) in rows {
        let law = law(0.7, 0.5);
        let mut description = bars_scene(&bars, law);
        description.contact.impact_law = hypothesis;
        let run = Run::new(description, 1e-9);
        let found = run.system.impulses().list()[0].impulse_w;
        let after = energy(&bars, &rates_of(&run, &bars));
        near!(after / start, ratio, 1e-6, "{hypothesis:?}");
        if let Some([t, n]) = impulse {
            let sign = if found.z < 0.0 { -1.0 } else { 1.0 };
            let (x, z) = (found.x * sign, found.z * sign);
            assert!((x - t).abs() < 1e-7 && (z - n).abs() < 1e-7, "{found}");
        }
    }
}
