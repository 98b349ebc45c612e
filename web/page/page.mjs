// The page: a form whose answers are the options of exportModel, what is going on, and what came of it.

import {exportModel, inspect, targets, version} from "./onnxport/browser.mjs";
import {offerAxes, stopLooking} from "./axes.mjs";
import {typeText} from "./element_types.mjs";
import {at, element, row, say} from "./elements.mjs";
import {messageOf} from "./messages.mjs";
import {loadModel, offerDevices, runModel, stopRunning} from "./run.mjs";

let controller = null;   // of the call that runs
let remove = null;       // what removes the files of the last export
let onnx = [];           // what `Show the model` and `Run it` take: the model, and perhaps its weights

// The model among the files that were chosen. An ONNX model may have its weights beside it.
const chosen = () => [...at("model").files].find(({name}) => /\.(onnx|pt2?|pth)$/.test(name)) ?? at("model").files[0];

function optionsOf() {
  const options = at("more").value.trim() === "" ? {} : JSON.parse(at("more").value);
  const inputs = at("inputs").value.split("\n").map(line => line.trim()).filter(line => line !== "");
  if (inputs.length > 0) options.inputs = inputs;
  if (at("opset").value !== "") options.opset = Number(at("opset").value);
  if (at("target").value !== "") options.target = at("target").value;
  if (at("quantized").value !== "") options.weights_as = at("quantized").value;
  if (at("half").value !== "") options.compute_as = at("half").value;
  options.external_data = at("external").value;
  return options;
}

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`;

function showProgress(stage, done, total) {
  const bar = at("progress");
  bar.hidden = false;
  if (stage === "write" && total > 0) {
    bar.max = total;
    bar.value = done;
    say(`write: ${megabytes(done)} of ${megabytes(total)}`);
  } else {
    bar.removeAttribute("value");
    say(`${stage} ...`);
  }
}

const typeOf = ({dtype, type, shape}) => type ?? typeText(dtype ?? "", shape ?? []);

function linkTo(file) {
  const link = element("a", {textContent: file.name, href: URL.createObjectURL(file), download: file.name});
  return element("li", {}, link, ` (${megabytes(file.size)})`);
}

// `report` and `memory`: null of a model that was ONNX already.
function showResult(report, memory, files) {
  onnx = files;
  at("exported").hidden = report === null;
  at("files").replaceChildren(...(report === null ? [element("li", {textContent: files[0].name})] : files.map(linkTo)));
  if (report !== null) {
    const values = [...(report.inputs ?? []), ...(report.outputs ?? [])];
    at("figures").textContent = `The export took ${megabytes(memory)} of memory.`;
    at("values").replaceChildren(...values.map(value => row(value.name, typeOf(value))));
    const warnings = report.warnings?.map(({code, text}) => `[${code}] ${text}`);
    const told = [["Warning", warnings], ["Note", report.remarks]];
    at("remarks").replaceChildren(...told.flatMap(([kind, texts]) =>
      (texts ?? []).map(text => element("p", {textContent: `${kind}: ${text}`}))));
    at("report").textContent = JSON.stringify(report, null, 2);
  }
  at("result").hidden = false;
  at("result-title").focus();
}

async function showModel() {
  const page = await inspect(onnx.find(({name}) => name.endsWith(".onnx")), {}, {html: true, signal: controller.signal});
  at("view").src = URL.createObjectURL(new Blob([page], {type: "text/html"}));
  at("view").hidden = false;
}

async function exportFile(file) {
  const output = file.name.replace(/\.[^.]*$/, "") + ".onnx";
  const {report, memory, files, remove: removeFiles} =
      await exportModel(file, optionsOf(), {output, onProgress: showProgress, signal: controller.signal});
  remove = removeFiles;
  showResult(report, memory, files);
}

// `work` with what the page shows meanwhile.
async function run(work) {
  if (controller !== null) return;
  controller = new AbortController();
  const buttons = ["start", "show", "load", "go"];
  for (const id of buttons) at(id).disabled = true;
  at("cancel").disabled = false;
  say("Working ...");
  try {
    await work(controller.signal);
    say("Done.");
  } catch (error) {
    say(controller.signal.aborted ? "Cancelled; nothing was written." : messageOf(error), !controller.signal.aborted);
  } finally {
    controller = null;
    for (const id of buttons) at(id).disabled = false;
    at("cancel").disabled = true;
    at("progress").hidden = true;
  }
}

async function start(event) {
  event.preventDefault();
  const file = chosen();
  at("result").hidden = at("view").hidden = true;
  stopRunning();
  stopLooking();
  await run(async () => {
    await remove?.();
    remove = null;
    if (!file.name.endsWith(".onnx")) return exportFile(file);
    showResult(null, null, [...at("model").files]);
    await showModel();
  });
}

// An ONNX model is not exported, but looked at.
function look() {
  const isOnnx = chosen()?.name.endsWith(".onnx") === true;
  at("start").textContent = isOnnx ? "Open" : "Export";
  at("options").hidden = isOnnx;
  return offerAxes(chosen(), optionsOf);
}

function listenToDrops() {
  const area = at("drop");
  // A field for a file takes what is dropped on it by itself.
  const isForPage = ({target}) => !target.matches?.("input[type=file]");
  const over = is => event => {
    if (!isForPage(event)) return;
    event.preventDefault();
    area.classList.toggle("over", is);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", event => {
    over(false)(event);
    if (!isForPage(event) || event.dataTransfer.files.length === 0) return;
    at("model").files = event.dataTransfer.files;
    look();
  });
}

// From here on the page can load nothing at all; a policy can only be made stricter. Its workers are held to what lies beside
// the page by the service worker.
function forbidConnections() {
  document.head.append(element("meta", {httpEquiv: "Content-Security-Policy", content: "connect-src 'none'"}));
}

// Where the page comes from a server that is not this machine and has no certificate, it works without.
async function keepOffline() {
  await navigator.serviceWorker?.register("service_worker.js").catch(error => console.info(`not kept for later: ${error.message}`));
}

async function load() {
  const {version: number, first_opset: first, last_opset: last} = await version();
  for (let opset = last; opset >= first; --opset) at("opset").append(element("option", {textContent: opset}));
  for (const {name, title} of await targets()) at("target").append(element("option", {textContent: title, value: name}));
  await keepOffline();
  await offerDevices();
  forbidConnections();
  say(`onnxport ${number} is ready.`);
}

at("form").addEventListener("submit", start);
at("model").addEventListener("change", look);
at("inputs").addEventListener("change", look);
at("cancel").addEventListener("click", () => controller?.abort());
at("show").addEventListener("click", () => run(showModel));
at("load").addEventListener("click", () => run(signal => loadModel(onnx, signal)));
at("feeds").addEventListener("submit", event => {
  event.preventDefault();
  run(runModel);
});
addEventListener("pagehide", () => remove?.());
listenToDrops();
load().catch(error => say(`The exporter does not load: ${error.message}`, true));
