// The lists of variables, bodies and events, each with a filter.
import { short, timeDecimals } from "../data/numbers.js";
import { eventColor } from "../playback/timeline.js";
import { same } from "../scene/picking.js";
import { VirtualList, matcher } from "./virtual_list.js";

const ROW = 28; // pixels, as in the style sheet

function text(parent, kind, content, className = "") {
  const element = parent.appendChild(document.createElement(kind));
  element.textContent = content;
  element.className = className;
  return element;
}

/** Filter field, count and list of one part of the panel. */
class FilteredList {
  constructor(part, items, wordsOf, fill) {
    this.all = items;
    this.wordsOf = wordsOf;
    this.input = part.querySelector("input[type=search]");
    this.count = part.querySelector(".count");
    this.list = new VirtualList(part.querySelector(".list"), ROW, fill);
    this.input.addEventListener("input", () => this.refresh());
  }

  refresh() {
    const matches = matcher(this.input.value);
    const found = this.all.filter((item) => matches(this.wordsOf(item)) && this.keep(item));
    this.list.setItems(found);
    this.count.textContent =
      found.length === this.all.length ? `${found.length}` : `${found.length} of ${this.all.length}`;
  }

  keep() {
    return true;
  }
}

export class VariableList extends FilteredList {
  constructor(part, run, charts) {
    const words = ({ name, unit, description }) => `${name} ${unit ?? ""} ${description ?? ""}`;
    super(part, run.variables, words, (row, variable) => this.row(row, variable));
    this.charts = charts;
    part.querySelector("[data-action=clear]").addEventListener("click", () => charts.show([]));
    this.refresh();
  }

  row(row, { name, unit, description }) {
    const label = row.appendChild(document.createElement("label"));
    label.title = description ? `${name}: ${description}` : name;
    const box = label.appendChild(document.createElement("input"));
    box.type = "checkbox";
    const color = this.charts.colors.get(name);
    box.checked = color !== undefined;
    if (box.checked) box.style.accentColor = `var(--series-${color})`;
    box.addEventListener("change", () => this.charts.toggle(name, box.checked));
    text(label, "span", name, "name");
    text(label, "span", unit ?? "", "unit");
  }
}

export class BodyList extends FilteredList {
  constructor(part, items, colorOf, onChoose) {
    super(part, items, ({ name }) => name, (row, item) => this.row(row, item));
    this.colorOf = colorOf;
    this.onChoose = onChoose;
    this.refresh();
  }

  row(row, { name, what, fixed }) {
    const button = row.appendChild(document.createElement("button"));
    button.className = same(what, this.chosen) ? "choice chosen" : "choice";
    button.title = name;
    text(button, "i", "").style.background = this.colorOf(what);
    text(button, "span", name, "name");
    text(button, "span", fixed ? "fixed" : "", "unit");
    button.addEventListener("click", () => this.onChoose(same(what, this.chosen) ? null : what));
  }

  choose(what) {
    this.chosen = what;
    this.list.draw();
  }
}

export class EventList extends FilteredList {
  constructor(part, run, timeline, player) {
    super(part, run.events, ({ name, what }) => `${name} ${what}`, (row, event) =>
      this.row(row, event),
    );
    this.timeline = timeline;
    this.player = player;
    this.decimals = timeDecimals((run.end - run.start) / Math.max(run.frames - 1, 1));
    this.style = getComputedStyle(part);
    this.addKinds(part.querySelector(".kinds"), run.events);
    this.refresh();
  }

  keep({ name }) {
    return !this.timeline.hidden.has(name);
  }

  addKinds(element, events) {
    const counts = new Map();
    for (const { name } of events) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [name, count] of counts) {
      const button = text(element, "button", "", "kind");
      button.setAttribute("aria-pressed", "true");
      button.title = `Show or hide events "${name}"`;
      text(button, "i", "").style.background = eventColor(name, this.style);
      text(button, "span", `${name} ${count}`);
      button.addEventListener("click", () => {
        const { hidden } = this.timeline;
        if (!hidden.delete(name)) hidden.add(name);
        button.setAttribute("aria-pressed", String(!hidden.has(name)));
        this.timeline.draw();
        this.refresh();
      });
    }
  }

  row(row, { time, name, what, speed }) {
    const button = row.appendChild(document.createElement("button"));
    button.className = "choice";
    button.title = `${name}: ${what}`;
    const swatch = text(button, "i", "");
    swatch.style.background = eventColor(name, this.style);
    text(button, "span", time.toFixed(this.decimals), "time");
    text(button, "span", `${name}: ${what}`, "name");
    text(button, "span", typeof speed === "number" ? `${short(speed, 3)} m/s` : "", "unit");
    button.addEventListener("click", () => {
      this.player.pause();
      this.player.setTime(time);
    });
  }
}
