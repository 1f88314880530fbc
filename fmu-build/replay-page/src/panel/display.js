// Choices of what the picture shows.
import { short } from "../data/numbers.js";

const FEW = 8; // moving bodies up to which trails are shown at first

export class Display {
  constructor(run, motion, view, labels) {
    this.view = view;
    const find = (id) => document.getElementById(id);
    const { contacts, joints, bodies } = view;
    const bind = (id, type, action) => {
      const element = find(id);
      element.addEventListener(type, () => {
        action(element);
        view.dirty = true;
        this.update();
      });
      return element;
    };
    bind("show-contacts", "change", ({ checked }) => {
      contacts.visible = checked;
    });
    bind("show-impacts", "change", ({ checked }) => {
      view.impacts.visible = checked;
    });
    bind("force-law", "change", ({ value }) => {
      contacts.law = value;
    });
    bind("force-scale", "input", ({ value }) => {
      contacts.scale = 10 ** Number(value);
    });
    find("force-scale").addEventListener("dblclick", ({ target }) => {
      target.value = 0;
      target.dispatchEvent(new Event("input"));
    });
    bind("show-joints", "change", ({ checked }) => {
      joints.root.visible = checked;
    });
    bind("show-edges", "change", ({ checked }) => bodies.setEdges(checked));
    bind("see-through", "change", ({ checked }) => bodies.setOpacity(checked ? 0.35 : 1));
    bind("show-plates", "change", ({ checked }) => {
      view.plates.root.visible = checked;
    });
    bind("show-names", "change", ({ checked }) => labels.showAll(checked));
    bind("trails", "change", ({ value }) => view.showTrails(value));
    const moving = run.poses.length;
    find("trails").value = moving > 0 && moving <= FEW ? "all" : "chosen";
    view.showTrails(find("trails").value);
    this.hideWhatIsNot(run, find);
    this.update();
  }

  hideWhatIsNot(run, find) {
    find("row-joints").hidden = run.joints.length === 0;
    find("row-plates").hidden = this.view.plates.plates.length === 0;
    find("row-edges").hidden = this.view.bodies.edges.length === 0;
    const { events } = this.view.impacts;
    find("row-impacts").hidden = events.length === 0;
    find("part-contacts").hidden = run.contacts.pair.length === 0 && events.length === 0;
    find("grid-text").textContent = `grid of ${short(this.view.plates.spacing)} m`;
  }

  update() {
    const { law, scale, largest } = this.view.contacts;
    const how = law === "root" ? "to the root of the force" : "to the force";
    document.getElementById("force-text").textContent =
      `Length in proportion ${how}. Largest in the frames: ${short(largest, 3)} N; ` +
      "an impact that is shorter than a frame has its peak in none. " +
      "Shown is the force on the moving body of a pair; where both move, on the one that it lifts, " +
      "else on the second.";
    document.getElementById("force-scale-text").textContent = `${Number(scale.toPrecision(2))}×`;
  }
}
