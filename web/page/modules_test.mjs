// The page's modules that need no browser: lines for inputs, tensors, and arrays of files.

import assert from "node:assert/strict";
import {deflateRawSync} from "node:zlib";

import {arrayFor, arraysOf} from "./array_files.mjs";
import {linesOf, withSize} from "./input_lines.mjs";
import {writeNpy} from "./npy.mjs";
import {messageOf} from "./messages.mjs";
import {bitsOfHalf, halfOf, summaryOf, tensorOf} from "./tensors.mjs";

const axesOf = (input, dtype, ...sizes) => sizes.map((size, axis) => ({input, axis, dtype, size}));
const x = axesOf("x", "float32", 2, 3);

for (const [text, axes, number, size, expected] of [
  ["", x, 0, "batch", "x=float32[batch,3]"],
  ["", axesOf("x", "int64", "s0", "2*s0 + 1", 4), 2, "n", "x=int64[s0,?,n]"],
  ["x=f32[batch=1..8,3]", x, 1, "n", "x=f32[batch=1..8,n]"],
  ["y=f32[1]\n\nx=float32[batch,3]\n", x, 0, 2, "y=f32[1]\nx=float32[2,3]"],
  ["x=f32[batch,3]\ny=f32[1]", x, 0, 2, "x=f32[2,3]\ny=f32[1]"],
  ["xs=list[f32[1]]", x, 0, "n", "xs=list[f32[1]]\nx=float32[n,3]"],
  ["x=f32", x, 0, "n", "x=float32[n,3]"],
]) {
  assert.equal(withSize(text, axes, number, size), expected);
}

assert.equal(linesOf([...x, ...axesOf("y", "int64", "s0", 1)]), "x=float32[2,3]\ny=int64[s0,1]");

for (const [value, bits] of [
  [0, 0x0000], [-0, 0x8000], [1, 0x3c00], [-2, 0xc000], [65504, 0x7bff], [65519, 0x7bff], [65520, 0x7c00], [Infinity, 0x7c00],
  [2 ** -24, 0x0001], [2 ** -25, 0x0000], [1.5 * 2 ** -24, 0x0002], [2 ** -14, 0x0400], [1 + 2 ** -11, 0x3c00], [1 + 3 * 2 ** -11, 0x3c02],
  [2 - 2 ** -12, 0x4000], [0.1, 0x2e66],
]) {
  assert.equal(bitsOfHalf(value), bits, String(value));
}
assert.equal(bitsOfHalf(NaN), 0x7e00);
for (let bits = 0; bits < 0x7c00; ++bits) assert.equal(bitsOfHalf(halfOf(bits)), bits);

assert.equal(messageOf(new Error("no network")), "no network");

assert.equal(
    messageOf({
      message: "",
      report: {
        headline: "it cannot",
        diagnostics: [
          {op: "a::b", calls: 2, reason: "no", sites: [{module: "fc", file: "m.py", line: 3, code: "b(x)"}, {file: "m.py", line: 4}]},
          {reason: "give `opset`"},
        ],
      },
    }),
    'it cannot:\n  a::b (2 calls): no\n      fc  m.py:3  b(x)\n      m.py:4\n  give `opset`');

class Tensor {
  constructor(type, data, dims) { Object.assign(this, {type, data, dims}); }
}

for (const [type, given, expected] of [
  ["float32", [[1, 2.5]], Float32Array.of(1, 2.5)],
  ["int64", [1, -2], BigInt64Array.of(1n, -2n)],
  ["bool", [true, 0], Uint8Array.of(1, 0)],
  ["float16", [1, 2], Uint16Array.of(0x3c00, 0x4000)],
  ["string", ["a", 1], ["a", "1"]],
]) {
  const tensor = tensorOf(Tensor, {name: "x", type, dims: [1, 2], given, seed: 0});
  assert.deepEqual(tensor.data, expected);
}
assert.throws(() => tensorOf(Tensor, {name: "x", type: "float32", dims: [3], given: [1], seed: 0}), /1 values are given, and \[3\] has 3/);
assert.throws(() => tensorOf(Tensor, {name: "x", type: "bfloat16", dims: [1], given: null, seed: 0}), /bfloat16/);

