// The element types of tensors that JavaScript has arrays for. Numbers of 16 bits with a point are their bits.

export const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
};

export const typeText = (type, dims) => `${type}[${dims.join(", ")}]`;

export const countOf = dims => dims.reduce((product, size) => product * size, 1);

// The elements that the bytes are: all of them, in the order that processors of today have.
export function arrayOf(type, dims, bytes) {
  const Type = ARRAYS[type];
  const size = countOf(dims) * Type.BYTES_PER_ELEMENT;
  if (bytes.length !== size) throw new Error(`it has ${bytes.length} bytes of elements, and ${typeText(type, dims)} has ${size}`);
  return new Type(bytes.slice().buffer);
}
