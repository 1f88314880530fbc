// Poses of all bodies and balls at a time: positions on straight lines between frames, orientations
// along the shortest turn. One Motion is one set of current poses, changed in place.
import { Quaternion, Vector3 } from "three";

export class Motion {
  constructor(run) {
    this.run = run;
    this.positions = run.bodies.map(({ pose }) => new Vector3(...pose.position));
    this.orientations = run.bodies.map(({ pose }) => quaternion(pose.orientation));
    this.balls = run.balls.map(({ radii, positions, track }) =>
      Float32Array.from(positions ?? track.subarray(0, 3 * radii.length)),
    );
    this.moving = new Set(run.poses.map((pose) => pose.body));
    this.tracks = new Map(run.poses.map((pose) => [pose.body, pose]));
    this.update(run.start);
  }

  update(time) {
    const { frame, fraction } = this.run.locate(time);
    this.time = time;
    for (const pose of this.run.poses) {
      bodyPosition(pose, frame, fraction, this.positions[pose.body]);
      bodyOrientation(pose, frame, fraction, this.orientations[pose.body]);
    }
    this.run.balls.forEach((group, index) => {
      if (!group.track) return;
      const now = this.balls[index];
      const count = 3 * group.radii.length;
      const at = frame * count;
      const next = fraction === 0 ? at : at + count;
      for (let i = 0; i < count; i++) {
        now[i] = group.track[at + i] + fraction * (group.track[next + i] - group.track[at + i]);
      }
    });
  }

  /** Speed [m/s] and angular speed [rad/s] of a body over the frame that contains the time. */
  speed(body) {
    const track = this.tracks.get(body);
    const frames = this.run.frames;
    if (!track || frames < 2) return { linear: 0, angular: 0 };
    const frame = Math.min(this.run.locate(this.time).frame, frames - 2);
    const step = this.run.times[frame + 1] - this.run.times[frame];
    const from = bodyPosition(track, frame, 0, new Vector3());
    const to = bodyPosition(track, frame + 1, 0, new Vector3());
    const a = bodyOrientation(track, frame, 0, new Quaternion());
    const b = bodyOrientation(track, frame + 1, 0, new Quaternion());
    return { linear: from.distanceTo(to) / step, angular: turn(a, b) / step };
  }

  ballSpeed(group, ball) {
    const { track, radii } = this.run.balls[group];
    const frames = this.run.frames;
    if (!track || frames < 2) return 0;
    const frame = Math.min(this.run.locate(this.time).frame, frames - 2);
    const step = this.run.times[frame + 1] - this.run.times[frame];
    const at = 3 * (frame * radii.length + ball);
    const next = at + 3 * radii.length;
    const along = [0, 1, 2].map((i) => track[next + i] - track[at + i]);
    return Math.hypot(...along) / step;
  }
}

export function quaternion([w, x, y, z]) {
  return new Quaternion(x, y, z, w).normalize();
}

function bodyPosition({ position }, frame, fraction, out) {
  const at = 3 * frame;
  const next = fraction === 0 ? at : at + 3;
  const mix = (i) => position[at + i] + fraction * (position[next + i] - position[at + i]);
  return out.set(mix(0), mix(1), mix(2));
}

const after = new Quaternion();

function bodyOrientation({ orientation: o }, frame, fraction, out) {
  const at = 4 * frame;
  out.set(o[at + 1], o[at + 2], o[at + 3], o[at]).normalize();
  if (fraction > 0) {
    after.set(o[at + 5], o[at + 6], o[at + 7], o[at + 4]).normalize();
    out.slerp(after, fraction); // takes the shorter of the two ways
  }
  return out;
}

/** Angle of the turn from a to b [rad]; of small turns the arc cosine of the dot product is noise. */
function turn(a, b) {
  const relative = a.clone().conjugate().multiply(b);
  const sine = Math.hypot(relative.x, relative.y, relative.z);
  return 2 * Math.atan2(sine, Math.abs(relative.w));
}
