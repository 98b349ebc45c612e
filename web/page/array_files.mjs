// Arrays of files, for the inputs of a model: `.npy` and `.npz` of NumPy, `.pb` of ONNX.

import {typeText} from "./element_types.mjs";
import {isNpy, readNpy} from "./npy.mjs";
import {isZip, readNpz} from "./npz.mjs";
import {readTensorProto} from "./tensor_proto.mjs";

function readArrays(bytes) {
  if (isNpy(bytes)) return [{name: "", ...readNpy(bytes)}];
  return isZip(bytes) ? readNpz(bytes) : [readTensorProto(bytes)];
}

// All arrays of the file, each with the name that it has there, or none.
export async function arraysOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return await readArrays(bytes);
  } catch (error) {
    throw new Error(`${file.name} cannot be read: ${error.message}`);
  }
}

// The array for the input: the only one, or that of its name.
function arrayOf(name, arrays, file) {
  const found = arrays.length === 1 ? arrays[0] : arrays.find(array => array.name === name);
  if (found === undefined) throw new Error(`${file} has no array ${name}; it has ${arrays.map(array => array.name).join(", ") || "none"}`);
  return found;
}

// The array for the input {name, type, shape}, where it fits; a size that is a name fits all.
export function arrayFor({name, type, shape}, arrays, file) {
  const {dims, data, type: found} = arrayOf(name, arrays, file);
  const fits = dims.length === shape.length && shape.every((size, axis) => typeof size === "string" || size === dims[axis]);
  if (found === type && fits) return {type, dims, data, file};
  const hint = found === type ? "" : `; NumPy changes that: array.astype("${type}")`;
  throw new Error(`${name} takes ${typeText(type, shape)}, and ${file} has ${typeText(found, dims)}${hint}`);
}
