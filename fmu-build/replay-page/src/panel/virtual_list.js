// A list of any length: only the rows in sight are elements of the page.

const BESIDE = 6; // rows kept above and below

export class VirtualList {
  /** `fill(row, item)` writes an item into an empty element. */
  constructor(element, rowHeight, fill) {
    this.element = element;
    this.rowHeight = rowHeight;
    this.fill = fill;
    this.items = [];
    this.inner = element.appendChild(document.createElement("div"));
    this.inner.className = "rows";
    element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(element);
  }

  setItems(items) {
    this.items = items;
    this.inner.style.height = `${items.length * this.rowHeight}px`;
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - BESIDE);
    const last = Math.min(
      this.items.length,
      Math.ceil((scrollTop + clientHeight) / this.rowHeight) + BESIDE,
    );
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = document.createElement("div");
      row.className = "row";
      row.style.top = `${i * this.rowHeight}px`;
      this.fill(row, this.items[i]);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }
}

/** Whether a text has all words of a filter, in any case. */
export function matcher(filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}
