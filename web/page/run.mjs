// "Run it": a worker that has the model, as long as it is wanted.

import {at} from "./elements.mjs";
import {feeds, showFields} from "./fields.mjs";
import {showOutputs} from "./outputs.mjs";

let worker = null;

// Returns the worker's answer to a message; `signal` ends it.
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

// Offers the GPU where there is one for pages.
export async function offerDevices() {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  at("devices").hidden = !adapter;
}

// Shows the fields for the model; `files`: it, and perhaps its weights.
export async function loadModel(files, signal) {
  stopRunning();
  worker = new Worker(new URL("runner.mjs", import.meta.url), {type: "module"});
  const model = files.find(({name}) => name.endsWith(".onnx"));
  const data = files.find(file => file !== model) ?? null;
  const {inputs} = await ask({what: "load", model, data, device: at("device").value}, signal);
  showFields(inputs);
  at("run").hidden = false;
  at("run-title").focus();
}

export async function runModel(signal) {
  if (worker === null) throw new Error("the model is not loaded any more: press \"Run it\" again");
  showOutputs(await ask({what: "run", feeds: feeds(), times: Number(at("times").value)}, signal));
}
