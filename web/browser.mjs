// onnxport for browsers: files are Files or Blobs, what is written goes to the origin's private file system, or into memory where
// there is none. See exporter.d.ts and docs/web.md.

import {makeLibrary, once, untilDone} from "./library.mjs";

export {ExportError} from "./library.mjs";

const compile = once(() => WebAssembly.compileStreaming(fetch(new URL("exporter.wasm", import.meta.url))));

function files() {
  const given = {};
  const place = (file, folder) => {
    const blob = file instanceof Blob ? file : new Blob([file]);
    const path = `/${folder}/${(blob.name ?? "model").replaceAll("/", "_")}`;
    given[path] = blob;
    return path;
  };
  return {given, place};
}

const nameOf = output => typeof output === "string" ? output : output.name;

// A folder of its own for what a call writes; none in a private window, and in browsers without a private file system.
async function makeFolder() {
  const root = await navigator.storage?.getDirectory?.().catch(() => undefined);
  if (root === undefined) return {folder: null, remove: async () => {}};
  const all = await root.getDirectoryHandle("onnxport", {create: true});
  const name = crypto.randomUUID();
  const folder = await all.getDirectoryHandle(name, {create: true});
  return {folder, remove: () => removeFolder(all, name)};
}

// The handles of a worker that was ended are open for a moment longer.
async function removeFolder(all, name) {
  for (let tries = 0; ; ++tries) {
    try {
      return await all.removeEntry(name, {recursive: true});
    } catch (error) {
      if (error.name === "NotFoundError") return;
      if (tries === 50) throw error;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }
}

// The files that were written, which go to a folder of the caller's if there is one. `written`: Files, or names in the folder.
async function filesOf(written, to, made) {
  if (made.folder === null) return written;
  const handles = await Promise.all(written.map(name => made.folder.getFileHandle(name)));
  for (const handle of to === undefined ? [] : handles) await handle.move(to, handle.name);
  return Promise.all(handles.map(handle => handle.getFile()));
}

// Where the caller wants what was written: the files.
async function deliver(written, output, made) {
  const files = await filesOf(written, output.folder, made);
  if (output.stream) for (const file of files) await file.stream().pipeTo(await output.stream(file.name));
  if (output.stream || output.folder) await made.remove();
  return output.stream ? [] : files;
}

async function run(words, {given}, output, {onProgress, signal}) {
  const module = await compile();
  const made = output === null ? null : await makeFolder();
  const worker = new Worker(new URL("browser_worker.mjs", import.meta.url), {type: "module"});
  const clean = async () => made?.remove();
  const {written, ...done} = await untilDone({
    listen: hear => {
      worker.onmessage = ({data}) => hear(data);
      worker.onerror = error => hear({broken: error.message});
      worker.postMessage({module, words, given, folder: made?.folder ?? null});
    },
    end: () => worker.terminate(),
    clean,
    onProgress,
    signal,
  });
  if (made === null) return done;
  if (done.status !== 0) {
    await clean();
    return done;
  }
  const files = await deliver(written, output, made).catch(async error => {
    await clean();
    throw error;
  });
  return {...done, files, remove: clean};
}

export const {exportModel, applyWeights, inspect, checkAxes, ops, targets, version} =
    makeLibrary({files, run, outputPath: output => `/out/${nameOf(output)}`});
