// One chart: the chosen variables of one unit over time, with the values at the present time.
import { short, ticks } from "../data/numbers.js";
import { bounds, decimate, visibleRange } from "./series.js";

const MARGIN = { left: 62, right: 12, top: 8, bottom: 22 };

export class Panel {
  constructor(charts, unit) {
    this.charts = charts;
    this.unit = unit;
    this.element = document.createElement("section");
    this.element.className = "chart";
    this.relative = false; // shows changes since the start of the run
    this.legend = this.element.appendChild(document.createElement("div"));
    this.legend.className = "legend";
    this.plot = this.element.appendChild(document.createElement("div"));
    this.plot.className = "plot";
    this.curves = this.plot.appendChild(document.createElement("canvas"));
    this.cursor = this.plot.appendChild(document.createElement("div"));
    this.cursor.className = "cursor";
    this.plot.addEventListener("pointerdown", (event) => this.grab(event));
    this.plot.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    this.plot.addEventListener("dblclick", () => charts.setRange(null));
    new ResizeObserver(() => this.draw()).observe(this.plot);
  }

  /** `variables`: { variable, color } each. */
  setVariables(variables) {
    this.variables = variables;
    this.values = [];
    const rows = variables.map(({ variable, color }) => {
      const row = document.createElement("span");
      row.className = "entry";
      row.title = variable.description ?? variable.name;
      const swatch = row.appendChild(document.createElement("i"));
      swatch.style.background = `var(--series-${color})`;
      const name = row.appendChild(document.createElement("span"));
      name.textContent = variable.name;
      const value = row.appendChild(document.createElement("b"));
      value.dataset.variable = variable.name;
      this.values.push(value);
      const close = row.appendChild(document.createElement("button"));
      close.textContent = "×";
      close.title = `Remove ${variable.name}`;
      close.addEventListener("click", () => this.charts.toggle(variable.name, false));
      return row;
    });
    const change = document.createElement("button");
    change.className = "change";
    change.textContent = "Δ";
    change.title = "Show changes since the start of the run, so that small ones are seen";
    change.setAttribute("aria-pressed", String(this.relative));
    change.addEventListener("click", () => {
      this.relative = !this.relative;
      change.setAttribute("aria-pressed", String(this.relative));
      this.draw();
    });
    this.legend.replaceChildren(...rows, change);
    this.draw();
  }

  /** What is taken off the values of a variable. */
  base({ values }) {
    return this.relative && Number.isFinite(values[0]) ? values[0] : 0;
  }

  get width() {
    return Math.max(this.plot.clientWidth - MARGIN.left - MARGIN.right, 1);
  }

  x(time) {
    const [from, to] = this.charts.range;
    return MARGIN.left + (this.width * (time - from)) / (to - from || 1);
  }

  timeAt(clientX) {
    const [from, to] = this.charts.range;
    const x = clientX - this.plot.getBoundingClientRect().left - MARGIN.left;
    return from + (x / this.width) * (to - from);
  }

  /** Drag sets the time, with Shift it moves the range of times that is shown. */
  grab(event) {
    if (event.button !== 0) return;
    this.plot.setPointerCapture(event.pointerId);
    const { player } = this.charts;
    const [from, to] = this.charts.range;
    const grabbed = event.clientX;
    const move = (at) => {
      if (event.shiftKey) {
        const shift = ((grabbed - at.clientX) / this.width) * (to - from);
        this.charts.setRange([from + shift, to + shift]);
      } else {
        player.setTime(this.timeAt(at.clientX));
      }
    };
    if (!event.shiftKey) player.pause();
    move(event);
    this.plot.addEventListener("pointermove", move);
    const stop = () => this.plot.removeEventListener("pointermove", move);
    this.plot.addEventListener("pointerup", stop, { once: true });
    this.plot.addEventListener("pointercancel", stop, { once: true });
  }

