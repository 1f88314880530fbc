// Keys of the page. Fields that take text keep theirs, a focused button keeps space and enter.

export const KEYS = [
  ["Space", "play or pause"],
  ["← →", "previous, next frame (with Shift: 10 frames)"],
  ["Home End", "start, end"],
  ["E, Shift+E", "next, previous event"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["F, 1, 2, 3", "fit; view from the front, the side, the top"],
  ["O", "follow the chosen body"],
  ["Esc", "choose nothing"],
];

export function bindKeys(document, actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target;
    const isField =
      target.matches?.("select, textarea") ||
      (target.matches?.("input") && !["checkbox", "range", "radio"].includes(target.type));
    if (isField) return;
    if (event.key === " " && target.matches?.("button, summary, input")) return;
    if (event.key.startsWith("Arrow") && target.type === "range") return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  // After a click with the mouse, space plays again.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (button && event.detail > 0) button.blur();
  });
}
