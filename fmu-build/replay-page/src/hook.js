// window.replay: what tests and other programs can ask of the page. The README lists its parts.

export function collectErrors(window) {
  const errors = [];
  window.addEventListener("error", (event) => errors.push(event.message));
  window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  return errors;
}

export function makeHook(window, errors, start, onFailure) {
  let page;
  const hook = {
    errors,
    ready: start().then(
      (started) => {
        page = started;
      },
      (error) => {
        errors.push(error.message);
        onFailure(error);
        throw error;
      },
    ),
    /** Goes to a time [s] and draws at once; with a speed as in play, with growing rings. */
    setTime(time, speed = 0) {
      page.player.setTime(time);
      page.now(speed);
    },
    play: () => page.player.play(),
    pause: () => page.player.pause(),
    setSpeed: (speed) => page.player.setSpeed(speed),
    show: (names) => page.charts.show(names),
    choose: (name) => page.choose(name),
    look: (side) => page.look(side),
    zoom: (factor) => page.zoom(factor),
    trails: (which) => page.view?.showTrails(which),
    get time() {
      return page.player.time;
    },
    get frame() {
      return page.player.frame;
    },
    get frames() {
      return page.run.frames;
    },
    get playing() {
      return page.player.plays;
    },
    get contactsShown() {
      return page.view ? page.view.contacts.shown : 0;
    },
    get impactsShown() {
      return page.view ? page.view.impacts.shown : 0;
    },
    get chartNames() {
      return page.charts.names;
    },
    get fps() {
      return page.view ? page.view.quality.fps : 0;
    },
    get drawn() {
      if (!page.view) return null;
      const { calls, triangles } = page.view.renderer.info.render;
      const { instances, simple } = page.view.bodies;
      return { calls, triangles, instances, simple, level: page.view.quality.level };
    },
    /** Parts of the page, for tests. */
    get run() {
      return page.run;
    },
    get view() {
      return page.view;
    },
    get charts() {
      return page.charts;
    },
    get timeline() {
      return page.timeline;
    },
  };
  hook.ready.catch(() => {}); // it is shown and in `errors`
  window.replay = hook;
}
