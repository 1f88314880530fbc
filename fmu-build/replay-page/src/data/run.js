// A recorded run: times, poses, contacts, variables, events, and the description of the scene.
import { DataError, decodeBlob, view } from "./blob.js";

const FORMAT = "contact-fmu replay";
const VERSION = 1;

/** Reads the two data elements of the page. */
export async function readRun(page) {
  const text = page.getElementById("replay-json").textContent;
  if (text.startsWith("/*")) {
    throw new DataError("This page holds no run: it is the empty form that the tool fills.");
  }
  const json = JSON.parse(text);
  if (json.format !== FORMAT || json.version !== VERSION) {
    throw new DataError(
      `This page shows ${FORMAT} version ${VERSION}; its data are ${json.format} version ` +
        `${json.version}.`,
    );
  }
  const element = page.getElementById("replay-blob");
  const buffer = await decodeBlob(element.textContent);
  element.textContent = ""; // not needed any more; it may be large
  return new Run(json, buffer);
}

export class Run {
  constructor(json, buffer) {
    const frames = json.frames;
    if (!(frames >= 1)) throw new DataError("The run has no frames.");
    this.title = json.title ?? "";
    this.generator = json.generator ?? "";
    this.notes = json.notes ?? [];
    this.frames = frames;
    this.times = view(buffer, json.times, "times", frames);
    this.start = this.times[0];
    this.end = this.times[frames - 1];

    const visual = json.visual;
    this.up = visual.up ?? [0, 0, 1];
    this.geometries = visual.geometries ?? [];
    this.bodies = visual.bodies ?? [];
    this.joints = visual.joints ?? [];
    this.balls = (visual.balls ?? []).map((group) => ({ ...group, radii: radii(group) }));

    this.poses = (json.poses ?? []).map((pose) => ({
      body: pose.body,
      position: view(buffer, pose.position, "a body's positions", 3 * frames),
      orientation: view(buffer, pose.orientation, "a body's orientations", 4 * frames),
    }));
    for (const { group, position } of json.balls ?? []) {
      const balls = this.balls[group];
      const count = 3 * balls.radii.length * frames;
      balls.track = view(buffer, position, `positions of ${balls.name}`, count);
    }
    for (const { name, positions, track } of this.balls) {
      if (!positions && !track) throw new DataError(`The run has no positions of ${name}.`);
    }
    this.contacts = readContacts(buffer, json.contacts, frames);
    this.pairs = json.pairs ?? [];
    this.variables = (json.variables ?? []).map((variable) => ({
      ...variable,
      values: view(buffer, variable.values, variable.name, frames),
    }));
    const known = new Set(this.variables.map((variable) => variable.name));
    this.shown = (json.shown ?? []).filter((name) => known.has(name));
    this.events = [...(json.events ?? [])].sort((a, b) => a.time - b.time);
  }

  /** Last frame at or before `time`, and how far `time` is on the way to the next, 0 to 1. */
  locate(time) {
    const times = this.times;
    const frame = lastAtOrBefore(times, time);
    if (frame < 0) return { frame: 0, fraction: 0 };
    if (frame >= this.frames - 1) return { frame: this.frames - 1, fraction: 0 };
    const fraction = (time - times[frame]) / (times[frame + 1] - times[frame]);
    return { frame, fraction };
  }

  nearestFrame(time) {
    const { frame, fraction } = this.locate(time);
    return fraction > 0.5 ? frame + 1 : frame;
  }

  /** Value of a variable between the frames on a straight line; at a frame it is that of the data. */
  valueAt(values, time) {
    const { frame, fraction } = this.locate(time);
    if (fraction === 0) return values[frame];
    return values[frame] + fraction * (values[frame + 1] - values[frame]);
  }
}

/** Largest index with `sorted[index] <= x`, or -1. */
export function lastAtOrBefore(sorted, x) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function radii({ radii }) {
  return Array.isArray(radii) ? radii : new Array(radii.count).fill(radii.equal);
}

function readContacts(buffer, contacts, frames) {
  if (!contacts) {
    const none = new Float32Array(0);
    return { first: new Uint32Array(frames + 1), pair: new Uint32Array(0), point: none, force: none };
  }
  const first = view(buffer, contacts.first, "first contacts", frames + 1);
  const count = first[frames];
  return {
    first,
    pair: view(buffer, contacts.pair, "pairs of contacts", count),
    point: view(buffer, contacts.point, "points of contacts", 3 * count),
    force: view(buffer, contacts.force, "forces of contacts", 3 * count),
  };
}
