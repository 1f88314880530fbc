// The 3-D picture: puts bodies, plates, contacts, joints and trails together and draws them.
import { PCFShadowMap, Scene, Vector3, WebGLRenderer } from "three";
import { extent } from "../data/extent.js";
import { Bodies } from "./bodies.js";
import { Camera } from "./camera.js";
import { Contacts } from "./contacts.js";
import { Impacts } from "./impacts.js";
import { Joints } from "./joints.js";
import { makeLights } from "./lights.js";
import { Picking } from "./picking.js";
import { Plates } from "./plates.js";
import { Quality } from "./quality.js";
import { Trails } from "./trails.js";

const SHADOW_PIXELS = 2048;

/** Throws where the browser has no WebGL 2. */
export class View {
  constructor(run, motion, canvas) {
    this.run = run;
    this.motion = motion;
    this.canvas = canvas;
    const box = extent(run);
    this.middle = box.getCenter(new Vector3());
    this.size = box.getSize(new Vector3()).length();
    this.camera = new Camera(canvas, run.up, box);
    const sun = this.camera.from(0.35, 0.55, 1.2);
    this.bodies = new Bodies(run, motion, sun);
    // Smooth edges cost a processor that has to draw all samples too much where there is much to draw.
    const antialias = !(this.bodies.simple && drawnBySoftware());
    this.renderer = new WebGLRenderer({ canvas, antialias, alpha: true });
    this.renderer.shadowMap.type = PCFShadowMap;
    this.quality = new Quality(this.bodies.simple);
    this.plates = new Plates(run, motion, this.middle, this.size);
    this.contacts = new Contacts(run, this.size, this.camera.camera.up, sun);
    this.joints = new Joints(run, motion, this.size);
    this.impacts = new Impacts(run);
    this.trails = new Trails(run, this.bodies);
    this.picking = new Picking(this.bodies, this.camera.camera, canvas);
    this.scene = new Scene();
    const parts = [this.bodies, this.plates, this.contacts, this.joints];
    this.scene.add(...parts.map(({ root }) => root), this.trails.mesh, this.impacts.mesh);
    this.addLights(sun);
    this.chosen = null;
    this.follows = false;
    this.dirty = true;
    this.update();
  }

  addLights(direction) {
    const { sky, sun, ambient } = makeLights(this.camera.camera.up);
    this.sun = sun;
    this.sun.position.copy(this.middle).addScaledVector(direction, 2 * this.size);
    this.sun.target.position.copy(this.middle);
    const { shadow } = this.sun;
    const half = 0.75 * this.size;
    Object.assign(shadow.camera, { left: -half, right: half, bottom: -half, top: half });
    Object.assign(shadow.camera, { near: 0.5 * this.size, far: 4 * this.size });
    shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    shadow.normalBias = 0.002 * this.size;
    shadow.bias = -0.0005;
    shadow.radius = 4;
    this.scene.add(sky, this.sun, this.sun.target, ambient);
    this.setShadows();
  }

  setShadows() {
    this.renderer.shadowMap.enabled = this.quality.shadows;
    this.sun.castShadow = this.quality.shadows;
    this.scene.traverse(({ material }) => {
      if (material) material.needsUpdate = true;
    });
  }

  setColors(colors) {
    this.colors = colors;
    this.plates.setColors(colors);
    this.contacts.setColors(colors.arrow, colors.point);
    this.joints.setColor(colors.joint);
    this.impacts.setColor(colors.impact);
    this.bodies.paint(this.chosen, colors.chosen);
    this.dirty = true;
  }

  choose(what) {
    this.chosen = what;
    this.bodies.paint(what, this.colors.chosen);
    this.showTrails(this.trailsOf);
    this.dirty = true;
  }

  showTrails(which) {
    this.trailsOf = which;
    this.trails.show(which, this.chosen);
    this.dirty = true;
  }

  /** Where the chosen body is, or null. */
  placeOf(what) {
    if (!what) return null;
    if (what.body !== undefined) return this.motion.positions[what.body].clone();
    const places = this.motion.balls[what.group];
    return new Vector3().fromArray(places, 3 * what.ball);
  }

  /** After the motion has gone to another time. */
  update() {
    this.bodies.update();
    if (this.plates.move) this.plates.update();
    this.joints.update();
    if (this.follows && this.chosen) {
      const place = this.placeOf(this.chosen);
      if (this.followed) this.camera.carry(place.clone().sub(this.followed));
      this.followed = place;
    }
    this.dirty = true;
  }

  follow(on) {
    this.follows = on;
    this.followed = on ? this.placeOf(this.chosen) : null;
    if (this.followed) this.camera.center(this.followed);
    this.dirty = true;
  }

  /** Draws if something has changed; returns whether it did. `speed` is that of the player. */
  draw(now, plays, speed) {
    if (plays && this.dirty && this.quality.count(now)) this.setShadows();
    if (!plays && this.played) this.quality.pause();
    this.cameraMoves = this.camera.update();
    const changed = this.resize(plays) || this.cameraMoves || plays !== this.played;
    this.played = plays;
    if (!changed && !this.dirty) return false;
    return this.drawNow(plays ? speed : 0);
  }

  /** Draws; `speed` is that of the player, 0 while it stands. */
  drawNow(speed) {
    if (this.sizeKey === undefined) this.resize(false);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const frame = this.run.nearestFrame(this.motion.time);
    this.contacts.update(frame, this.camera.pixel(height));
    this.impacts.update(this.motion.time, speed, width, height);
    this.trails.update(this.motion.time, width, height);
    this.renderer.render(this.scene, this.camera.camera);
    this.dirty = false;
    return true;
  }

  resize(plays) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = this.quality.ratio(plays);
    const key = `${width} ${height} ${ratio}`;
    if (key === this.sizeKey || width === 0 || height === 0) return false;
    this.sizeKey = key;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.resize(width / height);
    this.camera.camera.updateProjectionMatrix();
    return true;
  }

  /** Where a place of the scene is in the picture, in pixels; null behind the camera. */
  project(place) {
    this.camera.camera.updateMatrixWorld();
    const at = place.clone().project(this.camera.camera);
    if (at.z > 1 || at.z < -1) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return { x: ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * height };
  }
}

/** Whether the browser draws without a graphics processor, as far as it tells. */
function drawnBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
