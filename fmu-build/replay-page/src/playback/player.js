// The present time of the replay and how it advances. Listeners are called after each change.

export const SPEEDS = { least: 0.01, most: 10 };
const LONGEST_WAIT = 0.25; // s; after a longer break (a hidden tab) play goes on from where it was

export class Player {
  constructor(run) {
    this.run = run;
    this.time = run.start;
    this.plays = false;
    this.loops = true;
    this.speed = usefulSpeed(run.end - run.start);
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed(what) {
    for (const listener of this.listeners) listener(what);
  }

  get frame() {
    return this.run.nearestFrame(this.time);
  }

  setTime(time) {
    if (!Number.isFinite(time)) return;
    this.time = Math.min(Math.max(time, this.run.start), this.run.end);
    this.changed("time");
  }

  setSpeed(speed) {
    this.speed = Math.min(Math.max(speed, SPEEDS.least), SPEEDS.most);
    this.changed("speed");
  }

  play() {
    if (this.plays || this.run.frames < 2) return;
    if (this.time >= this.run.end) this.time = this.run.start;
    this.plays = true;
    this.last = undefined;
    this.changed("plays");
  }

  pause() {
    if (!this.plays) return;
    this.plays = false;
    this.changed("plays");
  }

  toggle() {
    if (this.plays) this.pause();
    else this.play();
  }

  /** Pauses and goes by whole frames; from between two frames to the neighbour on that side. */
  step(frames) {
    this.pause();
    const { frame, fraction } = this.run.locate(this.time);
    const from = frames < 0 && fraction > 0 ? frame + 1 : frame;
    const to = Math.min(Math.max(from + frames, 0), this.run.frames - 1);
    this.setTime(this.run.times[to]);
  }

  /** Goes on to the time of the screen `now` [ms]. */
  advance(now) {
    if (!this.plays) return;
    const waited = this.last === undefined ? 0 : (now - this.last) / 1000;
    this.last = now;
    if (waited > LONGEST_WAIT * 4) return;
    const time = this.time + Math.min(waited, LONGEST_WAIT) * this.speed;
    if (time < this.run.end) {
      this.time = time;
    } else if (this.loops) {
      this.time = this.run.start;
    } else {
      this.time = this.run.end;
      this.plays = false;
      this.changed("plays");
    }
    this.changed("time");
  }
}

/** Real time, unless the run would then be over in a moment, or take minutes. */
function usefulSpeed(duration) {
  if (!(duration > 0)) return 1;
  if (duration < 1.5) return round125(duration / 5);
  if (duration > 90) return Math.min(SPEEDS.most, round125(duration / 60));
  return 1;
}

function round125(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const step = [1, 2, 5].findLast((factor) => factor * power <= x) ?? 1;
  return Math.min(Math.max(Number((step * power).toPrecision(1)), SPEEDS.least), SPEEDS.most);
}
