// The panel at the side: one of its parts at a time.

export class Tabs {
  constructor(element, onShow) {
    this.buttons = [...element.querySelectorAll("[role=tab]")];
    this.onShow = onShow;
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.show(button.dataset.tab));
    }
    element.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const at = this.buttons.indexOf(document.activeElement);
      const next = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
      next.focus();
      this.show(next.dataset.tab);
    });
  }

  show(name) {
    for (const button of this.buttons) {
      const on = button.dataset.tab === name;
      button.setAttribute("aria-selected", on);
      button.tabIndex = on ? 0 : -1;
      document.getElementById(`tab-${button.dataset.tab}`).hidden = !on;
    }
    this.onShow(name);
  }
}
