// Contact points and forces of one frame. An arrow starts at the contact point and shows the force on
// the moving body of the pair; where both move, on the one that it lifts, and if it lifts none, on the
// second. What a body hides is drawn pale.
//
// All arrows are one mesh: a point, a shaft and a tip each. The vertices say which they belong to, the
// texture has of each arrow its place and length, then its direction.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DataTexture,
  FloatType,
  GreaterDepth,
  Group,
  LessEqualDepth,
  Mesh,
  NearestFilter,
  RGBAFormat,
  ShaderMaterial,
  SphereGeometry,
} from "three";
import { repeat } from "./crowd.js";
import { LIGHT_GLSL } from "./lights.js";

const LONGEST = 0.3; // length of the largest force's arrow, in sizes of the scene
const FEW = 120; // contacts at once up to which they are drawn with many triangles
const LIFTS = 0.3; // share of a force along the vertical from which it lifts a body
const IN_ROW = 128; // arrows in a row of the texture

const vertex = (verticesPerArrow) => `
attribute float part; // 0 point, 1 shaft, 2 tip
uniform highp sampler2D arrows;
uniform float pixel;
uniform vec3 up, sun;
varying vec3 vNormal, vUp, vSun;
varying float vPart;
void main() {
  int arrow = gl_VertexID / ${verticesPerArrow};
  ivec2 at = ivec2(2 * (arrow % ${IN_ROW}), arrow / ${IN_ROW});
  vec4 place = texelFetch(arrows, at, 0);
  vec3 along = texelFetch(arrows, at + ivec2(1, 0), 0).xyz;
  vec3 helper = abs(along.z) < 0.8 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
  vec3 side = normalize(cross(helper, along));
  mat3 turn = mat3(cross(along, side), along, side);
  float tip = min(15.0 * pixel, 0.6 * place.w);
  vec3 scale = vec3(4.2 * pixel);
  float start = 0.0;
  if (part > 0.5) scale = vec3(2.2 * pixel, place.w - tip, 2.2 * pixel);
  if (part > 1.5) {
    scale = vec3(6.0 * pixel, tip, 6.0 * pixel);
    start = place.w - tip;
  }
  // Without a force there is only the point.
  if (part > 0.5 && place.w == 0.0) scale = vec3(0.0);
  vec3 own = position * scale;
  own.y += start;
  vNormal = mat3(viewMatrix) * (turn * normal);
  vUp = mat3(viewMatrix) * up;
  vSun = mat3(viewMatrix) * sun;
  vPart = part;
  gl_Position = projectionMatrix * viewMatrix * vec4(place.xyz + turn * own, 1.0);
}`;

const FRAGMENT = `
uniform vec3 arrowTint, pointTint;
uniform float opacity;
varying vec3 vNormal, vUp, vSun;
varying float vPart;
${LIGHT_GLSL}
void main() {
  vec3 tint = vPart > 0.5 ? arrowTint : pointTint;
  gl_FragColor = vec4(tint * light(normalize(vNormal), vUp, vSun), opacity);
  #include <colorspace_fragment>
}`;

