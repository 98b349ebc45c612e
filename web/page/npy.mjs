// Arrays of NumPy: files `.npy`, read and written. An array is {type, dims, data}, in ONNX's words, `data` a typed array.

import {arrayOf} from "./element_types.mjs";

const MAGIC = "\x93NUMPY";
const HEAD = 64;  // what stands before the elements has a multiple of that

// NumPy's name to ONNX's. One byte has no order, and `|` for it.
const TYPES = {
  "|b1": "bool", "|i1": "int8", "|u1": "uint8", "<i2": "int16", "<u2": "uint16", "<i4": "int32", "<u4": "uint32", "<i8": "int64",
  "<u8": "uint64", "<f2": "float16", "<f4": "float32", "<f8": "float64",
};
const NAMES = Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [type, name]));

const latin = bytes => Array.from(bytes, byte => String.fromCharCode(byte)).join("");

export const isNpy = bytes => latin(bytes.subarray(0, MAGIC.length)) === MAGIC;

// The header is a dict as Python writes it: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
function headerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = bytes[6] > 1;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  const text = latin(bytes.subarray(start, end));
  const descr = /'descr': *'([^']*)'/.exec(text)?.[1];
  const shape = /'shape': *\(([^)]*)\)/.exec(text)?.[1];
  if (descr === undefined || shape === undefined) throw new Error("its header names no type and shape of one array");
  const dims = shape.split(",").filter(size => size.trim() !== "").map(Number);
  return {descr, dims, isFortran: /'fortran_order': *True/.test(text), end};
}

// Elements whose first index moves fastest, put into the order in which the last one does.
function reordered(data, dims) {
  const made = new data.constructor(data.length);
  const steps = [];
  dims.reduce((step, size) => (steps.push(step), step * size), 1);
  const index = dims.map(() => 0);
  for (let to = 0; to < data.length; ++to) {
    made[to] = data[index.reduce((from, at, axis) => from + at * steps[axis], 0)];
    for (let axis = dims.length - 1; axis >= 0 && ++index[axis] === dims[axis]; --axis) index[axis] = 0;
  }
  return made;
}

export function readNpy(bytes) {
  const {descr, dims, isFortran, end} = headerOf(bytes);
  const type = TYPES[descr];
  if (type === undefined) throw new Error(`it has elements of NumPy's type ${descr}; known are ${Object.keys(TYPES).join(", ")}`);
  const data = arrayOf(type, dims, bytes.subarray(end));
  return {type, dims, data: isFortran ? reordered(data, dims) : data};
}

export const canBeNpy = type => type in NAMES;

export function writeNpy({type, dims, data}) {
  const text = `{'descr': '${NAMES[type]}', 'fortran_order': False, 'shape': (${dims.map(size => `${size},`).join("")}), }`;
  const padded = text.padEnd(Math.ceil((10 + text.length + 1) / HEAD) * HEAD - 10 - 1) + "\n";
  const head = Uint8Array.from(MAGIC + "\x01\x00", letter => letter.charCodeAt(0));
  const size = Uint8Array.of(padded.length & 255, padded.length >> 8);
  return new Blob([head, size, padded, data]);
}
