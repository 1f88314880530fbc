// How finely the picture is drawn: fewer pixels, then no shadows, where the machine is too slow.

const SLOW = 24; // frames/s below which the next level is taken
const LEVELS = [
  { ratio: 2, shadows: true },
  { ratio: 1, shadows: true },
  { ratio: 1, shadows: false },
  { ratio: 0.75, shadows: false },
  { ratio: 0.5, shadows: false },
];

export class Quality {
  constructor(plain) {
    // Without shadows from the start where there are many bodies.
    this.level = plain ? 2 : 0;
    this.drawn = [];
  }

  get shadows() {
    return LEVELS[this.level].shadows;
  }

  /** Device pixels per pixel of the page; a picture that stands is never coarser than the screen. */
  ratio(plays) {
    const own = Math.min(window.devicePixelRatio || 1, 2);
    const ratio = LEVELS[this.level].ratio;
    return Math.min(own, plays ? ratio : Math.max(ratio, 1));
  }

  /** Counts a frame drawn while the run plays; returns whether the level has changed. */
  count(now) {
    this.drawn.push(now);
    while (this.drawn[0] < now - 1000) this.drawn.shift();
    const slow = this.drawn.length > 4 && this.fps < SLOW && now - this.drawn[0] > 700;
    if (!slow || this.level === LEVELS.length - 1) return false;
    this.level += 1;
    this.drawn = [];
    return true;
  }

  pause() {
    this.last = this.fps;
    this.drawn = [];
  }

  /** Mean frames/s of the last second of play; of the last play after it. */
  get fps() {
    const count = this.drawn.length;
    if (count < 3) return this.last ?? 0;
    return (1000 * (count - 1)) / (this.drawn[count - 1] - this.drawn[0]);
  }
}
