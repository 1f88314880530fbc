// The lights of the scene, for three.js and for the shader of many spheres alike.
import { AmbientLight, Color, DirectionalLight, HemisphereLight } from "three";

const SKY = { sky: 0xffffff, ground: 0xb9b4ad, strength: 1.75 };
const SUN = 2.1;
const AMBIENT = 0.35;

/** { sky, sun, ambient }; the sun is placed by the caller. */
export function makeLights(up) {
  const sky = new HemisphereLight(SKY.sky, SKY.ground, SKY.strength);
  sky.position.copy(up);
  return { sky, sun: new DirectionalLight(0xffffff, SUN), ambient: new AmbientLight(0xffffff, AMBIENT) };
}

const ground = new Color(SKY.ground);
const decimal = (x) => x.toFixed(4);

/** GLSL: light that a surface with normal n sends back per albedo; all vectors in one frame. */
export const LIGHT_GLSL = `
vec3 light(vec3 n, vec3 up, vec3 sun) {
  vec3 earth = vec3(${[ground.r, ground.g, ground.b].map(decimal).join(", ")});
  vec3 sky = mix(earth, vec3(1.0), 0.5 * dot(n, up) + 0.5) * ${decimal(SKY.strength)};
  return (sky + ${decimal(SUN)} * max(dot(n, sun), 0.0) + ${decimal(AMBIENT)}) / 3.14159265;
}`;
