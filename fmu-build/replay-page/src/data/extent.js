// Where the run takes place: a box around what moves, over the whole time.
import { Box3, Matrix4, Vector3 } from "three";
import { quaternion } from "./motion.js";

const SAMPLES = 120; // frames looked at
// What flies or falls out of the scene must not make all else small: places outside these quantiles
// of all bodies and times count only if they are near.
const QUANTILES = [0.02, 0.98];

/** Radius of a sphere around the origin of the body that contains its shapes [m]; planes have none. */
export function bodyRadius(run, body) {
  let radius = 0;
  for (const shape of body.shapes) {
    const geometry = run.geometries[shape.geometry];
    if (geometry.type === "plane") continue;
    radius = Math.max(radius, Math.hypot(...shape.position) + geometryRadius(geometry));
  }
  return radius;
}

function geometryRadius(geometry) {
  if (geometry.type === "sphere") return geometry.radius;
  const v = geometry.vertices;
  let square = 0;
  for (let i = 0; i < v.length; i += 3) {
    square = Math.max(square, v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2);
  }
  return Math.sqrt(square);
}

/** The box of the moving bodies and balls, with the fixed ones that are not much larger. */
export function extent(run) {
  const places = [[], [], []];
  const start = new Box3();
  let largest = 0;
  const frames = sampledFrames(run.frames);
  const add = (track, at, radius) => {
    for (let axis = 0; axis < 3; axis++) {
      if (!Number.isFinite(track[at + axis])) return;
    }
    for (let axis = 0; axis < 3; axis++) {
      places[axis].push(track[at + axis] - radius, track[at + axis] + radius);
    }
  };
  const include = (track, at, radius) => {
    largest = Math.max(largest, radius);
    start.expandByPoint(new Vector3(track[at], track[at + 1], track[at + 2]).subScalar(radius));
    start.expandByPoint(new Vector3(track[at], track[at + 1], track[at + 2]).addScalar(radius));
  };
  for (const { body, position } of run.poses) {
    const radius = bodyRadius(run, run.bodies[body]);
    include(position, 0, radius);
    for (const frame of frames) add(position, 3 * frame, radius);
  }
  for (const { track, positions, radii } of run.balls) {
    const stride = Math.ceil(radii.length / 500);
    for (let ball = 0; ball < radii.length; ball += stride) {
      include(track ?? positions, 3 * ball, radii[ball]);
      if (!track) continue;
      for (const frame of frames) add(track, 3 * (frame * radii.length + ball), radii[ball]);
    }
  }
  const box = start.clone();
  if (places[0].length > 0) box.union(mostOf(places, start));
  addFixed(run, box);
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const size = box.getSize(new Vector3()).length();
  if (!(size > 0)) box.expandByScalar(largest || 1);
  return box;
}

function sampledFrames(frames) {
  const count = Math.min(frames, SAMPLES);
  return Array.from({ length: count }, (_, i) => Math.round((i * (frames - 1)) / (count - 1 || 1)));
}

/** Box of the quantiles; all of an axis where nothing goes far. */
function mostOf(places, start) {
  const box = new Box3();
  const size = start.getSize(new Vector3()).length();
  places.forEach((along, axis) => {
    const sorted = Float64Array.from(along).sort();
    const at = (quantile) => sorted[Math.round(quantile * (sorted.length - 1))];
    const [low, high] = QUANTILES.map(at);
    const far = 0.5 * (high - low) + size;
    const key = "xyz"[axis];
    box.min[key] = Math.max(sorted[0], low - far);
    box.max[key] = Math.min(sorted[sorted.length - 1], high + far);
  });
  return box;
}

function addFixed(run, box) {
  const moving = new Set(run.poses.map((pose) => pose.body));
  const size = box.isEmpty() ? Infinity : Math.max(box.getSize(new Vector3()).length(), 1e-9);
  run.bodies.forEach((body, index) => {
    const radius = bodyRadius(run, body);
    if (moving.has(index) || radius === 0 || radius > 1.5 * size) return;
    const place = new Vector3(...body.pose.position);
    if (!box.isEmpty() && box.distanceToPoint(place) > size) return;
    box.union(bodyBox(run, body));
  });
}

/** Box of a body's shapes at the start. */
function bodyBox(run, { pose, shapes }) {
  const box = new Box3();
  for (const shape of shapes) {
    const geometry = run.geometries[shape.geometry];
    if (geometry.type === "plane") continue;
    const world = matrix(pose).multiply(matrix(shape));
    const own = new Box3();
    if (geometry.type === "sphere") {
      own.expandByPoint(new Vector3().applyMatrix4(world)).expandByScalar(geometry.radius);
    } else {
      const point = new Vector3();
      for (let i = 0; i < geometry.vertices.length; i += 3) {
        own.expandByPoint(point.fromArray(geometry.vertices, i).applyMatrix4(world));
      }
    }
    box.union(own);
  }
  return box;
}

function matrix({ position, orientation }) {
  const place = new Vector3(...position);
  return new Matrix4().compose(place, quaternion(orientation), new Vector3(1, 1, 1));
}
