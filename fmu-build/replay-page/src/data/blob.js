// Numbers of a run: base64 of a zlib stream of little-endian arrays.

/** A fault of the page's data, in words for its reader. */
export class DataError extends Error {}

const ARRAYS = { f32: Float32Array, f64: Float64Array, i16: Int16Array, u32: Uint32Array };

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text); // newer and much faster
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes of the blob as one ArrayBuffer. */
export async function decodeBlob(base64) {
  if (typeof DecompressionStream === "undefined") {
    throw new DataError(
      "This browser cannot unpack the run: it has no DecompressionStream. Chrome 80, Edge 80, " +
        "Firefox 113 and Safari 16.4 or newer have it.",
    );
  }
  const packed = new Blob([bytesOfBase64(base64)]);
  try {
    const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
    return await new Response(stream).arrayBuffer();
  } catch (error) {
    throw new DataError(`The numbers of the run are damaged: ${error.message}`);
  }
}

/** View of the array that `ref` names; `count`, where given, is how many numbers it must have. */
export function view(buffer, ref, what, count) {
  const type = ARRAYS[ref?.type];
  if (!type) throw new DataError(`${what}: unknown type of numbers ${JSON.stringify(ref?.type)}`);
  if (count !== undefined && ref.count !== count) {
    throw new DataError(`${what} has ${ref.count} numbers, not ${count}`);
  }
  const end = ref.offset + ref.count * type.BYTES_PER_ELEMENT;
  if (ref.offset % 8 !== 0 || end > buffer.byteLength) {
    throw new DataError(`${what} is not inside the data of the page`);
  }
  return new type(buffer, ref.offset, ref.count);
}