export class Contacts {
  /** `sun`: unit vector to the light; `size`: that of the scene [m]. */
  constructor(run, size, up, sun) {
    this.run = run;
    this.size = size;
    this.up = up;
    this.root = new Group();
    this.scale = 1;
    this.law = "root";
    this.visible = true;
    this.shown = 0;
    this.largest = largestForce(run.contacts.force);
    this.sign = signs(run);
    const most = mostAtOnce(run.contacts.first);
    const rows = Math.ceil(most / IN_ROW);
    this.data = new Float32Array(8 * IN_ROW * rows);
    this.texture = new DataTexture(this.data, 2 * IN_ROW, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.uniforms = {
      arrows: { value: this.texture },
      pixel: { value: 1 },
      up: { value: up },
      sun: { value: sun },
      arrowTint: { value: new Color() },
      pointTint: { value: new Color() },
    };
    const arrow = arrowGeometry(most > FEW ? 4 : 16);
    this.indices = arrow.index.count;
    this.geometry = repeat(arrow, most);
    const vertices = arrow.attributes.position.count;
    this.addLayer(vertices, { depthFunc: GreaterDepth, depthWrite: false }, 0.32);
    this.addLayer(vertices, { depthFunc: LessEqualDepth }, 1);
  }

  addLayer(vertices, depth, opacity) {
    const material = new ShaderMaterial({
      vertexShader: vertex(vertices),
      fragmentShader: FRAGMENT,
      uniforms: { ...this.uniforms, opacity: { value: opacity } },
      transparent: true, // the opaque ones too, to come after the plates
      ...depth,
    });
    const mesh = new Mesh(this.geometry, material);
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    mesh.renderOrder = 3;
    this.root.add(mesh);
  }

  setColors(arrow, point) {
    this.uniforms.arrowTint.value.set(arrow);
    this.uniforms.pointTint.value.set(point);
  }

  /** Length of the arrow of a force [m]; zero for none. */
  length(force) {
    if (!(force > 0) || !Number.isFinite(force)) return 0;
    const share = force / this.largest;
    return LONGEST * this.size * this.scale * (this.law === "root" ? Math.sqrt(share) : share);
  }

  /** Draws the contacts of a frame; `pixel` is the length that one pixel shows [m]. */
  update(frame, pixel) {
    const { first, point, force, pair } = this.run.contacts;
    const start = first[frame];
    const end = this.visible ? first[frame + 1] : start;
    this.shown = 0;
    for (let i = start; i < end; i++) {
      const own = [0, 1, 2].map((axis) => force[3 * i + axis]);
      const size = Math.hypot(...own);
      const length = this.length(size);
      if (length > 0) this.shown += 1;
      const factor = length > 0 ? this.side(pair[i], own, size) / size : 0;
      const at = 8 * (i - start);
      for (let axis = 0; axis < 3; axis++) {
        this.data[at + axis] = point[3 * i + axis];
        this.data[at + 4 + axis] = factor === 0 ? (axis === 1 ? 1 : 0) : factor * own[axis];
      }
      this.data[at + 3] = length;
    }
    this.uniforms.pixel.value = pixel;
    this.root.visible = end > start;
    this.geometry.setDrawRange(0, this.indices * (end - start));
    this.texture.needsUpdate = true;
  }

  /** 1 where the arrow shows the force on the second body, -1 where it shows that on the first. */
  side(pair, force, size) {
    if (this.sign[pair]) return this.sign[pair];
    const up = force[0] * this.up.x + force[1] * this.up.y + force[2] * this.up.z;
    return up < -LIFTS * size ? -1 : 1;
  }

  /** Number of contacts and the largest force [N] in a frame. */
  summary(frame) {
    const { first, force } = this.run.contacts;
    const part = force.subarray(3 * first[frame], 3 * first[frame + 1]);
    return { count: first[frame + 1] - first[frame], largest: largestForce(part, 0) };
  }
}

/** Point, shaft and tip (open below where sides are few), of height 1 from the origin along y where
 * they have a height. */
function arrowGeometry(sides) {
  const parts = [
    new SphereGeometry(1, sides, sides / 2),
    new CylinderGeometry(1, 1, 1, sides, 1, true).translate(0, 0.5, 0),
    new ConeGeometry(1, 1, sides + 1, 1, sides < 6).translate(0, 0.5, 0),
  ];
  const all = { position: [], normal: [], part: [], index: [] };
  parts.forEach((geometry, part) => {
    const before = all.part.length;
    all.position.push(...geometry.attributes.position.array);
    all.normal.push(...geometry.attributes.normal.array);
    all.part.push(...new Array(geometry.attributes.position.count).fill(part));
    all.index.push(...Array.from(geometry.index.array, (i) => i + before));
  });
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(new Float32Array(all.position), 3));
  out.setAttribute("normal", new BufferAttribute(new Float32Array(all.normal), 3));
  out.setAttribute("part", new BufferAttribute(new Float32Array(all.part), 1));
  out.setIndex(all.index);
  return out;
}

function largestForce(force, none = 1) {
  let square = 0;
  for (let i = 0; i < force.length; i += 3) {
    const own = force[i] ** 2 + force[i + 1] ** 2 + force[i + 2] ** 2;
    if (own > square && own < Infinity) square = own;
  }
  return square > 0 ? Math.sqrt(square) : none;
}

function mostAtOnce(first) {
  let most = 1;
  for (let i = 1; i < first.length; i++) most = Math.max(most, first[i] - first[i - 1]);
  return most;
}

/** Of each pair 1 where only its second body moves, -1 where only its first does, else 0. */
function signs(run) {
  const bodies = [...run.bodies].sort((a, b) => b.name.length - a.name.length);
  const isFixed = (side) => {
    const body = bodies.find(({ name }) => side === name || side.startsWith(`${name}.`));
    return body ? body.fixed : false;
  };
  return run.pairs.map((pair) => {
    const [first, second] = pair.split(":");
    return Number(isFixed(first)) - Number(isFixed(second ?? ""));
  });
}
