// Where the run takes place: a box around what moves, over the whole time.
import { Box3, Matrix4, Vector3 } from "three";
import { quaternion } from "./motion.js";

const SAMPLES = 120; // frames looked at
// A body leaves if it goes this many times as far from the middle as the larger of how far half of the
// bodies go and the half diagonal of all at the start: it counts at its start only.
const FAR = 3;

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
  const start = new Box3();
  const paths = [];
  let largest = 0;
  const frames = sampledFrames(run.frames);
  const add = (track, radius, indices) => {
    const places = indices.map((at) => new Vector3().fromArray(track, at)).filter(isFinitePlace);
    if (places.length === 0) return;
    largest = Math.max(largest, radius);
    start.union(ballBox(places[0], radius));
    paths.push({ places, radius });
  };
  for (const { body, position } of run.poses) {
    add(position, bodyRadius(run, run.bodies[body]), frames.map((frame) => 3 * frame));
  }
  for (const { track, positions, radii } of run.balls) {
    const stride = Math.ceil(radii.length / 500);
    for (let ball = 0; ball < radii.length; ball += stride) {
      const at = track ? frames.map((frame) => 3 * (frame * radii.length + ball)) : [3 * ball];
      add(track ?? positions, radii[ball], at);
    }
  }
  const box = start.clone();
  for (const { places, radius } of staying(paths, start)) {
    for (const place of places) box.union(ballBox(place, radius));
  }
  addFixed(run, box);
  if (box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  const size = box.getSize(new Vector3()).length();
  if (!(size > 0)) box.expandByScalar(largest || 1);
  return box;
}

const isFinitePlace = (place) => place.toArray().every(Number.isFinite);
const ballBox = (place, radius) => new Box3(place, place).clone().expandByScalar(radius);

function sampledFrames(frames) {
  const count = Math.min(frames, SAMPLES);
  return Array.from({ length: count }, (_, i) => Math.round((i * (frames - 1)) / (count - 1 || 1)));
}

/** The paths of bodies that do not leave. */
function staying(paths, start) {
  const middle = start.getCenter(new Vector3());
  const reach = ({ places }) => Math.max(...places.map((place) => place.distanceTo(middle)));
  const reaches = paths.map(reach);
  const half = Float64Array.from(reaches).sort()[paths.length >> 1];
  const limit = FAR * Math.max(half, 0.5 * start.getSize(new Vector3()).length());
  return paths.filter((_, i) => reaches[i] <= limit);
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
