// Half-spaces as round plates that fade out, with a grid sized to the scene. What lies inside another
// half-space is cut off, so that walls and a floor look like a box; from behind only lines show.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  Plane,
  ShaderMaterial,
  UniformsLib,
  UniformsUtils,
  Vector2,
  Vector3,
} from "three";
import { quaternion } from "../data/motion.js";
import { niceStep } from "../data/numbers.js";

const SIDES = 48; // of the polygon that stands for a disc
const MOST_CORNERS = 128;

const VERTEX = `
#include <common>
#include <shadowmap_pars_vertex>
varying vec2 vPlace;
void main() {
  vPlace = position.xy;
  #include <beginnormal_vertex>
  #include <defaultnormal_vertex>
  #include <begin_vertex>
  #include <project_vertex>
  #include <worldpos_vertex>
  #include <shadowmap_vertex>
}`;

const FRAGMENT = `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
varying vec2 vPlace;
uniform vec2 middle;
uniform float radius, spacing, opacity;
uniform vec3 fill, line, shade;
float grid(vec2 at, vec2 pixel, float width) {
  vec2 away = abs(fract(at - 0.5) - 0.5);
  vec2 on = 1.0 - smoothstep(pixel * (width - 0.5), pixel * (width + 0.5), away);
  // Lines closer than some pixels become an even tone.
  on *= 1.0 - smoothstep(0.12, 0.45, pixel);
  return max(on.x, on.y);
}
void main() {
  vec2 at = vPlace / spacing;
  vec2 pixel = fwidth(at);
  float edge = 1.0 - smoothstep(0.35, 1.0, distance(vPlace, middle) / radius);
  float lines = max(0.45 * grid(at, pixel, 0.5), 0.9 * grid(0.2 * at, 0.2 * pixel, 0.75));
  vec3 color = mix(fill, line, lines);
  #ifdef USE_SHADOWMAP
  color = mix(color, shade, 0.42 * (1.0 - getShadowMask()));
  #endif
  float alpha = gl_FrontFacing ? opacity : 0.12 * opacity + 0.35 * lines;
  gl_FragColor = vec4(color, alpha * edge);
  #include <colorspace_fragment>
}`;

export class Plates {
  /** `middle`: centre of the scene; `size`: its diagonal [m]. */
  constructor(run, motion, middle, size) {
    this.motion = motion;
    this.root = new Group();
    this.plates = [];
    this.spacing = niceStep(size / 14);
    const up = new Vector3(...run.up);
    run.bodies.forEach((body, index) => {
      for (const shape of body.shapes) {
        if (run.geometries[shape.geometry].type !== "plane") continue;
        this.add(index, shape, middle, size, up);
      }
    });
    this.update();
  }

  add(body, shape, middle, size, up) {
    const local = new Matrix4().compose(
      new Vector3(...shape.position),
      quaternion(shape.orientation),
      new Vector3(1, 1, 1),
    );
    const matrix = this.matrix(body, local);
    const normal = new Vector3().setFromMatrixColumn(matrix, 2);
    const own = middle.clone().applyMatrix4(matrix.clone().invert());
    const isFloor = normal.dot(up) > 0.7;
    // Lines of all plates go through the origin of their frame: places can be read from them.
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        ...UniformsUtils.clone(UniformsLib.lights),
        middle: { value: new Vector2(own.x, own.y) },
        radius: { value: (isFloor ? 1.7 : 0.9) * size },
        spacing: { value: this.spacing },
        opacity: { value: isFloor ? 0.94 : 0.5 },
        fill: { value: new Color() },
        line: { value: new Color() },
        shade: { value: new Color() },
      },
      lights: true,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    const mesh = new Mesh(emptyPolygon(), material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    mesh.renderOrder = isFloor ? -2 : -1;
    this.plates.push({ mesh, body, local, disc: disc(own, material.uniforms.radius.value) });
    this.root.add(mesh);
  }

  matrix(body, local) {
    const pose = new Matrix4().compose(
      this.motion.positions[body],
      this.motion.orientations[body],
      new Vector3(1, 1, 1),
    );
    return pose.multiply(local);
  }

  update() {
    for (const plate of this.plates) {
      plate.mesh.matrix.copy(this.matrix(plate.body, plate.local));
      plate.mesh.matrixWorldNeedsUpdate = true;
      const normal = new Vector3().setFromMatrixColumn(plate.mesh.matrix, 2);
      const point = new Vector3().setFromMatrixPosition(plate.mesh.matrix);
      plate.plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
    }
    for (const plate of this.plates) {
      const inverse = plate.mesh.matrix.clone().invert();
      const others = this.plates.filter((other) => other !== plate);
      const planes = others.map(({ plane }) => plane.clone().applyMatrix4(inverse));
      setPolygon(plate.mesh.geometry, planes.reduce(cut, plate.disc));
    }
  }

  get move() {
    return this.plates.some(({ body }) => this.motion.moving.has(body));
  }

  setColors({ fill, line, shade }) {
    for (const { mesh } of this.plates) {
      mesh.material.uniforms.fill.value.set(fill);
      mesh.material.uniforms.line.value.set(line);
      mesh.material.uniforms.shade.value.set(shade);
    }
  }
}

/** Corners of a regular polygon around a place of the plane z = 0. */
function disc({ x, y }, radius) {
  return Array.from({ length: SIDES }, (_, i) => {
    const angle = (2 * Math.PI * i) / SIDES;
    return new Vector3(x + radius * Math.cos(angle), y + radius * Math.sin(angle), 0);
  });
}

/** The part of a convex polygon on the positive side of a plane; all of it where it lies in the plane. */
function cut(corners, plane) {
  const size = corners.reduce((most, { x, y }) => Math.max(most, Math.abs(x), Math.abs(y)), 0);
  const heights = corners.map((corner) => plane.distanceToPoint(corner));
  if (heights.every((height) => height >= -1e-6 * size)) return corners;
  const kept = [];
  corners.forEach((corner, i) => {
    const next = (i + 1) % corners.length;
    if (heights[i] >= 0) kept.push(corner);
    if (heights[i] >= 0 !== heights[next] >= 0) {
      kept.push(corner.clone().lerp(corners[next], heights[i] / (heights[i] - heights[next])));
    }
  });
  return kept;
}

function emptyPolygon() {
  const geometry = new BufferGeometry();
  const normals = new Float32Array(3 * MOST_CORNERS).map((_, i) => (i % 3 === 2 ? 1 : 0));
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * MOST_CORNERS), 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  const fan = Array.from({ length: MOST_CORNERS - 2 }, (_, i) => [0, i + 1, i + 2]);
  geometry.setIndex(fan.flat());
  return geometry;
}

function setPolygon(geometry, corners) {
  const { position } = geometry.attributes;
  const count = Math.min(corners.length, MOST_CORNERS);
  for (let i = 0; i < count; i++) position.setXYZ(i, corners[i].x, corners[i].y, 0);
  position.needsUpdate = true;
  geometry.setDrawRange(0, Math.max(3 * (count - 2), 0));
}