const random = seed => [...tensorOf(Tensor, {name: "x", type: "float32", dims: [1000], given: null, seed}).data];
assert.deepEqual(random(1), random(1));
assert.notDeepEqual(random(1), random(2));
assert.ok(random(1).every(value => value >= -1 && value < 1));
assert.ok(Math.abs(random(1).reduce((sum, value) => sum + value) / 1000) < 0.1);

const {least, mean, most, first} = summaryOf("y", new Tensor("int64", BigInt64Array.from({length: 9}, (_, i) => BigInt(i)), [9]));
assert.deepEqual([least, mean, most, first.length], [0, 4, 8, 8]);
assert.deepEqual(
    tensorOf(Tensor, {name: "x", type: "int8", dims: [2], data: Int8Array.of(1, 2)}), new Tensor("int8", Int8Array.of(1, 2), [2]));

// Files as NumPy and ONNX write them.
const bytesOf = text => Uint8Array.from(text, letter => letter.charCodeAt(0));
const joined = (...parts) => Uint8Array.from(parts.flatMap(part => [...(typeof part === "string" ? bytesOf(part) : part)]));
const little = (value, size) => Array.from({length: size}, (_, i) => (value >>> (8 * i)) & 255);

function npy(descr, shape, data, {order = "False", version = 1} = {}) {
  const header = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
  return joined("\x93NUMPY", [version, 0], little(header.length, version === 1 ? 2 : 4), header, new Uint8Array(data.buffer ?? data));
}

function zip(members) {
  const locals = [], entries = [];
  let at = 0;
  for (const [name, bytes, isPacked] of members) {
    const packed = isPacked ? deflateRawSync(bytes) : bytes;
    const head = [...little(0, 6), ...little(isPacked ? 8 : 0, 2), ...little(0, 8), ...little(packed.length, 4), ...little(bytes.length, 4), ...little(name.length, 2)];
    const local = joined("PK\x03\x04", head.slice(2), [2, 0], name, [7, 7], packed);  // with a field more, as NumPy writes one
    entries.push(joined("PK\x01\x02", head, little(0, 12), little(at, 4), name));
    locals.push(local);
    at += local.length;
  }
  const size = entries.reduce((sum, entry) => sum + entry.length, 0);
  return joined(...locals, ...entries, "PK\x05\x06", little(0, 6), little(entries.length, 2), little(size, 4), little(at, 4), [0, 0]);
}

