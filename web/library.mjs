// The library's functions, the same in browsers and in Node.js; `makeLibrary` gets what differs there.

// Why a call failed: `report` is the library's, `status` the command's exit status (docs/web.md).
export class ExportError extends Error {
  constructor(status, report) {
    super([...(report.headline ? [`${report.headline}:`] : []), ...report.diagnostics.map(one => one.reason)].join("\n"));
    this.name = "ExportError";
    this.status = status;
    this.report = report;
  }
}

// The options with their files, which are what `place(file, folder)` gives for each: paths for the program.
function withPlaces(options, place) {
  const placed = {...options};
  if (placed.weights != null) placed.weights = place(placed.weights, "weights");
  if (placed.other_traces != null) {
    placed.other_traces = placed.other_traces.map((trace, i) => ({...trace, source: place(trace.source, `trace-${i}`)}));
  }
  return placed;
}

// `system`:
//   files()                 what the program sees of one call's files, with `place(file, folder)` -> path
//   run(words, files, output, {onProgress, signal}) -> {status, text, ...more}
//   outputPath(output)      where the program is to write
export function makeLibrary(system) {
  // The text that a function gives, and what more the system says.
  async function call(words, files = system.files(), output = null, {onProgress, signal} = {}) {
    signal?.throwIfAborted();
    const {status, text, ...more} = await system.run(words, files, output, {onProgress, signal});
    if (status !== 0) throw new ExportError(status, JSON.parse(text));
    return {text, more};
  }

  async function exportModel(model, options = {}, {output = null, ...how} = {}) {
    const files = system.files();
    const placed = withPlaces(options, files.place);
    const path = output === null ? "" : system.outputPath(output);
    const {text, more} = await call(["export", files.place(model, "model"), path, JSON.stringify(placed)], files, output, how);
    return {report: JSON.parse(text), ...more};
  }

  async function applyWeights(model, weights, {output, options = {}, ...how}) {
    const files = system.files();
    const words = [files.place(model, "model"), files.place(weights, "weights"), system.outputPath(output)];
    const {text, more} = await call(["apply_weights", ...words, JSON.stringify(options)], files, output, how);
    return {report: JSON.parse(text), ...more};
  }

  async function inspect(model, options = {}, {html = false, ...how} = {}) {
    const files = system.files();
    const path = files.place(model, "model");
    const words = html ? ["page", path] : ["inspect", path, JSON.stringify(withPlaces(options, files.place))];
    return (await call(words, files, null, how)).text;
  }

  async function checkAxes(model, options = {}, how = {}) {
    const files = system.files();
    const words = ["check_axes", files.place(model, "model"), JSON.stringify(withPlaces(options, files.place))];
    return JSON.parse((await call(words, files, null, how)).text);
  }

  const list = async name => JSON.parse((await call([name])).text);
  return {
    exportModel,
    applyWeights,
    inspect,
    checkAxes,
    ops: () => list("ops"),
    targets: () => list("targets"),
    version: () => list("version"),
  };
}

// Returns the result of `make`, which runs at the first call, and again after a failure.
export function once(make) {
  let made = null;
  return () => made ??= make().catch(error => {
    made = null;
    throw error;
  });
}

// Runs a worker to its end. `listen(message => ...)` and `end()` are the system's; `clean()` removes what is left of a call
// that did not come to its end.
export function untilDone({listen, end, clean, onProgress, signal}) {
  return new Promise((resolve, reject) => {
    const stop = async error => {
      signal?.removeEventListener("abort", cancel);
      await end();
      await clean();
      reject(error);
    };
    const cancel = () => stop(signal.reason);
    if (signal?.aborted) return cancel();
    signal?.addEventListener("abort", cancel, {once: true});
    listen(({progress, done, broken}) => {
      if (broken !== undefined) {
        stop(new Error(`onnxport: the worker failed: ${broken}`));
      } else if (progress !== undefined) {
        try {
          onProgress?.(...progress);
        } catch (error) {
          stop(error);
        }
      } else {
        signal?.removeEventListener("abort", cancel);
        Promise.resolve(end()).then(() => resolve(done));
      }
    });
  });
}
