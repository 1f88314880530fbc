// Many spheres as one square each, on which a shader finds where the line of sight meets the sphere:
// as round as the screen allows, at two triangles a sphere. They take no part in shadows.
import { BufferAttribute, BufferGeometry, ShaderMaterial } from "three";
import { crowdGlsl } from "./crowd.js";
import { LIGHT_GLSL } from "./lights.js";
import { DARKER } from "./materials.js";

const VERTEX = `${crowdGlsl(4)}
uniform vec3 up, sun;
varying vec3 vPoint;
flat varying vec4 vSphere;
flat varying vec3 vTint, vUp, vSun;
#ifdef PATTERN
flat varying mat3 vTurn;
#endif
void main() {
  readCrowd();
  mat4 view = viewMatrix * instanceMatrix;
  vec3 center = view[3].xyz;
  float radius = length(instanceMatrix[0].xyz);
  float away = length(center);
  vec3 along = center / away;
  // The cone around the sphere, where it meets the plane through the centre.
  float size = radius * away / sqrt(max(away * away - radius * radius, 1e-4 * radius * radius));
  vec3 right = normalize(cross(along, vec3(0.0, 1.0, 0.0)));
  vPoint = center + size * (position.x * right + position.y * cross(right, along));
  vSphere = vec4(center, radius);
  vTint = instanceColor;
  vUp = mat3(viewMatrix) * up;
  vSun = mat3(viewMatrix) * sun;
  #ifdef PATTERN
  vTurn = mat3(view) / radius;
  #endif
  gl_Position = projectionMatrix * vec4(vPoint, 1.0);
}`;

const FRAGMENT = `
uniform mat4 projectionMatrix;
uniform float opacity;
varying vec3 vPoint;
flat varying vec4 vSphere;
flat varying vec3 vTint, vUp, vSun;
#ifdef PATTERN
flat varying mat3 vTurn;
#endif
${LIGHT_GLSL}
void main() {
  vec3 ray = normalize(vPoint);
  float middle = dot(ray, vSphere.xyz);
  // Not |c|^2 - r^2: of a small sphere far away that keeps few digits.
  vec3 beside = vSphere.xyz - middle * ray;
  float half2 = vSphere.w * vSphere.w - dot(beside, beside);
  if (half2 < 0.0) discard;
  vec3 hit = (middle - sqrt(half2)) * ray;
  vec3 normal = (hit - vSphere.xyz) / vSphere.w;
  vec3 color = vTint;
  #ifdef PATTERN
  vec3 own = normal * vTurn;
  float octant = own.x * own.y * own.z;
  float soft = 0.6 * fwidth(octant) + 1e-6;
  color *= mix(${DARKER}, 1.0, smoothstep(-soft, soft, octant));
  #endif
  vec4 at = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * at.z / at.w + 0.5;
  gl_FragColor = vec4(color * light(normal, vUp, vSun), opacity);
  #include <colorspace_fragment>
}`;

export function impostorGeometry() {
  const geometry = new BufferGeometry();
  const square = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  geometry.setAttribute("position", new BufferAttribute(square, 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

/** `sun`: unit vector to the light; `texture`: that of the crowd. */
export function impostorMaterial({ up, sun, pattern, texture }) {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      up: { value: up },
      sun: { value: sun },
      crowd: { value: texture },
      opacity: { value: 1 },
    },
    defines: pattern ? { PATTERN: 1 } : {},
  });
}
