// The page's modules that need no browser: lines for inputs, and tensors.

import assert from "node:assert/strict";

import {withSize} from "./input_lines.mjs";
import {messageOf} from "./messages.mjs";
import {bitsOfHalf, halfOf, summaryOf, tensorOf} from "./tensors.mjs";

const axesOf = (input, dtype, ...sizes) => sizes.map((size, axis) => ({input, axis, dtype, size}));
const x = axesOf("x", "float32", 2, 3);

for (const [text, axes, number, size, expected] of [
  ["", x, 0, "batch", "x=float32[batch,3]"],
  ["", axesOf("x", "int64", "s0", "2*s0 + 1", 4), 2, "n", "x=int64[s0,?,n]"],
  ["x=f32[batch=1..8,3]", x, 1, "n", "x=f32[batch=1..8,n]"],
  ["y=f32[1]\n\nx=float32[batch,3]\n", x, 0, 2, "y=f32[1]\nx=float32[2,3]"],
  ["xs=list[f32[1]]", x, 0, "n", "xs=list[f32[1]]\nx=float32[n,3]"],
  ["x=f32", x, 0, "n", "x=float32[n,3]"],
]) {
  assert.equal(withSize(text, axes, number, size), expected);
}

for (const [value, bits] of [
  [0, 0x0000], [-0, 0x8000], [1, 0x3c00], [-2, 0xc000], [65504, 0x7bff], [65519, 0x7bff], [65520, 0x7c00], [Infinity, 0x7c00],
  [2 ** -24, 0x0001], [2 ** -25, 0x0000], [1.5 * 2 ** -24, 0x0002], [2 ** -14, 0x0400], [1 + 2 ** -11, 0x3c00], [1 + 3 * 2 ** -11, 0x3c02],
  [2 - 2 ** -12, 0x4000], [0.1, 0x2e66],
]) {
  assert.equal(bitsOfHalf(value), bits, String(value));
}
assert.equal(bitsOfHalf(NaN), 0x7e00);
for (let bits = 0; bits < 0x7c00; ++bits) assert.equal(bitsOfHalf(halfOf(bits)), bits);

for (const [said, shown] of [
  ['describe `x`: ParseInput("x=f32[n]"), or ParseInput("x=5")', "describe `x`: x=f32[n], or x=5"],
  ["give ExportOptions::weights_as_inputs", 'give "weights_as_inputs"'],
]) {
  assert.equal(messageOf(new Error(said)), shown);
}

assert.equal(
    messageOf({
      message: "",
      report: {
        headline: "it cannot",
        diagnostics: [
          {op: "a::b", calls: 2, reason: "no", sites: [{module: "fc", file: "m.py", line: 3, code: "b(x)"}, {file: "m.py", line: 4}]},
          {reason: "give ExportOptions::opset"},
        ],
      },
    }),
    'it cannot:\n  a::b (2 calls): no\n      fc  m.py:3  b(x)\n      m.py:4\n  give "opset"');

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
console.log("PASSED");
