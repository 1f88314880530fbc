// The slider of time, with a tick for each event and the events near the pointer as a tooltip.
import { lastAtOrBefore } from "../data/run.js";
import { short, ticks } from "../data/numbers.js";

const NEAR = 4; // pixels within which the pointer is at an event
const MOST_NAMED = 8;
const STEM = { y: 0, height: 13 };

/** Colours of kinds of events are variables of the style sheet: --event-start ... */
export function eventColor(name, style) {
  const word = name.split(" ")[0];
  const own = style.getPropertyValue(`--event-${word.replace(/[^a-z]/gi, "")}`);
  const color = name.endsWith(" end") ? style.getPropertyValue("--event-end") : own;
  return color || style.getPropertyValue("--event-other");
}

export class Timeline {
  constructor(run, player, element) {
    this.run = run;
    this.player = player;
    this.element = element;
    this.canvas = element.querySelector("canvas");
    this.thumb = element.querySelector(".thumb");
    this.fill = element.querySelector(".fill");
    this.tip = element.querySelector(".tip");
    this.times = Float64Array.from(run.events, (event) => event.time);
    this.hidden = new Set(); // names of events that are not shown
    element.setAttribute("aria-valuemin", run.start);
    element.setAttribute("aria-valuemax", run.end);
    element.addEventListener("pointerdown", (event) => this.grab(event));
    element.addEventListener("pointermove", (event) => this.hover(event));
    element.addEventListener("pointerleave", () => this.showTip(null));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  get left() {
    return 10;
  }

  get width() {
    return Math.max(this.element.clientWidth - 2 * this.left, 1);
  }

  x(time) {
    const span = this.run.end - this.run.start || 1;
    return this.left + (this.width * (time - this.run.start)) / span;
  }

  timeAt(clientX) {
    const box = this.element.getBoundingClientRect();
    const share = (clientX - box.left - this.left) / this.width;
    return this.run.start + Math.min(Math.max(share, 0), 1) * (this.run.end - this.run.start);
  }

  grab(event) {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.element.focus({ preventScroll: true });
    const near = this.eventsNear(event.clientX);
    const inTicks = event.offsetY < STEM.y + STEM.height + 2;
    const move = (at) => this.player.setTime(this.timeAt(at.clientX));
    this.player.pause();
    if (near.length > 0 && inTicks) this.player.setTime(near[0].time);
    else move(event);
    this.element.addEventListener("pointermove", move);
    const stop = () => this.element.removeEventListener("pointermove", move);
    this.element.addEventListener("pointerup", stop, { once: true });
    this.element.addEventListener("pointercancel", stop, { once: true });
  }

  /** Shown events within some pixels of a place of the window, the nearest first. */
  eventsNear(clientX) {
    const box = this.element.getBoundingClientRect();
    const x = clientX - box.left;
    const span = this.run.end - this.run.start || 1;
    const reach = (NEAR / this.width) * span;
    const time = this.run.start + ((x - this.left) / this.width) * span;
    const found = [];
    let i = lastAtOrBefore(this.times, time - reach) + 1;
    for (; i < this.times.length && this.times[i] <= time + reach; i++) {
      if (!this.hidden.has(this.run.events[i].name)) found.push(this.run.events[i]);
    }
    return found.sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time));
  }

  hover(event) {
    const near = this.eventsNear(event.clientX);
    this.showTip(near, event.clientX);
  }

  showTip(events, clientX) {
    this.tip.hidden = !events || events.length === 0;
    if (this.tip.hidden) return;
    const lines = events.slice(0, MOST_NAMED).map(eventText);
    if (events.length > MOST_NAMED) lines.push(`and ${events.length - MOST_NAMED} more`);
    this.tip.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement("div"), { textContent: line })),
    );
    const box = this.element.getBoundingClientRect();
    const half = this.tip.offsetWidth / 2;
    const x = Math.min(Math.max(clientX - box.left, half), Math.max(box.width - half, half));
    this.tip.style.left = `${x}px`;
  }

  /** Draws ticks and scale; needed only when size, colours or the choice of events change. */
  draw() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const paint = this.canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const style = getComputedStyle(this.element);
    this.drawEvents(paint, style);
    paint.fillStyle = style.getPropertyValue("--faint");
    paint.strokeStyle = style.getPropertyValue("--line-strong");
    paint.font = `11px ${style.fontFamily}`;
    paint.textAlign = "center";
    for (const { value, text } of ticks(this.run.start, this.run.end, width / 90)) {
      const x = Math.round(this.x(value)) + 0.5;
      paint.beginPath();
      paint.moveTo(x, 25);
      paint.lineTo(x, 29);
      paint.stroke();
      const half = paint.measureText(text).width / 2;
      paint.fillText(text, Math.min(Math.max(x, half + 1), width - half - 1), 40);
    }
    this.update();
  }

  /** One tick for each pixel and kind: a run may have many events. */
  drawEvents(paint, style) {
    const drawn = new Set();
    const colors = new Map();
    for (const event of this.run.events) {
      if (this.hidden.has(event.name)) continue;
      if (!colors.has(event.name)) colors.set(event.name, eventColor(event.name, style));
      const x = Math.round(this.x(event.time));
      const key = `${x} ${event.name}`;
      if (drawn.has(key)) continue;
      drawn.add(key);
      paint.fillStyle = colors.get(event.name);
      const isEnd = event.name.endsWith("end");
      paint.globalAlpha = isEnd ? 0.65 : 0.95;
      paint.fillRect(x - 0.75, isEnd ? STEM.y + 5 : STEM.y, 1.5, STEM.height - (isEnd ? 5 : 0));
    }
    paint.globalAlpha = 1;
  }

  /** Puts the thumb at the present time. */
  update() {
    const x = this.x(this.player.time);
    this.thumb.style.transform = `translateX(${x}px)`;
    this.fill.style.width = `${Math.max(x - this.left, 0)}px`;
    this.element.setAttribute("aria-valuenow", this.player.time);
    this.element.setAttribute("aria-valuetext", `${short(this.player.time, 6)} s`);
  }

  /** Goes to the next shown event after the present time, or to the one before it. */
  toEvent(direction) {
    const { events } = this.run;
    const near = 1e-9 * Math.max(Math.abs(this.run.end), Math.abs(this.run.start));
    const isBeyond = ({ time, name }) =>
      !this.hidden.has(name) && direction * (time - this.player.time) > near;
    const found = direction > 0 ? events.find(isBeyond) : events.findLast(isBeyond);
    if (!found) return;
    this.player.pause();
    this.player.setTime(found.time);
  }
}

export function eventText({ time, name, what, speed }) {
  const fast = typeof speed === "number" ? `, ${short(speed)} m/s` : "";
  return `${short(time, 6)} s  ${name}: ${what}${fast}`;
}
