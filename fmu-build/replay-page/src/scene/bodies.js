// Shapes of all bodies in few meshes: one of all spheres, one of all balls of groups, one of each mesh
// geometry. Each frame writes the matrices of what moves.
import { Color, Group, Matrix4, SphereGeometry, Vector3 } from "three";
import { quaternion } from "../data/motion.js";
import { Batch } from "./batch.js";
import { impostorGeometry, impostorMaterial } from "./impostors.js";
import { bodyMaterial, edgeMaterial } from "./materials.js";
import { meshGeometry } from "./mesh.js";

const FIXED = new Color(0x989da3);
const MANY = 150; // shapes from which they are drawn as crowds and without shadows
const ONE = new Vector3(1, 1, 1);

export class Bodies {
  /** `sun`: unit vector to the light. */
  constructor(run, motion, sun) {
    this.run = run;
    this.motion = motion;
    this.light = { up: new Vector3(...run.up), sun };
    this.root = new Group();
    this.batches = [];
    this.edges = [];
    this.parts = run.bodies.map(() => []); // of each body: batch, slot and place of its shapes
    const spheres = [...this.shapes("sphere")];
    const meshes = [...this.shapes("mesh")];
    const balls = run.balls.reduce((sum, { radii }) => sum + radii.length, 0);
    this.simple = spheres.length + meshes.length + balls > MANY;
    this.addSpheres(spheres);
    this.addBalls();
    this.addMeshes(meshes);
    run.bodies.forEach((_, body) => this.place(body));
    run.balls.forEach((_, group) => this.placeBalls(group));
    for (const batch of this.batches) batch.touch();
  }

  color(body) {
    const { fixed, color } = this.run.bodies[body];
    return fixed ? FIXED : byteColor(color);
  }

  /** Shapes and balls that are drawn. */
  get instances() {
    return this.batches.reduce((sum, { count }) => sum + count, 0);
  }

  *shapes(type) {
    for (let body = 0; body < this.run.bodies.length; body++) {
      for (const shape of this.run.bodies[body].shapes) {
        const geometry = this.run.geometries[shape.geometry];
        if (geometry.type === type) yield { body, shape, geometry };
      }
    }
  }

  add(options) {
    const batch = new Batch({ isCrowd: this.simple, ...options });
    batch.mesh.castShadow = batch.mesh.receiveShadow = !this.simple;
    this.batches.push(batch);
    this.root.add(batch.mesh);
    return batch;
  }

  /** Unit spheres; with a pattern where they turn. */
  addSphereBatch(owners, pattern) {
    const simple = this.simple;
    const batch = this.add({
      geometry: simple ? impostorGeometry() : new SphereGeometry(1, 48, 32),
      material: simple ? null : bodyMaterial({ simple, pattern }),
      owners,
      crowdMaterial: (texture) => impostorMaterial({ ...this.light, pattern, texture }),
    });
    batch.isSphere = true;
    return batch;
  }

  addSpheres(spheres) {
    if (spheres.length === 0) return;
    const owners = spheres.map(({ body }) => ({ body, color: this.color(body) }));
    const batch = this.addSphereBatch(owners, true);
    spheres.forEach(({ body, shape, geometry }, slot) => {
      this.parts[body].push({ batch, slot, local: localMatrix(shape, geometry.radius) });
    });
  }

  addBalls() {
    // Their orientation is not known, so they have no pattern that would stand still.
    const owners = this.run.balls.flatMap(({ radii, color }, group) =>
      radii.map((_, ball) => ({ group, ball, color: byteColor(color) })),
    );
    if (owners.length === 0) return;
    this.ballBatch = this.addSphereBatch(owners, false);
    let slot = 0;
    this.firstBall = this.run.balls.map(({ radii }) => {
      slot += radii.length;
      return slot - radii.length;
    });
  }

  addMeshes(meshes) {
    const of = new Map();
    for (const { body, shape } of meshes) {
      if (!of.has(shape.geometry)) of.set(shape.geometry, []);
      of.get(shape.geometry).push({ body, shape });
    }
    const shared = bodyMaterial({ simple: this.simple });
    const lines = edgeMaterial();
    for (const [geometry, users] of of) {
      const { surface, edges } = meshGeometry(this.run.geometries[geometry]);
      const owners = users.map(({ body }) => ({ body, color: this.color(body) }));
      const material = this.simple ? shared.clone() : shared;
      const batch = this.add({ geometry: surface, material, owners });
      users.forEach(({ body, shape }, slot) => {
        this.parts[body].push({ batch, slot, local: localMatrix(shape, 1) });
      });
      if (edges.attributes.position.count === 0) continue;
      this.edges.push(batch.addLines(edges, lines));
      this.root.add(this.edges.at(-1));
    }
  }

  place(body) {
    const { positions, orientations } = this.motion;
    pose.compose(positions[body], orientations[body], ONE);
    for (const { batch, slot, local } of this.parts[body]) {
      batch.setMatrix(slot, world.multiplyMatrices(pose, local));
    }
  }

  placeBalls(group) {
    const { radii } = this.run.balls[group];
    const at = this.motion.balls[group];
    const first = this.firstBall[group];
    for (let i = 0; i < radii.length; i++) {
      this.ballBatch.setBall(first + i, at[3 * i], at[3 * i + 1], at[3 * i + 2], radii[i]);
    }
  }

  /** Writes the current poses of the motion. */
  update() {
    for (const body of this.motion.moving) this.place(body);
    this.run.balls.forEach(({ track }, group) => track && this.placeBalls(group));
    for (const batch of this.batches) batch.touch();
  }

  paint(chosen, highlight) {
    for (const batch of this.batches) batch.paint(chosen, new Color(highlight));
  }

  setOpacity(opacity) {
    for (const { mesh } of this.batches) {
      const { material } = mesh;
      material.transparent = opacity < 1;
      material.opacity = opacity;
      if (material.uniforms) material.uniforms.opacity.value = opacity;
      material.depthWrite = opacity === 1;
      material.needsUpdate = true;
      mesh.castShadow = opacity === 1 && !this.simple;
    }
  }

  setEdges(visible) {
    for (const lines of this.edges) lines.visible = visible;
  }
}

const pose = new Matrix4();
const world = new Matrix4();

export function byteColor([r, g, b]) {
  return new Color().setRGB(r / 255, g / 255, b / 255, "srgb");
}

function localMatrix({ position, orientation }, scale) {
  const size = new Vector3(scale, scale, scale);
  return new Matrix4().compose(new Vector3(...position), quaternion(orientation), size);
}