  zoom(event) {
    // Without Ctrl, the wheel scrolls the charts where there are more than fit.
    const area = this.charts.element;
    if (!event.ctrlKey && !event.shiftKey && area.scrollHeight > area.clientHeight + 1) return;
    event.preventDefault();
    const [from, to] = this.charts.range;
    const time = this.timeAt(event.clientX);
    const factor = 1.0015 ** (event.deltaY || event.deltaX);
    this.charts.setRange([time - (time - from) * factor, time + (to - time) * factor]);
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.plot;
    if (width === 0 || height === 0 || !this.variables) return;
    this.curves.width = Math.round(width * ratio);
    this.curves.height = Math.round(height * ratio);
    const paint = this.curves.getContext("2d");
    paint.scale(ratio, ratio);
    const style = getComputedStyle(this.plot);
    const { times } = this.charts.run;
    const [first, last] = visibleRange(times, ...this.charts.range);
    const [low, high] = this.valueRange(first, last);
    const inner = Math.max(height - MARGIN.top - MARGIN.bottom, 1);
    const y = (value) => MARGIN.top + inner * (1 - (value - low) / (high - low));
    this.drawGrid(paint, style, { low, high, y, width, height, inner });
    paint.beginPath();
    paint.rect(MARGIN.left, MARGIN.top - 2, this.width, inner + 4);
    paint.clip();
    paint.lineWidth = 1.6;
    paint.lineJoin = "round";
    for (const { variable, color } of this.variables) {
      paint.strokeStyle = style.getPropertyValue(`--series-${color}`);
      const base = this.base(variable);
      this.drawCurve(paint, times, variable.values, first, last, (value) => y(value - base));
    }
    this.update();
  }

  valueRange(first, last) {
    let low = Infinity;
    let high = -Infinity;
    for (const { variable } of this.variables) {
      const own = bounds(variable.values, first, last);
      if (!own) continue;
      low = Math.min(low, own[0] - this.base(variable));
      high = Math.max(high, own[1] - this.base(variable));
    }
    if (!(low <= high)) return [-1, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    // Not finer than single precision, in which most values are stored.
    const pad = Math.max(0.06 * (high - low), 1e-6 * size) || 1;
    return [low - pad, high + pad];
  }

  drawGrid(paint, style, { low, high, y, width, height, inner }) {
    paint.font = `11px ${style.fontFamily}`;
    paint.fillStyle = style.getPropertyValue("--faint");
    paint.strokeStyle = style.getPropertyValue("--line");
    paint.lineWidth = 1;
    const rule = (x0, y0, x1, y1) => {
      paint.beginPath();
      paint.moveTo(x0, y0);
      paint.lineTo(x1, y1);
      paint.stroke();
    };
    paint.textAlign = "right";
    paint.textBaseline = "middle";
    for (const { value, text } of ticks(low, high, inner / 34)) {
      const at = Math.round(y(value)) + 0.5;
      paint.strokeStyle = style.getPropertyValue(value === 0 ? "--line-strong" : "--line");
      rule(MARGIN.left, at, width - MARGIN.right, at);
      paint.fillText(text, MARGIN.left - 7, at);
    }
    paint.textAlign = "center";
    paint.textBaseline = "alphabetic";
    paint.strokeStyle = style.getPropertyValue("--line");
    for (const { value, text } of ticks(...this.charts.range, this.width / 90)) {
      const at = Math.round(this.x(value)) + 0.5;
      rule(at, MARGIN.top, at, height - MARGIN.bottom);
      const half = paint.measureText(text).width / 2;
      paint.fillText(text, Math.min(at, width - half - 2), height - 7);
    }
    paint.textAlign = "left";
    paint.fillText("s", 8, height - 7);
    paint.textAlign = "center";
    paint.save();
    paint.translate(11, MARGIN.top + inner / 2);
    paint.rotate(-Math.PI / 2);
    paint.fillText(this.unit ?? "", 0, 0);
    paint.restore();
  }

  drawCurve(paint, times, values, first, last, y) {
    paint.beginPath();
    let pen = false;
    for (const i of decimate(times, values, first, last, this.width)) {
      if (!Number.isFinite(values[i])) {
        pen = false;
        continue;
      }
      if (pen) paint.lineTo(this.x(times[i]), y(values[i]));
      else paint.moveTo(this.x(times[i]), y(values[i]));
      pen = true;
    }
    paint.stroke();
  }

  /** Cursor and values at the present time. */
  update() {
    const { player, run } = this.charts;
    const [from, to] = this.charts.range;
    this.cursor.hidden = player.time < from || player.time > to;
    this.cursor.style.transform = `translateX(${Math.round(this.x(player.time))}px)`;
    this.values.forEach((element, i) => {
      const { variable } = this.variables[i];
      const value = run.valueAt(variable.values, player.time) - this.base(variable);
      const text = this.unit ? `${short(value, 6)} ${this.unit}` : short(value, 6);
      if (element.textContent !== text) element.textContent = text;
      element.dataset.value = String(value);
    });
  }
}
