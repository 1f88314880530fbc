// Texts over the picture: time and contacts, names of bodies, the body under the pointer, the chosen one.
import { short } from "../data/numbers.js";

const MOST_NAMES = 120;

export class Labels {
  constructor(run, motion, view, items) {
    Object.assign(this, { run, motion, view, items });
    const find = (id) => document.getElementById(id);
    this.status = find("status");
    this.card = find("card");
    this.tip = find("body-tip");
    this.names = find("names");
    this.card.querySelector("button").addEventListener("click", () => this.onClose());
    this.all = false;
  }

  nameOf(what) {
    if (what.body !== undefined) return this.run.bodies[what.body].name;
    return `${this.run.balls[what.group].name}[${what.ball + 1}]`;
  }

  showAll(on) {
    this.all = on;
    const shown = on ? this.items.slice(0, MOST_NAMES) : [];
    this.tags = shown.map(({ name, what }) => {
      const element = document.createElement("span");
      element.textContent = name;
      return { element, what };
    });
    this.names.replaceChildren(...this.tags.map(({ element }) => element));
    for (const tag of this.tags) {
      tag.width = tag.element.offsetWidth;
      tag.height = tag.element.offsetHeight;
    }
    this.updateNames();
  }

  /** A name that would lie on an earlier one is hidden. */
  updateNames() {
    const shown = [];
    for (const { element, what, width, height } of this.tags ?? []) {
      const at = this.view.project(this.view.placeOf(what));
      const covers = (other) =>
        2 * Math.abs(at.x - other.x) < width + other.width && Math.abs(at.y - other.y) < height;
      element.hidden = !at || shown.some(covers);
      if (element.hidden) continue;
      shown.push({ ...at, width });
      element.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`;
    }
  }

  hover(what, x, y) {
    this.tip.hidden = !what;
    if (!what) return;
    const lines = [this.nameOf(what), ...this.speeds(what)];
    this.tip.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement("div"), { textContent: line })),
    );
    this.tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  speeds(what) {
    if (what.body === undefined) {
      return [`${short(this.motion.ballSpeed(what.group, what.ball))} m/s`];
    }
    if (this.run.bodies[what.body].fixed) return ["fixed"];
    const { linear, angular } = this.motion.speed(what.body);
    return [`${short(linear)} m/s, ${short(angular)} rad/s`];
  }

  /** The card of the chosen body. */
  updateCard(chosen) {
    this.card.hidden = !chosen;
    if (!chosen) return;
    const place = this.view.placeOf(chosen);
    const rows = [["position", `${place.toArray().map((x) => short(x)).join("  ")} m`]];
    if (chosen.body !== undefined) {
      const { w, x, y, z } = this.motion.orientations[chosen.body];
      rows.push(["orientation", [w, x, y, z].map((part) => short(part, 3)).join("  ")]);
      if (!this.run.bodies[chosen.body].fixed) {
        const { linear, angular } = this.motion.speed(chosen.body);
        rows.push(["speed", `${short(linear)} m/s`], ["turns at", `${short(angular)} rad/s`]);
      }
    } else {
      rows.push(["speed", `${short(this.motion.ballSpeed(chosen.group, chosen.ball))} m/s`]);
    }
    this.card.querySelector("h3").textContent = this.nameOf(chosen);
    const list = this.card.querySelector("dl");
    list.replaceChildren(
      ...rows.flatMap(([term, value]) => [
        Object.assign(document.createElement("dt"), { textContent: term }),
        Object.assign(document.createElement("dd"), { textContent: value }),
      ]),
    );
  }

  updateStatus(frame) {
    if (this.run.contacts.pair.length === 0) return; // none are recorded
    const { count, largest } = this.view.contacts.summary(frame);
    const contacts = count === 1 ? "1 contact" : `${count} contacts`;
    const force = largest > 0 ? `, largest force ${short(largest, 3)} N` : "";
    this.status.textContent = `${contacts}${force}`;
  }
}
