// Runs an ONNX model, in a worker: ONNX Runtime is loaded with it, and gone with it.

import {summaryOf, tensorOf} from "./tensors.mjs";

// The programs that run a model on each device; the one for a GPU is twice as large.
const RUNTIMES = {wasm: "./onnxruntime/ort.wasm.min.mjs", webgpu: "./onnxruntime/ort.webgpu.min.mjs"};

let ort = null;
let session = null;

async function loadRuntime(device) {
  ort = await import(RUNTIMES[device]);
  ort.env.wasm.wasmPaths = new URL("onnxruntime/", import.meta.url).href;
  // Memory that threads share is there for pages that are kept apart from all others only.
  if (!self.crossOriginIsolated) ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
}

async function load({model, data, device}) {
  await loadRuntime(device);
  const externalData = data === null ? [] : [{path: data.name, data: new Uint8Array(await data.arrayBuffer())}];
  const options = {externalData, executionProviders: [device], logSeverityLevel: 3};
  session = await ort.InferenceSession.create(new Uint8Array(await model.arrayBuffer()), options);
  return {inputs: session.inputMetadata};
}

async function run({feeds, times}) {
  const tensors = Object.fromEntries(feeds.map(feed => [feed.name, tensorOf(ort.Tensor, feed)]));
  const took = [];
  let outputs = null;
  for (let i = 0; i < times; ++i) {
    const start = performance.now();
    outputs = await session.run(tensors);
    took.push(performance.now() - start);
  }
  return {took, outputs: Object.entries(outputs).map(([name, tensor]) => summaryOf(name, tensor))};
}

self.onmessage = async ({data: {what, ...more}}) => {
  try {
    self.postMessage({done: await {load, run}[what](more)});
  } catch (error) {
    self.postMessage({failed: String(error?.message ?? error)});
  }
};
