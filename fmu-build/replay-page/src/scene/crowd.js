// Many copies of one geometry as one mesh: all vertices are there, and the shader reads the place of
// each copy from a texture. A browser that draws by software takes as long for an instance of instanced
// drawing as for a hundred triangles; this way it does not.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  NearestFilter,
  RGBAFormat,
} from "three";

const IN_ROW = 64; // copies in a row of the texture

/** Texture of 4x4 numbers per copy, columns of the matrix; its last row holds the colour. */
export function crowdTexture(count) {
  const rows = Math.max(Math.ceil(count / IN_ROW), 1);
  const data = new Float32Array(16 * IN_ROW * rows);
  const texture = new DataTexture(data, 4 * IN_ROW, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** GLSL that declares `instanceMatrix` and `instanceColor`, and `readCrowd()` that fills them. */
export function crowdGlsl(verticesPerCopy) {
  return `
uniform highp sampler2D crowd;
mat4 instanceMatrix;
vec3 instanceColor;
void readCrowd() {
  int copy = gl_VertexID / ${verticesPerCopy};
  ivec2 at = ivec2(4 * (copy % ${IN_ROW}), copy / ${IN_ROW});
  vec4 x = texelFetch(crowd, at, 0);
  vec4 y = texelFetch(crowd, at + ivec2(1, 0), 0);
  vec4 z = texelFetch(crowd, at + ivec2(2, 0), 0);
  vec4 w = texelFetch(crowd, at + ivec2(3, 0), 0);
  instanceMatrix = mat4(vec4(x.xyz, 0.0), vec4(y.xyz, 0.0), vec4(z.xyz, 0.0), vec4(w.xyz, 1.0));
  instanceColor = vec3(x.w, y.w, z.w);
}`;
}

/** Lets a material of three.js draw a crowd, as it draws instances. */
export function forCrowd(material, verticesPerCopy, texture) {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.crowd = { value: texture };
    // Here, not as defines of the material: those would also declare the attributes of instances.
    const defines = "#define USE_INSTANCING\n#define USE_INSTANCING_COLOR\n";
    const main = "void main() {";
    shader.vertexShader =
      defines +
      shader.vertexShader.replace(main, `${crowdGlsl(verticesPerCopy)}\n${main}\nreadCrowd();`);
    shader.fragmentShader = `#define USE_COLOR\n${shader.fragmentShader}`;
  };
  material.customProgramCacheKey = () => `crowd ${verticesPerCopy}`;
  return material;
}

/** Attributes and index of a geometry, `count` times. */
export function repeat(geometry, count) {
  const out = new BufferGeometry();
  const vertices = geometry.attributes.position.count;
  for (const [name, { array, itemSize }] of Object.entries(geometry.attributes)) {
    const all = new Float32Array(array.length * count);
    for (let copy = 0; copy < count; copy++) all.set(array, copy * array.length);
    out.setAttribute(name, new BufferAttribute(all, itemSize));
  }
  if (geometry.index) {
    const { array } = geometry.index;
    const all = new Uint32Array(array.length * count);
    for (let copy = 0; copy < count; copy++) {
      for (let i = 0; i < array.length; i++) all[copy * array.length + i] = array[i] + copy * vertices;
    }
    out.setIndex(new BufferAttribute(all, 1));
  }
  return out;
}
