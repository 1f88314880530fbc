// Materials of bodies. All are lit alike; spheres that turn have a pattern, so that it is seen.
import { LineBasicMaterial, MeshLambertMaterial, MeshPhongMaterial } from "three";

/** Alternating octants of a body's own axes, the darker ones by this factor. */
export const DARKER = "0.72";

/** `simple`: without highlights, for many bodies. */
export function bodyMaterial({ simple, pattern = false }) {
  const material = simple
    ? new MeshLambertMaterial({ color: 0xffffff })
    : new MeshPhongMaterial({ color: 0xffffff, specular: 0x2a2a2a, shininess: 38 });
  // Back a little, so that lines along edges are whole.
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  if (pattern) {
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vOwn;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvOwn = position;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec3 vOwn;")
        .replace(
          "#include <color_fragment>",
          `#include <color_fragment>
          vec3 own = vOwn;
          float octant = own.x * own.y * own.z;
          float soft = fwidth(octant) + 1e-6;
          diffuseColor.rgb *= mix(${DARKER}, 1.0, smoothstep(-soft, soft, octant));`,
        );
    };
    material.customProgramCacheKey = () => "octants";
  }
  return material;
}

export function edgeMaterial() {
  return new LineBasicMaterial({ color: 0x101820, transparent: true, opacity: 0.38 });
}