const matrix = Float32Array.of(1, 2, 3, 4, 5, 6);
const raw = data => [...new Uint8Array(data.buffer)];
const plain = npy("<f4", "(2, 3)", matrix);
const READ = [
  ["2 x 3", plain, {name: "", type: "float32", dims: [2, 3], data: matrix}],
  ["a long header", npy("<f4", "(2, 3)", matrix, {version: 2}), {name: "", type: "float32", dims: [2, 3], data: matrix}],
  ["columns first", npy("<f4", "(2, 3)", matrix, {order: "True"}), {name: "", type: "float32", dims: [2, 3], data: Float32Array.of(1, 3, 5, 2, 4, 6)}],
  ["a number", npy("<i8", "()", BigInt64Array.of(-5n)), {name: "", type: "int64", dims: [], data: BigInt64Array.of(-5n)}],
  ["a list", npy("|b1", "(2,)", Uint8Array.of(1, 0)), {name: "", type: "bool", dims: [2], data: Uint8Array.of(1, 0)}],
  ["16 bits", npy("<f2", "(1,)", Uint16Array.of(0x3c00)), {name: "", type: "float16", dims: [1], data: Uint16Array.of(0x3c00)}],
  ["zip", zip([["x.npy", plain, false], ["n.txt", bytesOf("no"), false]]), {name: "x", type: "float32", dims: [2, 3], data: matrix}],
  ["packed zip", zip([["x.npy", plain, true]]), {name: "x", type: "float32", dims: [2, 3], data: matrix}],
  // dims 2, 3; FLOAT; name; raw_data
  ["raw", joined([8, 2, 8, 3, 16, 1, 66, 1], "x", [74, 24], raw(matrix)), {name: "x", type: "float32", dims: [2, 3], data: matrix}],
  ["packed dims and floats", joined([10, 2, 2, 3, 16, 1, 34, 24], raw(matrix)), {name: "", type: "float32", dims: [2, 3], data: matrix}],
  ["int64", joined([8, 2, 16, 7, 58, 11, 1], Array(9).fill(255), [1]), {name: "", type: "int64", dims: [2], data: BigInt64Array.of(1n, -1n)}],
  ["int32 one by one", joined([8, 2, 16, 6, 40, 3, 40, 5]), {name: "", type: "int32", dims: [2], data: Int32Array.of(3, 5)}],
  ["int32 below 0", joined([8, 1, 16, 6, 40], Array(9).fill(255), [1]), {name: "", type: "int32", dims: [1], data: Int32Array.of(-1)}],
  ["float64", joined([8, 1, 16, 11, 82, 8], raw(Float64Array.of(0.1))), {name: "", type: "float64", dims: [1], data: Float64Array.of(0.1)}],
];
for (const [what, bytes, expected] of READ) assert.deepEqual(await arraysOf(new File([bytes], "a")), [expected], what);

for (const [bytes, said] of [
  [npy(">f4", "(1,)", matrix.slice(0, 1)), /a cannot be read: .* type >f4; known are .*<f4/],
  [npy("<U3", "(1,)", matrix), /type <U3/],
  [npy("<f4", "(2, 4)", matrix), /24 bytes of elements, and float32\[2, 4\] has 32/],
  [plain.slice(0, 20), /names no type/],
  [zip([["x.npy", plain, false]]).slice(0, -9), /cut off/],
  [bytesOf("no tensor"), /no tensor of ONNX/],
  [joined([8, 2, 16, 1, 74, 24], raw(matrix)), /24 bytes of elements/],
  [joined([8, 7, 16, 1, 34, 24], raw(matrix)), /6 elements, and \[7\] has 7/],
  [joined([8, 1, 16, 16, 74, 2, 0, 0]), /type number 16/],
  [joined([8, 1, 16, 1, 106, 0]), /in another file/],
]) {
  await assert.rejects(arraysOf(new File([bytes], "a")), said);
}

const array = {name: "x", type: "float32", dims: [2, 3], data: matrix};
const input = {name: "x", type: "float32", shape: ["batch", 3]};
assert.deepEqual(arrayFor(input, [{...array, name: "other"}], "a.npy"), {type: "float32", dims: [2, 3], data: matrix, file: "a.npy"});
assert.deepEqual(arrayFor(input, [{...array, name: "y", dims: [6]}, array], "a.npz").dims, [2, 3]);
for (const [want, arrays, said] of [
  [{...input, name: "z"}, [array, {...array, name: "y"}], /a has no array z; it has x, y/],
  [input, [], /it has none/],
  [{...input, type: "int64"}, [array], /x takes int64\[batch, 3\], and a has float32\[2, 3\]; .*astype\("int64"\)/],
  [{...input, shape: ["batch", 4]}, [array], /x takes float32\[batch, 4\], and a has float32\[2, 3\]$/],
  [{...input, shape: ["batch"]}, [array], /takes float32\[batch\]/],
]) {
  assert.throws(() => arrayFor(want, arrays, "a"), said);
}

for (const [, , {type, dims, data}] of READ) {
  const written = await arraysOf(new File([writeNpy({type, dims, data})], "a"));
  assert.deepEqual(written, [{name: "", type, dims, data}]);
}
assert.equal(writeNpy({type: "float32", dims: [2, 3], data: matrix}).size % 64, 24);
console.log("PASSED");
