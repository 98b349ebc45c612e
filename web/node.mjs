// onnxport for Node.js: files are paths, or bytes. See exporter.d.ts and docs/web.md.

import fs from "node:fs/promises";
import path from "node:path";
import {Worker} from "node:worker_threads";

import {makeLibrary, once, untilDone} from "./library.mjs";

export {ExportError} from "./library.mjs";

const compile = once(async () => WebAssembly.compile(await fs.readFile(new URL("exporter.wasm", import.meta.url))));

let calls = 0;

// Names of files that were made and not named yet end with it.
const newMark = () => `.${process.pid}-${++calls}`;

function files() {
  const given = {};
  const place = (file, folder) => {
    if (typeof file === "string") return path.resolve(file);
    const name = `/onnxport-bytes/${folder}/model`;
    given[name] = file;
    return name;
  };
  return {given, place};
}

async function removeMarked(folder, mark) {
  for (const name of await fs.readdir(folder)) {
    if (name.endsWith(mark)) await fs.rm(path.join(folder, name), {force: true});
  }
}

async function run(words, {given}, output, {onProgress, signal}) {
  const module = await compile();
  const mark = newMark();
  const worker = new Worker(new URL("node_worker.mjs", import.meta.url), {workerData: {module, words, given, mark}});
  return untilDone({
    listen: hear => {
      worker.on("message", hear);
      worker.on("error", error => hear({broken: error.message}));
    },
    end: () => worker.terminate(),
    clean: () => output === null ? null : removeMarked(path.dirname(path.resolve(output)), mark),
    onProgress,
    signal,
  });
}

export const {exportModel, applyWeights, inspect, checkAxes, ops, targets, version} =
    makeLibrary({files, run, outputPath: output => path.resolve(output)});
