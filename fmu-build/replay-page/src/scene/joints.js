// Joints: a ball at their place (a cube where they are rigid), a rod along their axis; with a ring where
// they turn about it, with tips where they slide along it, with a square where they slide across it. Drawn
// over the bodies.
import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { quaternion } from "../data/motion.js";

const Y = new Vector3(0, 1, 0);
const TURNS = new Set(["revolute", "cylindrical", "screw", "universal", "planar"]);
const SLIDES = new Set(["prismatic", "cylindrical", "screw"]);

export class Joints {
  constructor(run, motion, size) {
    this.motion = motion;
    this.root = new Group();
    this.material = new MeshBasicMaterial({
      depthTest: false,
      depthWrite: false,
      transparent: true,
      opacity: 0.75,
    });
    const index = new Map(run.bodies.map((body, i) => [body.name, i]));
    this.joints = run.joints.map((joint) => {
      const glyph = this.glyph(joint, 0.11 * size);
      glyph.matrixAutoUpdate = false;
      this.root.add(glyph);
      const local = new Matrix4().compose(
        new Vector3(...joint.position),
        quaternion(joint.orientation),
        new Vector3(1, 1, 1),
      );
      return { glyph, local, parent: index.get(joint.parent) };
    });
  }

  glyph({ kind, axis }, length) {
    const glyph = new Group();
    const thick = 0.018 * length;
    const add = (geometry) => {
      const mesh = new Mesh(geometry, this.material);
      mesh.renderOrder = 4;
      mesh.raycast = () => {};
      glyph.add(mesh);
      return mesh;
    };
    const side = 5 * thick;
    if (kind === "fixed") add(new BoxGeometry(side, side, side));
    else add(new SphereGeometry(3.2 * thick, 20, 14));
    if (!axis) return glyph;
    const inner = new Group();
    inner.quaternion.copy(new Quaternion().setFromUnitVectors(Y, new Vector3(...axis).normalize()));
    inner.add(add(new CylinderGeometry(thick, thick, length, 10)));
    if (TURNS.has(kind)) {
      inner.add(add(new TorusGeometry(0.2 * length, 0.8 * thick, 8, 40).rotateX(Math.PI / 2)));
    }
    if (SLIDES.has(kind)) {
      for (const side of [1, -1]) {
        const tip = add(new ConeGeometry(3 * thick, 8 * thick, 14));
        tip.position.y = 0.5 * side * length;
        tip.rotation.x = side > 0 ? 0 : Math.PI;
        inner.add(tip);
      }
    }
    if (kind === "planar") {
      const square = new TorusGeometry(0.35 * length, 0.8 * thick, 8, 4);
      inner.add(add(square.rotateX(Math.PI / 2)));
    }
    glyph.add(inner);
    return glyph;
  }

  setColor(color) {
    this.material.color.set(color);
  }

  update() {
    for (const { glyph, local, parent } of this.joints) {
      if (parent === undefined) {
        glyph.matrix.copy(local);
      } else {
        const { positions, orientations } = this.motion;
        glyph.matrix.compose(positions[parent], orientations[parent], new Vector3(1, 1, 1));
        glyph.matrix.multiply(local);
      }
      glyph.matrixWorldNeedsUpdate = true;
    }
  }
}
