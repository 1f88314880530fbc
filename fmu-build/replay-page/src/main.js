// Reads the run, puts the parts of the page together, and draws while something changes.
import { DataError } from "./data/blob.js";
import { readRun } from "./data/run.js";
import { Motion } from "./data/motion.js";
import { Charts } from "./charts/charts.js";
import { Controls } from "./panel/controls.js";
import { Display } from "./panel/display.js";
import { Labels } from "./panel/labels.js";
import { BodyList, EventList, VariableList } from "./panel/lists.js";
import { Tabs } from "./panel/tabs.js";
import { Address, readAddress } from "./playback/address.js";
import { KEYS, bindKeys } from "./playback/keys.js";
import { Player } from "./playback/player.js";
import { Timeline } from "./playback/timeline.js";
import { choices, same } from "./scene/picking.js";
import { View } from "./scene/view.js";
import { collectErrors, makeHook } from "./hook.js";
import { bindPointer, bindSplitter } from "./pointer.js";

const find = (id) => document.getElementById(id);
const errors = collectErrors(window);

function showMessage(text) {
  find("message").textContent = text;
  find("message").hidden = false;
}

/** The colours of the 3-D picture, which the style sheet chooses for light and dark. */
function sceneColors() {
  const style = getComputedStyle(document.body);
  const names = ["fill", "line", "shade", "arrow", "point", "joint", "impact", "chosen"];
  return Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--scene-${name}`).trim()]),
  );
}

function makeView(run, motion) {
  try {
    return new View(run, motion, find("canvas"));
  } catch (error) {
    if (find("canvas").getContext("webgl2")) throw error; // not for want of WebGL
    showMessage(
      "This browser shows no 3-D picture: WebGL 2 is missing or switched off. The charts, the " +
        "slider and the events work.",
    );
    document.body.dataset.view = "none";
    return null;
  }
}

function showNotes(notes) {
  const element = find("notes");
  element.hidden = notes.length === 0;
  const text = element.appendChild(document.createElement("div"));
  for (const note of notes) {
    text.appendChild(document.createElement("p")).textContent = note;
  }
  const close = element.appendChild(document.createElement("button"));
  close.textContent = "×";
  close.title = "Hide the notes";
  close.addEventListener("click", () => {
    element.hidden = true;
  });
}

function fillHelp() {
  const list = find("help").querySelector("dl");
  for (const [key, meaning] of KEYS) {
    list.appendChild(document.createElement("dt")).textContent = key;
    list.appendChild(document.createElement("dd")).textContent = meaning;
  }
  find("help-button").addEventListener("click", () => find("help").showModal());
}

/** The side panel; closed at first where the window is narrow. */
function bindPanel() {
  const set = (open) => {
    document.body.dataset.panel = open ? "open" : "closed";
    find("panel-button").setAttribute("aria-pressed", String(open));
  };
  set(window.innerWidth > 900);
  find("panel-button").addEventListener("click", () => set(document.body.dataset.panel !== "open"));
}

async function start() {
  const run = await readRun(document);
  find("title").textContent = run.title;
  find("generator").textContent = run.generator;
  showNotes(run.notes);
  fillHelp();
  bindPanel();
  const asked = readAddress(location);
  if (asked.bare !== undefined) document.body.dataset.bare = "yes";

  find("message").hidden = true;
  const motion = new Motion(run);
  const player = new Player(run);
  const view = makeView(run, motion);
  const timeline = new Timeline(run, player, find("timeline"));
  const controls = new Controls(run, player, timeline);
  const lists = {};
  const charts = new Charts(run, player, find("charts"), () => lists.variables?.list.draw());
  lists.variables = new VariableList(find("tab-variables"), run, charts);
  lists.events = new EventList(find("tab-events"), run, timeline, player);
  const items = choices(run);
  const colorOf = ({ body, group }) => {
    if (body === undefined) return `rgb(${run.balls[group].color.join(",")})`;
    const { fixed, color } = run.bodies[body];
    return fixed ? "#989da3" : `rgb(${color.join(",")})`;
  };
  lists.bodies = new BodyList(find("tab-bodies"), items, colorOf, (what) => choose(what));
  const tabs = new Tabs(find("panel"), (name) => lists[name]?.list.draw());
  tabs.show("variables");
  find("button-events").hidden = run.events.length === 0;
  let labels;
  if (view) {
    view.setColors(sceneColors());
    labels = new Labels(run, motion, view, items);
    labels.onClose = () => choose(null);
    new Display(run, motion, view, labels);
  } else {
    find("button-display").hidden = true;
  }

  const address = new Address();
  const keepAddress = () => {
    if (player.plays) return address.cancel();
    const chosen = view?.chosen;
    address.write({
      t: String(Number(player.time.toPrecision(10))),
      cam: view?.camera.moved ? view.camera.text : undefined,
      body: chosen ? labels.nameOf(chosen) : undefined,
      bare: asked.bare,
    });
  };

  function choose(what) {
    lists.bodies.choose(what);
    if (!view) return;
    view.choose(what);
    find("follow").disabled = !what;
    setFollow(Boolean(what) && view.follows);
    labels.updateCard(what);
    keepAddress();
  }

  function setFollow(on) {
    find("follow").setAttribute("aria-pressed", String(on));
    view.follow(on);
  }

  function look(name) {
    if (!view) return;
    setFollow(false);
    view.camera.look(name);
    view.dirty = true;
    keepAddress();
  }

  function zoom(factor) {
    if (!view) return;
    view.camera.zoom(factor);
    view.dirty = true;
  }

  function apply({ t, cam, body }) {
    if (cam && view) view.camera.text = cam;
    if (body !== undefined) choose(items.find(({ name }) => name === body)?.what ?? null);
    if (t !== undefined) player.setTime(Number(t));
  }

  let stale = true; // the time has changed since the last picture
  player.onChange((what) => {
    if (what === "time") stale = true;
    else controls.update();
    if (what === "plays" || (what === "time" && !player.plays)) keepAddress();
  });

  function refresh() {
    stale = false;
    controls.update();
    timeline.update();
    charts.update();
    if (!view) return;
    motion.update(player.time);
    view.update();
    labels.updateCard(view.chosen);
    labels.updateStatus(player.frame);
  }

  function tick(now) {
    requestAnimationFrame(tick);
    player.advance(now);
    if (stale) refresh();
    if (!view?.draw(now, player.plays, player.speed)) return;
    labels.updateNames();
    if (view.camera.moved && view.cameraMoves) keepAddress(); // until it has come to rest
  }

  if (view) {
    bindPointer(find("canvas"), view, {
      hover: (what, x, y) => labels.hover(what, x, y),
      choose: (what) => choose(same(what, view.chosen) ? null : what),
      center: (what) => {
        view.camera.center(view.placeOf(what));
        view.dirty = true;
      },
      moved: keepAddress,
    });
    for (const button of document.querySelectorAll("[data-look]")) {
      button.addEventListener("click", () => look(button.dataset.look));
    }
    find("follow").addEventListener("click", () => setFollow(!view.follows));
  }
  bindSplitter(find("splitter"), find("stage"));
  bindKeys(document, {
    " ": () => player.toggle(),
    ArrowLeft: ({ shiftKey }) => player.step(shiftKey ? -10 : -1),
    ArrowRight: ({ shiftKey }) => player.step(shiftKey ? 10 : 1),
    Home: () => controls.jump(run.start),
    End: () => controls.jump(run.end),
    e: ({ shiftKey }) => timeline.toEvent(shiftKey ? -1 : 1),
    "+": () => controls.faster(1),
    "-": () => controls.faster(-1),
    l: () => controls.toggleLoop(),
    f: () => look("fit"),
    1: () => look("front"),
    2: () => look("side"),
    3: () => look("top"),
    o: () => view?.chosen && setFollow(!view.follows),
    Escape: () => choose(null),
    "?": () => find("help").showModal(),
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    view?.setColors(sceneColors());
    timeline.draw();
    charts.draw();
  });
  window.addEventListener("hashchange", () => {
    if (location.hash !== address.own) apply(readAddress(location));
  });

  document.body.dataset.state = "ready";
  apply(asked);
  const now = (speed = 0) => {
    refresh();
    if (view?.drawNow(speed)) labels.updateNames();
  };
  now();
  requestAnimationFrame(tick);
  return { run, player, view, charts, timeline, look, zoom, now, choose: (name) => apply({ body: name }) };
}

makeHook(window, errors, start, (error) => {
  document.body.dataset.state = "failed";
  showMessage(error instanceof DataError ? error.message : `The page has failed: ${error.message}`);
});
