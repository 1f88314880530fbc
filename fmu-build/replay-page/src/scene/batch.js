// Copies of one geometry, each the shape of a body or a ball of a group, with matrix and colour: an
// instanced mesh, or a crowd where there are many.
import {
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  LineSegments,
  Matrix4,
  Mesh,
  Sphere,
  Vector3,
} from "three";
import { crowdTexture, forCrowd, repeat } from "./crowd.js";

const MOST_VERTICES = 2_000_000; // of a crowd

/** What shows a body or a ball: `owners` are { body, color } or { group, ball, color }. */
export class Batch {
  /** `crowdMaterial(texture, verticesPerCopy)`, where given, makes the material of a crowd. */
  constructor({ geometry, material, owners, isCrowd, crowdMaterial }) {
    this.owners = owners;
    this.geometry = geometry;
    const vertices = geometry.attributes.position.count;
    this.isCrowd = isCrowd && vertices * owners.length <= MOST_VERTICES;
    if (this.isCrowd) {
      this.texture = crowdTexture(owners.length);
      this.matrices = this.texture.image.data;
      const own = crowdMaterial
        ? crowdMaterial(this.texture, vertices)
        : forCrowd(material, vertices, this.texture);
      this.mesh = new Mesh(repeat(geometry, owners.length), own);
    } else {
      this.mesh = new InstancedMesh(geometry, material, owners.length);
      this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      this.matrices = this.mesh.instanceMatrix.array;
    }
    this.mesh.frustumCulled = false;
    this.mesh.userData.batch = this;
    this.mesh.raycast = (caster, hits) => this.raycast(caster, hits);
    this.paint();
  }

  get count() {
    return this.owners.length;
  }

  /** Call `touch` after all are set. */
  setMatrix(slot, { elements }) {
    const at = 16 * slot;
    for (let column = 0; column < 16; column += 4) {
      for (let row = 0; row < 3; row++) this.matrices[at + column + row] = elements[column + row];
    }
    this.matrices[at + 15] = 1;
  }

  setBall(slot, x, y, z, radius) {
    const m = this.matrices;
    const at = 16 * slot;
    m[at] = m[at + 5] = m[at + 10] = radius;
    m[at + 12] = x;
    m[at + 13] = y;
    m[at + 14] = z;
    m[at + 15] = 1;
  }

  touch() {
    if (this.isCrowd) this.texture.needsUpdate = true;
    else this.mesh.instanceMatrix.needsUpdate = true;
  }

  /** Colours of all; the chosen one is mixed with `highlight`. */
  paint(chosen = null, highlight = null) {
    const color = new Color();
    this.owners.forEach((owner, slot) => {
      color.copy(owner.color);
      if (chosen && isSame(owner, chosen)) color.lerp(highlight, 0.7);
      if (this.isCrowd) {
        for (const [i, part] of [color.r, color.g, color.b].entries()) {
          this.matrices[16 * slot + 4 * i + 3] = part;
        }
      } else {
        this.mesh.setColorAt(slot, color);
      }
    });
    if (this.isCrowd) this.texture.needsUpdate = true;
    else if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** Lines that go with the copies. */
  addLines(geometry, material) {
    const vertices = geometry.attributes.position.count;
    let lines;
    if (this.isCrowd) {
      const own = forCrowd(material.clone(), vertices, this.texture);
      lines = new LineSegments(repeat(geometry, this.count), own);
    } else {
      // three.js draws any object with these fields instanced.
      lines = new LineSegments(geometry, material);
      lines.isInstancedMesh = true;
      lines.instanceMatrix = this.mesh.instanceMatrix;
      lines.instanceColor = null;
      lines.morphTexture = null;
      lines.count = this.count;
    }
    lines.frustumCulled = false;
    lines.renderOrder = -3; // before the plates, which hide what is below them
    lines.raycast = () => {};
    return lines;
  }

  matrix(slot) {
    const at = 16 * slot;
    matrix.fromArray(this.matrices, at);
    matrix.elements[3] = matrix.elements[7] = matrix.elements[11] = 0;
    return matrix;
  }

  raycast(caster, hits) {
    if (!this.geometry.boundingSphere) this.geometry.computeBoundingSphere();
    const proxy = new Mesh(this.geometry, this.mesh.material);
    const own = [];
    for (let slot = 0; slot < this.count; slot++) {
      sphere.copy(this.geometry.boundingSphere).applyMatrix4(this.matrix(slot));
      if (!caster.ray.intersectsSphere(sphere)) continue;
      if (this.isSphere) {
        const point = caster.ray.intersectSphere(sphere, new Vector3());
        const distance = caster.ray.origin.distanceTo(point);
        hits.push({ distance, point, object: this.mesh, instanceId: slot });
        continue;
      }
      proxy.matrixWorld.copy(matrix);
      proxy.raycast(caster, own);
      for (const hit of own) hits.push({ ...hit, object: this.mesh, instanceId: slot });
      own.length = 0;
    }
  }
}

const matrix = new Matrix4();
const sphere = new Sphere();

function isSame(a, b) {
  return a.body === b.body && a.group === b.group && a.ball === b.ball;
}
