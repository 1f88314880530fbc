// Triangle meshes as the page draws them: normals that are smooth across edges below the crease angle,
// and lines along the other edges.
import { BufferAttribute, BufferGeometry } from "three";

const CREASE = Math.cos((30 * Math.PI) / 180);

/** { surface, edges } of a mesh of the scene. */
export function meshGeometry({ vertices, triangles }) {
  const corner = weld(vertices, triangles);
  const count = triangles.length / 3;
  const normals = faceNormals(vertices, triangles, count);
  const surface = new BufferGeometry();
  const { positions, smooth } = corners(vertices, triangles, corner, normals, count);
  surface.setAttribute("position", new BufferAttribute(positions, 3));
  surface.setAttribute("normal", new BufferAttribute(smooth, 3));
  const edges = new BufferGeometry();
  const lines = creases(vertices, triangles, corner, normals, count);
  edges.setAttribute("position", new BufferAttribute(lines, 3));
  return { surface, edges };
}

/** For each corner a number of its point; equal places have the same. */
function weld(vertices, triangles) {
  const known = new Map();
  const number = new Uint32Array(vertices.length / 3);
  for (let i = 0; i < number.length; i++) {
    const key = `${vertices[3 * i]} ${vertices[3 * i + 1]} ${vertices[3 * i + 2]}`;
    if (!known.has(key)) known.set(key, i);
    number[i] = known.get(key);
  }
  return Uint32Array.from(triangles, (i) => number[i]);
}

/** Unit normal and area of each triangle, [x, y, z, area] each. */
function faceNormals(v, triangles, count) {
  const out = new Float64Array(4 * count);
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangles[3 * t + i]);
    const u = [0, 1, 2].map((i) => v[b + i] - v[a + i]);
    const w = [0, 1, 2].map((i) => v[c + i] - v[a + i]);
    const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    const length = Math.hypot(...n) || 1;
    out.set([n[0] / length, n[1] / length, n[2] / length, length / 2], 4 * t);
  }
  return out;
}

const dot = (n, s, t) => n[4 * s] * n[4 * t] + n[4 * s + 1] * n[4 * t + 1] + n[4 * s + 2] * n[4 * t + 2];

/** Positions and normals of all corners: the mean of the faces around a point that are nearly flat to
 * the corner's own, by area. */
function corners(vertices, triangles, corner, normals, count) {
  const around = new Map();
  for (let i = 0; i < 3 * count; i++) {
    const list = around.get(corner[i]);
    if (list) list.push((i / 3) | 0);
    else around.set(corner[i], [(i / 3) | 0]);
  }
  const positions = new Float32Array(9 * count);
  const smooth = new Float32Array(9 * count);
  for (let i = 0; i < 3 * count; i++) {
    const own = (i / 3) | 0;
    const sum = [0, 0, 0];
    for (const face of around.get(corner[i])) {
      if (face !== own && dot(normals, own, face) < CREASE) continue;
      for (let k = 0; k < 3; k++) sum[k] += normals[4 * face + k] * (normals[4 * face + 3] || 1e-30);
    }
    const length = Math.hypot(...sum) || 1;
    for (let k = 0; k < 3; k++) {
      positions[3 * i + k] = vertices[3 * triangles[i] + k];
      smooth[3 * i + k] = sum[k] / length;
    }
  }
  return { positions, smooth };
}

/** End points of the edges between faces that are not nearly flat to each other. */
function creases(vertices, triangles, corner, normals, count) {
  const seen = new Map();
  const lines = [];
  const add = (a, b) => {
    for (const i of [a, b]) lines.push(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
  };
  for (let i = 0; i < 3 * count; i++) {
    const face = (i / 3) | 0;
    const next = 3 * face + ((i + 1) % 3);
    const low = Math.min(corner[i], corner[next]);
    const key = low * 4294967296 + Math.max(corner[i], corner[next]);
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, { face, a: triangles[i], b: triangles[next] });
    } else {
      if (dot(normals, face, other.face) < CREASE) add(other.a, other.b);
      seen.delete(key);
    }
  }
  for (const { a, b } of seen.values()) add(a, b); // edges of a surface that is not closed
  return new Float32Array(lines);
}
