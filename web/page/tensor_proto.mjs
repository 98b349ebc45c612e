// A tensor as ONNX writes it to a file of its own, `.pb`: the message TensorProto of onnx.proto.

import {ARRAYS, arrayOf, countOf} from "./element_types.mjs";

// TensorProto.DataType.
const TYPES = {
  1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64",
  12: "uint32", 13: "uint64",
};
const DIMS = 1, DATA_TYPE = 2, NAME = 8, RAW_DATA = 9, EXTERNAL_DATA = 13;
// The fields that have elements as numbers, and how one is written there.
const NUMBERS = {4: "float32", 5: "varint", 7: "varint", 10: "float64", 11: "varint"};
const VARINT = 0, EIGHT_BYTES = 1, BYTES = 2, FOUR_BYTES = 5;  // kinds of fields

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  get isAtEnd() { return this.at >= this.bytes.length; }

  varint() {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.taken(1)[0];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error("it is no tensor of ONNX");
  }

  taken(size) {
    if (size > this.bytes.length - this.at) throw new Error("it is no tensor of ONNX, or cut off");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

// Calls `hear(number, value)` for each field: a varint is a bigint, what has a length or a fixed size its bytes.
function eachField(bytes, hear) {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const key = Number(reader.varint());
    const kind = key & 7;
    if (![VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES].includes(kind)) throw new Error("it is no tensor of ONNX");
    hear(key >>> 3, kind === VARINT ? reader.varint() : reader.taken({[EIGHT_BYTES]: 8, [FOUR_BYTES]: 4}[kind] ?? Number(reader.varint())));
  }
}

// The numbers of a field that may be repeated, or packed.
function numbersOf(value, how) {
  if (typeof value === "bigint") return [value];
  if (how !== "varint") return Array.from(new ARRAYS[how](value.slice().buffer));
  const found = [];
  for (const reader = new Reader(value); !reader.isAtEnd;) found.push(reader.varint());
  return found;
}

const isBig = type => type === "int64" || type === "uint64";

// A varint of 64 bits is a number with a sign of its own in two's complement.
function elementOf(value, type) {
  const signed = typeof value === "bigint" ? BigInt.asIntN(64, value) : value;
  return isBig(type) ? BigInt(signed) : Number(signed);
}

export function readTensorProto(bytes) {
  const dims = [], numbers = [];
  let type = null, raw = null, name = "";
  eachField(bytes, (number, value) => {
    if (number === DIMS) dims.push(...numbersOf(value, "varint").map(Number));
    else if (number === DATA_TYPE) type = value;
    else if (number === NAME) name = new TextDecoder().decode(value);
    else if (number === RAW_DATA) raw = value;
    else if (number === EXTERNAL_DATA) throw new Error("its elements are in another file");
    else if (number in NUMBERS) for (const one of numbersOf(value, NUMBERS[number])) numbers.push(one);
  });
  if (type === null) throw new Error("it is no tensor of ONNX");
  const known = TYPES[type];
  if (known === undefined) throw new Error(`it has elements of ONNX's type number ${type}, for which JavaScript has none`);
  if (raw !== null) return {name, type: known, dims, data: arrayOf(known, dims, raw)};
  if (numbers.length !== countOf(dims)) throw new Error(`it has ${numbers.length} elements, and [${dims.join(", ")}] has ${countOf(dims)}`);
  return {name, type: known, dims, data: ARRAYS[known].from(numbers, value => elementOf(value, known))};
}
