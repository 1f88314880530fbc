// All charts: chosen variables, one panel for each unit, with one range of times.
import { Panel } from "./panel.js";

const COLORS = 8; // --series-0 ... of the style sheet

export class Charts {
  constructor(run, player, element, onChoice) {
    this.run = run;
    this.player = player;
    this.element = element;
    this.onChoice = onChoice;
    this.byName = new Map(run.variables.map((variable) => [variable.name, variable]));
    this.colors = new Map(); // of the chosen names, in the order in which they were chosen
    this.panels = new Map();
    this.range = [run.start, run.end];
    this.hint = element.querySelector(".hint");
    this.show(run.shown);
  }

  get names() {
    return [...this.colors.keys()];
  }

  /** Shows these variables and no others; returns the names that the run does not have. */
  show(names) {
    this.colors.clear();
    for (const name of names) if (this.byName.has(name)) this.colors.set(name, this.freeColor());
    this.build();
    return names.filter((name) => !this.byName.has(name));
  }

  toggle(name, on = !this.colors.has(name)) {
    if (on && this.byName.has(name) && !this.colors.has(name)) {
      this.colors.set(name, this.freeColor());
    } else if (!on) {
      this.colors.delete(name);
    }
    this.build();
  }

  /** The colour that the fewest chosen variables have. */
  freeColor() {
    const used = new Array(COLORS).fill(0);
    for (const color of this.colors.values()) used[color] += 1;
    return used.indexOf(Math.min(...used));
  }

  build() {
    const groups = new Map();
    for (const [name, color] of this.colors) {
      const variable = this.byName.get(name);
      const unit = variable.unit ?? null;
      if (!groups.has(unit)) groups.set(unit, []);
      groups.get(unit).push({ variable, color });
    }
    for (const [unit, panel] of this.panels) {
      if (groups.has(unit)) continue;
      panel.element.remove();
      this.panels.delete(unit);
    }
    for (const [unit, variables] of groups) {
      if (!this.panels.has(unit)) {
        const panel = new Panel(this, unit);
        this.panels.set(unit, panel);
        this.element.append(panel.element);
      }
      this.panels.get(unit).setVariables(variables);
    }
    this.hint.hidden = groups.size > 0;
    this.onChoice();
  }

  /** Range of times that all panels show; null for the whole run. */
  setRange(range) {
    const { start, end } = this.run;
    const least = Math.max((end - start) * 1e-7, 1e-12);
    let [from, to] = range ?? [start, end];
    const span = Math.min(Math.max(to - from, least), end - start || 1);
    from = Math.min(Math.max(from, start), end - span);
    to = from + span;
    this.range = [from, to];
    this.draw();
  }

  draw() {
    for (const panel of this.panels.values()) panel.draw();
  }

  update() {
    for (const panel of this.panels.values()) panel.update();
  }
}
