// Makes tensors of ONNX Runtime from a user's values, and shows them in a row of a table.

import {ARRAYS, countOf} from "./element_types.mjs";

// Returns a function from a user's number to an element.
function toElement(type) {
  if (type === "float16") return value => bitsOfHalf(Number(value));
  if (type === "bool") return value => Number(Boolean(value));
  if (type.startsWith("float")) return Number;
  const isBig = ARRAYS[type].BYTES_PER_ELEMENT === 8;
  return isBig ? value => BigInt(Math.trunc(Number(value))) : value => Math.trunc(Number(value));
}

function elementsOf(type, values) {
  return type === "string" ? values.map(String) : ARRAYS[type].from(values, toElement(type));
}

// The nearest number of 16 bits, of two that are as near the even one.
export function bitsOfHalf(value) {
  const float = new Float32Array([value]);
  const bits = new Uint32Array(float.buffer)[0];
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(float[0]);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(((bits >>> 23) & 255) - 127, -14);
  const steps = size / 2 ** (exponent - 10);  // exact: a power of two
  const down = Math.floor(steps);
  const up = steps - down > 0.5 || (steps - down === 0.5 && down % 2 === 1) ? 1 : 0;
  // Carried on into the exponent where the steps are full; below the smallest normal number there is no hidden bit.
  return sign | (size < 2 ** -14 ? down + up : ((exponent + 15) << 10) + (down - 1024) + up);
}

export function halfOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

// Numbers between -1 and 1, or 0 and 1 where there are integers only: sizes and indices that every model has. The same ones for
// the same seed (xorshift).
function* randoms(type, seed) {
  const isFloat = type.startsWith("float");
  let state = (seed + 1) * 2654435769 >>> 0 || 1;
  for (;;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const unit = (state >>> 0) / 2 ** 32;
    yield isFloat ? 2 * unit - 1 : Math.floor(2 * unit);
  }
}

function taken(generator, count) {
  return Array.from({length: count}, () => generator.next().value);
}

// Makes a tensor of `data`, which is an array of the type already, or of `given`: nested lists, or null for random
// numbers.
export function tensorOf(Tensor, {name, type, dims, data, given, seed}) {
  if (type !== "string" && ARRAYS[type] === undefined) throw new Error(`${name}: this page makes no values of ${type}`);
  if (data !== undefined) return new Tensor(type, data, dims);
  const count = countOf(dims);
  const values = given === null ? taken(randoms(type, seed), count) : [given].flat(Infinity);
  if (values.length !== count) throw new Error(`${name}: ${values.length} values are given, and [${dims.join(", ")}] has ${count}`);
  return new Tensor(type, elementsOf(type, values), dims);
}

const SHOWN = 8;

// A list of them is one value: JSON has no other numbers.
export function numbersOf({type, data}) {
  if (type === "float16" && data instanceof Uint16Array) return Array.from(data, halfOf);
  return Array.from(data, value => type === "string" ? value : Number(value));
}

// An output that is no tensor, such as a sequence, has a type only.
export function summaryOf(name, tensor) {
  if (tensor?.dims === undefined) return {name, type: "no tensor", dims: [], data: [], first: []};
  const values = numbersOf(tensor);
  const least = values.reduce((one, other) => Math.min(one, other), Infinity);
  const most = values.reduce((one, other) => Math.max(one, other), -Infinity);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {name, type: tensor.type, dims: tensor.dims, data: tensor.data, first: values.slice(0, SHOWN), least, mean, most};
}
