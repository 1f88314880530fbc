// Which body is under the pointer, and how it is called.
import { Raycaster, Vector2 } from "three";

export class Picking {
  constructor(bodies, camera, canvas) {
    this.bodies = bodies;
    this.camera = camera;
    this.canvas = canvas;
    this.caster = new Raycaster();
  }

  /** { body } or { group, ball } at a place of the window, or null. */
  at(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const place = new Vector2(
      ((clientX - box.left) / box.width) * 2 - 1,
      1 - ((clientY - box.top) / box.height) * 2,
    );
    this.caster.setFromCamera(place, this.camera);
    const meshes = this.bodies.batches.map(({ mesh }) => mesh);
    const [hit] = this.caster.intersectObjects(meshes, false);
    if (!hit) return null;
    const { body, group, ball } = hit.object.userData.batch.owners[hit.instanceId];
    return body === undefined ? { group, ball } : { body };
  }
}

/** All that can be chosen: { name, what: { body } or { group, ball }, fixed }. */
export function choices(run) {
  const bodies = run.bodies.map(({ name, fixed }, body) => ({ name, what: { body }, fixed }));
  const balls = run.balls.flatMap(({ name, radii }, group) =>
    radii.map((_, ball) => ({ name: `${name}[${ball + 1}]`, what: { group, ball }, fixed: false })),
  );
  return [...bodies, ...balls];
}

export function same(a, b) {
  if (!a || !b) return a === b;
  return a.body === b.body && a.group === b.group && a.ball === b.ball;
}
