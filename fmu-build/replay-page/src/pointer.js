// The pointer over the picture, and the border between picture and charts.

const CLICK = 4; // pixels up to which a press is a click, not a drag

export function bindPointer(canvas, view, { hover, choose, center, moved }) {
  let pressed = null;
  let pending = null;
  canvas.addEventListener("pointerdown", ({ clientX, clientY, button }) => {
    pressed = { clientX, clientY, button };
    hover(null);
  });
  canvas.addEventListener("pointerup", ({ clientX, clientY }) => {
    const way = pressed && Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY);
    const isClick = pressed?.button === 0 && way < CLICK;
    pressed = null;
    if (isClick) choose(view.picking.at(clientX, clientY));
    else moved();
  });
  canvas.addEventListener("dblclick", ({ clientX, clientY }) => {
    const what = view.picking.at(clientX, clientY);
    if (!what) return;
    center(what);
    moved();
  });
  canvas.addEventListener("wheel", moved, { passive: true });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons !== 0) return;
    // At most one search for each picture.
    if (pending === null) {
      requestAnimationFrame(() => {
        const { clientX, clientY } = pending;
        pending = null;
        const box = canvas.getBoundingClientRect();
        hover(view.picking.at(clientX, clientY), clientX - box.left, clientY - box.top);
      });
    }
    pending = event;
  });
  canvas.addEventListener("pointerleave", () => hover(null));
}

export function bindSplitter(splitter, stage) {
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    const move = ({ clientY }) => {
      const box = stage.getBoundingClientRect();
      const height = Math.min(Math.max(box.bottom - clientY, 60), box.height - 260);
      stage.style.setProperty("--charts", `${height}px`);
    };
    splitter.addEventListener("pointermove", move);
    const stop = () => splitter.removeEventListener("pointermove", move);
    splitter.addEventListener("pointerup", stop, { once: true });
    splitter.addEventListener("pointercancel", stop, { once: true });
  });
}
