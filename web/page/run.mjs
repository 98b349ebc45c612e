// "Run it": the fields for a model's inputs, and what came out.

import {at, element, row} from "./elements.mjs";

let worker = null;
let inputs = [];
let saved = null;  // the address of the values that can be saved

// What the worker says to a message; `signal` ends it.
function ask(message, signal) {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      stopRunning();
      reject(signal.reason);
    };
    signal.addEventListener("abort", cancel, {once: true});
    worker.onmessage = ({data: {done, failed}}) => {
      signal.removeEventListener("abort", cancel);
      if (failed === undefined) resolve(done);
      else reject(new Error(failed));
    };
    worker.onerror = ({message: text}) => reject(new Error(`ONNX Runtime does not load: ${text ?? "see the console"}`));
    worker.postMessage(message);
  });
}

export function stopRunning() {
  worker?.terminate();
  worker = null;
  at("run").hidden = at("outputs").hidden = true;
}

const idOf = (...words) => ["input", ...words].join("-");

// A free size has a field for each of its names.
function fieldsOf({name, isTensor, type, shape}, number) {
  if (!isTensor) return element("p", {className: "bad", textContent: `${name} is no tensor: this page cannot give it.`});
  const given = element("textarea", {
    id: idOf(number), rows: 1, placeholder: "random", spellcheck: false,
  });
  return element("p", {},
                 element("label", {htmlFor: given.id, textContent: `${name}: ${type}[${shape.join(", ")}], values as JSON`}), given);
}

const namesOf = all => [...new Set(all.flatMap(({shape}) => shape ?? []).filter(size => typeof size === "string"))];

function sizeField(name) {
  const id = idOf("size", name);
  return element("p", {}, element("label", {htmlFor: id, textContent: name}),
                 element("input", {id, type: "number", min: 0, value: 1, required: true}));
}

// Shows the fields for the model; `files`: it, and perhaps its weights.
export async function loadModel(files, signal) {
  stopRunning();
  worker = new Worker(new URL("runner.mjs", import.meta.url), {type: "module"});
  const model = files.find(({name}) => name.endsWith(".onnx"));
  const data = files.find(file => file !== model) ?? null;
  ({inputs} = await ask({what: "load", model, data}, signal));
  at("fields").replaceChildren(element("div", {className: "columns"}, ...namesOf(inputs).map(sizeField)), ...inputs.map(fieldsOf));
  at("run").hidden = false;
  at("run-title").focus();
}

function feedOf({name, type, shape}, number) {
  const dims = shape.map(size => typeof size === "string" ? Number(at(idOf("size", size)).value) : size);
  const text = at(idOf(number)).value.trim();
  try {
    return {name, type, dims, seed: number, given: text === "" ? null : JSON.parse(text)};
  } catch (error) {
    throw new Error(`the values of ${name} are no JSON: ${error.message}`);
  }
}

const short = value => typeof value === "number" ? Number(value.toPrecision(6)).toString() : String(value ?? "");

function show({took, outputs}) {
  const sorted = [...took].sort((one, other) => one - other);
  const half = sorted[sorted.length >> 1].toFixed(2);
  const many = ` in the middle of ${took.length} runs; the first took ${took[0].toFixed(2)} ms`;
  at("took").textContent = `${half} ms${took.length === 1 ? "" : many}`;
  at("outputs").querySelector("tbody").replaceChildren(...outputs.map(({name, type, dims, least, mean, most, first, values}) => row(
      name, `${type}[${dims.join(", ")}]`, short(least), short(mean), short(most),
      first.map(short).join(", ") + (values.length > first.length ? " ..." : ""))));
  if (saved !== null) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([JSON.stringify(outputs.map(({name, type, dims, values}) => ({name, type, dims, values})))]));
  at("save-outputs").href = saved;
  at("outputs").hidden = false;
}

export async function runModel(signal) {
  if (worker === null) throw new Error("the model is not loaded any more: press \"Run it\" again");
  const feeds = inputs.map(feedOf);
  show(await ask({what: "run", feeds, times: Number(at("times").value)}, signal));
}
