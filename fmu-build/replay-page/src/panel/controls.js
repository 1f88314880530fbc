// The row below the picture: play, steps, time, speed, loop; and its slider.
import { timeDecimals } from "../data/numbers.js";
import { SPEEDS } from "../playback/player.js";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Controls {
  constructor(run, player, timeline) {
    this.player = player;
    this.decimals = timeDecimals((run.end - run.start) / Math.max(run.frames - 1, 1));
    const find = (id) => document.getElementById(id);
    this.playButton = find("play");
    this.timeField = find("time");
    this.frameText = find("frame");
    this.speedSlider = find("speed");
    this.speedText = find("speed-text");
    this.loopButton = find("loop");
    find("end").textContent = `/ ${run.end.toFixed(this.decimals)} s`;
    this.timeField.style.width = `${run.end.toFixed(this.decimals).length + 1.5}ch`;
    this.frames = run.frames;
    const click = (id, action) => find(id).addEventListener("click", action);
    click("play", () => player.toggle());
    click("back", () => player.step(-1));
    click("forth", () => player.step(1));
    click("to-start", () => this.jump(run.start));
    click("to-end", () => this.jump(run.end));
    click("event-back", () => timeline.toEvent(-1));
    click("event-forth", () => timeline.toEvent(1));
    click("loop", () => this.toggleLoop());
    for (const id of ["event-back", "event-forth"]) find(id).hidden = run.events.length === 0;
    for (const id of ["play", "back", "forth"]) find(id).disabled = run.frames < 2;
    const [least, most] = [SPEEDS.least, SPEEDS.most].map(Math.log10);
    Object.assign(this.speedSlider, { min: least, max: most, step: 0.01 });
    this.speedSlider.addEventListener("input", () => {
      player.setSpeed(snap(10 ** Number(this.speedSlider.value)));
    });
    this.speedSlider.addEventListener("dblclick", () => player.setSpeed(1));
    this.timeField.addEventListener("change", () => {
      player.pause();
      player.setTime(Number(this.timeField.value.replace(",", ".")));
      this.update();
    });
    this.timeField.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") this.timeField.blur();
    });
    this.update();
  }

  jump(time) {
    this.player.setTime(time);
  }

  toggleLoop() {
    this.player.loops = !this.player.loops;
    this.player.changed("loops");
  }

  /** To the next of the usual speeds. */
  faster(direction) {
    const steps = direction > 0 ? STEPS : [...STEPS].reverse();
    const isNext = (step) => direction * (step - this.player.speed) > 1e-6 * step;
    this.player.setSpeed(steps.find(isNext) ?? this.player.speed);
  }

  update() {
    const { plays, time, speed, loops, frame } = this.player;
    this.playButton.dataset.state = plays ? "plays" : "waits";
    this.playButton.title = plays ? "Pause (space)" : "Play (space)";
    this.playButton.setAttribute("aria-label", plays ? "Pause" : "Play");
    if (document.activeElement !== this.timeField) this.timeField.value = time.toFixed(this.decimals);
    this.frameText.textContent = `frame ${frame + 1} of ${this.frames}`;
    this.speedSlider.value = Math.log10(speed);
    this.speedText.textContent = `${Number(speed.toPrecision(2))}×`;
    this.loopButton.setAttribute("aria-pressed", String(loops));
  }
}

/** Two digits, and the usual speeds where one is near. */
function snap(speed) {
  const near = STEPS.find((step) => Math.abs(Math.log10(speed / step)) < 0.025);
  return near ?? Number(speed.toPrecision(2));
}
