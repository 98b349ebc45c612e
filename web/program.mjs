// Runs one function of exporter.wasm, in a worker: it returns when all is done.

import {Wasi} from "./wasi.mjs";

const BETWEEN_TOLD = 50;  // milliseconds

// A function that calls `tell(stage, done, total)` where a stage begins, and then now and then.
function occasionally(tell) {
  let last = null;
  let next = 0;
  return (stage, done, total) => {
    const now = performance.now();
    if (stage === last && now < next && done < total) return;
    last = stage;
    next = now + BETWEEN_TOLD;
    tell(stage, done, total);
  };
}

function textAt(memory, at) {
  const bytes = new Uint8Array(memory.buffer, at);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

// A report of the library's form.
function failure(kind, reason) {
  return JSON.stringify({kind, diagnostics: [{code: kind === "cannot_export" ? "E0100" : "E0500", reason}]});
}

// `words`: the function and its texts (program.cc); `files`: see wasi.mjs; `tell(stage, done, total)`: how far it is.
// The exit status, and the text that the function gave.
export function runProgram(module, words, files, tell) {
  const wasi = new Wasi(["exporter", ...words], files);
  const told = occasionally(tell);
  let memory = null;
  const progress = (stage, done, total) => {
    told(textAt(memory, stage), done, total);
    return 0;
  };
  try {
    const instance = new WebAssembly.Instance(module, {...wasi.imports(module), onnxport: {progress}});
    memory = instance.exports.memory;
    const status = wasi.run(instance);
    return {status, text: wasi.output(), memory: memory.buffer.byteLength};
  } catch (error) {
    // The engine's, not the program's: its stack is full, or the program is wrong.
    const deep = error instanceof RangeError;
    return {
      status: 1,
      text: deep ? failure("cannot_export", `calls and expressions of the program are nested too deep for this engine (${error.message})`)
                 : failure("cannot_export", `internal error, please report it: ${error.message}`),
    };
  }
}
