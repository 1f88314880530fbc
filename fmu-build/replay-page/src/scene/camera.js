// The camera: orbit, pan and zoom by mouse or touch; views from the sides; following a body.
import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const ANGLE = 32; // vertical field of view in degrees
const MARGIN = 1.06;
const STILL = 1e-5; // of the distance to the target: steps that move no pixel

export class Camera {
  constructor(element, up, box) {
    this.camera = new PerspectiveCamera(ANGLE, 1, 0.01, 100);
    this.camera.up.set(...up).normalize(); // before the controls, which read it once
    this.box = box;
    this.size = box.getSize(new Vector3()).length();
    this.axes = axes(this.camera.up);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 1e-3 * this.size;
    this.controls.maxDistance = 60 * this.size;
    this.moved = false; // by the user, so that it is worth keeping in the address
    this.last = { position: new Vector3(), target: new Vector3() };
    this.aspect = 1;
    this.direction = this.from(0.52, 0.78, 0.36);
    this.controls.addEventListener("start", () => {
      this.moved = true;
    });
    this.fit();
  }

  /** Unit vector to the right, towards who looks from the front, and up, by these shares. */
  from(right, front, up) {
    return new Vector3()
      .addScaledVector(this.axes.right, right)
      .addScaledVector(this.axes.front, front)
      .addScaledVector(this.camera.up, up)
      .normalize();
  }

  look(name) {
    const side = { front: [0, 1, 0.02], side: [1, 0, 0.02], top: [0, 0.002, 1] }[name];
    if (side) this.direction = this.from(...side);
    else this.direction = this.offset.normalize();
    this.moved = true;
    this.fit();
  }

  get offset() {
    return this.camera.position.clone().sub(this.controls.target);
  }

  /** Shows all of the box from the present direction. */
  fit() {
    const middle = this.box.getCenter(new Vector3());
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).add(this.direction);
    this.camera.lookAt(middle);
    this.camera.updateMatrixWorld();
    // Each corner must lie within the four planes of the view.
    const vertical = Math.tan((ANGLE * Math.PI) / 360) / MARGIN;
    const horizontal = vertical * this.aspect;
    const [x, y, z] = [0, 1, 2].map((i) =>
      new Vector3().setFromMatrixColumn(this.camera.matrixWorld, i),
    );
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = new Vector3(
        i & 1 ? this.box.max.x : this.box.min.x,
        i & 2 ? this.box.max.y : this.box.min.y,
        i & 4 ? this.box.max.z : this.box.min.z,
      ).sub(middle);
      const depth = corner.dot(z);
      distance = Math.max(distance, depth + Math.abs(corner.dot(x)) / horizontal);
      distance = Math.max(distance, depth + Math.abs(corner.dot(y)) / vertical);
    }
    this.camera.position.copy(middle).addScaledVector(this.direction, distance);
    this.controls.update();
  }

  resize(aspect) {
    const first = this.aspect === 1;
    this.camera.aspect = this.aspect = aspect;
    if (first && !this.moved) this.fit();
  }

  /** Moves along with a point that went from one place to another. */
  carry(step) {
    this.controls.target.add(step);
    this.camera.position.add(step);
  }

  /** Nearer by a factor. */
  zoom(factor) {
    const offset = this.offset.divideScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.moved = true;
    this.controls.update();
  }

  center(point) {
    this.carry(point.clone().sub(this.controls.target));
  }

  /** Returns whether the camera has moved since the last call, also by the controls in their own events. */
  update() {
    this.controls.update();
    const { last, camera, controls } = this;
    const distance = this.offset.length();
    const moves = (from, to) => from.distanceTo(to) > STILL * distance;
    const changed = moves(last.position, camera.position) || moves(last.target, controls.target);
    if (changed) {
      last.position.copy(camera.position);
      last.target.copy(controls.target);
    }
    const near = Math.max(0.02 * distance, 1e-4 * this.size);
    const far = distance + 12 * this.size;
    if (changed || this.camera.near !== near || this.camera.far !== far) {
      Object.assign(this.camera, { near, far });
      this.camera.updateProjectionMatrix();
    }
    return changed;
  }

  /** Length that one pixel shows at the target [m]. */
  pixel(height) {
    return (2 * Math.tan((ANGLE * Math.PI) / 360) * this.offset.length()) / height;
  }

  /** Position and target as text, and back. */
  get text() {
    const place = [...this.camera.position.toArray(), ...this.controls.target.toArray()];
    return place.map((x) => Number(x.toPrecision(5))).join(",");
  }

  set text(text) {
    const place = text.split(",").map(Number);
    if (place.length !== 6 || !place.every(Number.isFinite)) return;
    this.camera.position.set(...place.slice(0, 3));
    this.controls.target.set(...place.slice(3));
    this.moved = true;
    this.controls.update();
  }
}

/** Horizontal axes of the view from the front: x to the right if it is horizontal, else y. */
function axes(up) {
  const right = new Vector3(1, 0, 0);
  if (Math.abs(up.x) > 0.9) right.set(0, 1, 0);
  right.addScaledVector(up, -right.dot(up)).normalize();
  return { right, front: new Vector3().crossVectors(right, up) };
}
