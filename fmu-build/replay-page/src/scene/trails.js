// Paths of the origins of bodies up to the present time, as ribbons of constant width in pixels. All
// paths are one draw call that does not change while the run plays; the shader leaves the future out.
import {
  Color,
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  ShaderMaterial,
  Vector2,
} from "three";

const MOST_POINTS = 100_000;

const SQUARE = [0, 1, 2, 0, 2, 3];

const VERTEX = `
attribute vec3 from, to, tint; // the same for the four corners of a piece
attribute vec2 times;
uniform vec2 canvas;
uniform float width, now;
varying float vTime;
varying vec3 vTint;
void main() {
  vTint = tint;
  vec3 last = to;
  float until = times.y;
  if (now < times.y) {
    float share = clamp((now - times.x) / (times.y - times.x), 0.0, 1.0);
    last = mix(from, to, share);
    until = now;
  }
  vTime = mix(times.x, until, position.x);
  vec4 a = projectionMatrix * viewMatrix * vec4(from, 1.0);
  vec4 b = projectionMatrix * viewMatrix * vec4(last, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * canvas;
  float size = length(along);
  along = size > 1e-6 ? along / size : vec2(1.0, 0.0);
  vec4 at = mix(a, b, position.x);
  at.xy += vec2(-along.y, along.x) / canvas * position.y * width * at.w;
  gl_Position = times.x >= now || a.w <= 0.0 || b.w <= 0.0 ? vec4(2.0, 2.0, 2.0, 1.0) : at;
}`;

const FRAGMENT = `
uniform float now, span;
varying float vTime;
varying vec3 vTint;
void main() {
  float age = (now - vTime) / span;
  gl_FragColor = vec4(vTint, 0.16 + 0.7 * exp(-6.0 * age));
  #include <colorspace_fragment>
}`;

export class Trails {
  constructor(run, bodies) {
    this.run = run;
    this.bodies = bodies;
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        canvas: { value: new Vector2(1, 1) },
        width: { value: 2.2 },
        now: { value: run.start },
        span: { value: Math.max(run.end - run.start, 1e-12) },
      },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    this.mesh = new Mesh(new BufferGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
    this.mesh.visible = false;
    this.mesh.raycast = () => {};
  }

  /** `which`: "none", "chosen", "all". */
  show(which, chosen) {
    const tracks = [];
    if (which === "all") {
      for (const { body, position } of this.run.poses) {
        tracks.push({ values: position, offset: 0, stride: 3, color: this.bodies.color(body) });
      }
    } else if (which === "chosen" && chosen) {
      tracks.push(...this.trackOf(chosen));
    }
    this.mesh.visible = tracks.length > 0 && this.run.frames > 1;
    if (this.mesh.visible) this.fill(tracks);
  }

  trackOf(chosen) {
    if (chosen.body !== undefined) {
      const track = this.run.poses.find(({ body }) => body === chosen.body);
      const color = this.bodies.color(chosen.body);
      return track ? [{ values: track.position, offset: 0, stride: 3, color }] : [];
    }
    const { track, radii, color } = this.run.balls[chosen.group];
    if (!track) return [];
    const tint = new Color(`rgb(${color.join(",")})`);
    return [{ values: track, offset: 3 * chosen.ball, stride: 3 * radii.length, color: tint }];
  }

  fill(tracks) {
    const { times, frames } = this.run;
    const step = Math.max(1, Math.ceil((frames * tracks.length) / MOST_POINTS));
    const pieces = Math.ceil((frames - 1) / step);
    const count = pieces * tracks.length;
    const from = new Float32Array(3 * count);
    const to = new Float32Array(3 * count);
    const tint = new Float32Array(3 * count);
    const when = new Float32Array(2 * count);
    let i = 0;
    for (const { values, offset, stride, color } of tracks) {
      for (let frame = 0; frame < frames - 1; frame += step, i++) {
        const next = Math.min(frame + step, frames - 1);
        for (let axis = 0; axis < 3; axis++) {
          from[3 * i + axis] = values[offset + stride * frame + axis];
          to[3 * i + axis] = values[offset + stride * next + axis];
        }
        when[2 * i] = times[frame];
        when[2 * i + 1] = times[next];
        color.toArray(tint, 3 * i);
      }
    }
    const geometry = new BufferGeometry();
    const ribbon = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0];
    const corners = new Float32Array(12 * count).map((_, k) => ribbon[k % 12]);
    geometry.setAttribute("position", new BufferAttribute(corners, 3));
    const index = new Uint32Array(6 * count).map((_, k) => 4 * ((k / 6) | 0) + SQUARE[k % 6]);
    geometry.setIndex(new BufferAttribute(index, 1));
    for (const [name, values] of Object.entries({ from, to, tint })) {
      geometry.setAttribute(name, new BufferAttribute(fourfold(values, 3), 3));
    }
    geometry.setAttribute("times", new BufferAttribute(fourfold(when, 2), 2));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }

  update(time, width, height) {
    this.material.uniforms.now.value = time;
    this.material.uniforms.canvas.value.set(width, height);
  }
}

/** Each group of `size` numbers four times. */
function fourfold(values, size) {
  return new Float32Array(4 * values.length).map((_, k) => {
    const group = (k / (4 * size)) | 0;
    return values[group * size + (k % size)];
  });
}
