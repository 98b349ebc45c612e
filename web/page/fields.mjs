// The fields for a model's inputs: sizes, and values that are typed, of a file, or random.

import {arrayFor, arraysOf} from "./array_files.mjs";
import {typeText} from "./element_types.mjs";
import {at, element} from "./elements.mjs";

let inputs = [];
const taken = new Map();  // number of an input -> what its file gives: {type, dims, data, file}, or {error}

const idOf = (...words) => ["input", ...words].join("-");
const isName = size => typeof size === "string";
const namesOf = all => [...new Set(all.flatMap(({shape}) => shape ?? []).filter(isName))];

// A free size has a field for each of its names.
function sizeField(name) {
  const id = idOf("size", name);
  return element("p", {}, element("label", {htmlFor: id, textContent: `Size of ${name}`}),
                 element("input", {id, type: "number", min: 0, value: 1, required: true}));
}

function fieldsOf({name, isTensor, type, shape}, number) {
  if (!isTensor) return element("p", {className: "bad", textContent: `${name} is no tensor: this page cannot give it.`});
  const values = element("textarea", {
    id: idOf(number), rows: 1, placeholder: "random, or JSON: [[1, 2.5]]", spellcheck: false,
  });
  const file = element("input", {
    id: idOf("file", number), type: "file", accept: ".npy,.npz,.pb", ariaLabel: `a file with the values of ${name}`,
  });
  const remove = element("button", {
    id: idOf("remove", number), type: "button", textContent: "Remove", ariaLabel: `Remove the file of ${name}`, hidden: true,
  });
  file.addEventListener("change", () => take(number, file.files[0]));
  remove.addEventListener("click", () => take(number, undefined));
  return element("div", {className: "input"},
                 element("label", {htmlFor: values.id, textContent: `${name}: ${typeText(type, shape)}`}), values,
                 element("p", {className: "row"}, element("span", {textContent: "or a file (.npy, .npz, .pb):"}), file, remove),
                 element("p", {id: idOf("note", number), className: "note"}));
}

function note(number, text, bad = false) {
  const place = at(idOf("note", number));
  place.textContent = text;
  place.classList.toggle("bad", bad);
  place.setAttribute("role", bad ? "alert" : "status");
}

function put(number, arrays, file) {
  try {
    const array = arrayFor(inputs[number], arrays, file);
    taken.set(number, array);
    inputs[number].shape.forEach((size, axis) => isName(size) && (at(idOf("size", size)).value = array.dims[axis]));
    note(number, `${typeText(array.type, array.dims)} of ${file}`);
  } catch (error) {
    refuse(number, error);
  }
}

function refuse(number, error) {
  taken.set(number, {error});
  note(number, error.message, true);
}

// The values of the input come from the file, or from none. The arrays of an `.npz` are also those of other inputs that have
// their names and no file.
async function take(number, file) {
  taken.delete(number);
  note(number, "");
  at(idOf(number)).disabled = file !== undefined;
  at(idOf("remove", number)).hidden = file === undefined;
  if (file === undefined) return void (at(idOf("file", number)).value = "");
  try {
    const arrays = await arraysOf(file);
    put(number, arrays, file.name);
    inputs.forEach(({name, isTensor}, other) => {
      if (!isTensor || taken.has(other) || arrays.length === 1 || !arrays.some(array => array.name === name)) return;
      at(idOf(other)).disabled = true;
      at(idOf("remove", other)).hidden = false;
      put(other, arrays, file.name);
    });
  } catch (error) {
    refuse(number, error);
  }
}

// `all`: the inputs of a model, as ONNX Runtime tells them.
export function showFields(all) {
  inputs = all;
  taken.clear();
  at("fields").replaceChildren(element("div", {className: "columns"}, ...namesOf(inputs).map(sizeField)), ...inputs.map(fieldsOf));
}

const sizeOf = size => isName(size) ? Number(at(idOf("size", size)).value) : size;

function feedOfFile({name, shape}, {error, file, ...array}) {
  if (error !== undefined) throw error;
  shape.forEach((size, axis) => {
    if (sizeOf(size) === array.dims[axis]) return;
    throw new Error(`${name} has ${array.dims[axis]} for ${size} in ${file}, and the field for ${size} says ${sizeOf(size)}`);
  });
  return {name, ...array};
}

function feedOf(input, number) {
  if (taken.has(number)) return feedOfFile(input, taken.get(number));
  const {name, type, shape} = input;
  const text = at(idOf(number)).value.trim();
  try {
    return {name, type, dims: shape.map(sizeOf), seed: number, given: text === "" ? null : JSON.parse(text)};
  } catch (error) {
    throw new Error(`the values of ${name} are no JSON: ${error.message}`);
  }
}

// The values that the worker makes into tensors (tensors.mjs).
export const feeds = () => inputs.map(feedOf);
