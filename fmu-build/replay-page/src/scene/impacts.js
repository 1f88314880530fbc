// Rings where contacts begin and impulses act: an impact shorter than a frame is in no frame's contacts.
// While the run plays, a ring grows and fades for a moment of the viewer's time; while it stands, those
// nearest to the present frame are shown.
import {
  BufferAttribute,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";
import { lastAtOrBefore } from "../data/run.js";

const LASTS = 0.25; // s of the viewer
const MOST = 400; // rings at once
const SIZE = { least: 8, most: 26 }; // pixels, by the root of the speed

const VERTEX = `
attribute vec3 place;
attribute vec2 state; // radius [pixels], age 0 to 1
uniform vec2 canvas;
varying vec2 vPlace;
varying float vAge, vRadius;
void main() {
  vAge = state.y;
  vRadius = state.x * (0.45 + 0.55 * sqrt(vAge));
  vPlace = position.xy * (vRadius + 2.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
  gl_Position.xy += 2.0 * vPlace / canvas * gl_Position.w;
}`;

const FRAGMENT = `
uniform vec3 tint;
varying vec2 vPlace;
varying float vAge, vRadius;
void main() {
  float away = length(vPlace);
  float ring = 1.0 - smoothstep(1.0, 2.2, abs(away - vRadius + 1.2));
  float disc = 0.22 * (1.0 - smoothstep(vRadius - 1.5, vRadius, away));
  gl_FragColor = vec4(tint, max(ring, disc) * (1.0 - vAge * vAge));
  #include <colorspace_fragment>
}`;

export class Impacts {
  constructor(run) {
    this.run = run;
    this.visible = true;
    this.shown = 0;
    this.events = run.events.filter(({ point, name }) => point && !name.endsWith("end"));
    this.times = Float64Array.from(this.events, ({ time }) => time);
    this.fastest = this.events.reduce((most, { speed }) => Math.max(most, speed ?? 0), 0) || 1;
    const geometry = new InstancedBufferGeometry();
    const square = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    geometry.setAttribute("position", new BufferAttribute(square, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const add = (name, size) => {
      const attribute = new InstancedBufferAttribute(new Float32Array(size * MOST), size);
      geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
      return attribute;
    };
    this.place = add("place", 3);
    this.state = add("state", 2);
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { canvas: { value: new Vector2(1, 1) }, tint: { value: new Color() } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.raycast = () => {};
  }

  setColor(color) {
    this.mesh.material.uniforms.tint.value.set(color);
  }

  /** `speed`: seconds of the run for one of the viewer while it plays, 0 while it stands. */
  update(time, speed, width, height) {
    const [from, to] = speed > 0 ? [time - LASTS * speed, time] : this.around(time);
    const last = lastAtOrBefore(this.times, to);
    let count = 0;
    for (let i = last; i >= 0 && this.times[i] >= from && count < MOST && this.visible; i--) {
      const event = this.events[i];
      this.place.setXYZ(count, ...event.point);
      const fast = Math.sqrt(Math.abs(event.speed ?? 0) / this.fastest);
      const radius = SIZE.least + (SIZE.most - SIZE.least) * fast;
      const age = speed > 0 ? (time - event.time) / (LASTS * speed) : 0.3;
      this.state.setXY(count, radius, Math.min(age, 1));
      count += 1;
    }
    this.shown = count;
    this.mesh.visible = count > 0;
    this.mesh.geometry.instanceCount = count;
    this.place.needsUpdate = this.state.needsUpdate = true;
    this.mesh.material.uniforms.canvas.value.set(width, height);
  }

  /** Times nearer to the frame at `time` than to its neighbours. */
  around(time) {
    const { times, frames } = this.run;
    const frame = this.run.nearestFrame(time);
    const before = frame > 0 ? (times[frame] - times[frame - 1]) / 2 : 0;
    const after = frame < frames - 1 ? (times[frame + 1] - times[frame]) / 2 : 0;
    return [time - (before || after), time + (after || before)];
  }
}
