// The page: a form whose answers are the options of exportModel, what is going on, and what came of it.

import {exportModel, inspect, targets, version} from "./onnxport/browser.mjs";

const at = id => document.getElementById(id);
let controller = null;   // of the call that runs
let remove = null;       // what removes the files of the last export
let onnx = null;         // what `Show the model` shows

function say(text, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", bad);
}

function element(tag, text, more = {}) {
  return Object.assign(document.createElement(tag), {textContent: text, ...more});
}

function optionsOf() {
  const options = at("more").value.trim() === "" ? {} : JSON.parse(at("more").value);
  const inputs = at("inputs").value.split("\n").map(line => line.trim()).filter(line => line !== "");
  if (inputs.length > 0) options.inputs = inputs;
  if (at("opset").value !== "") options.opset = Number(at("opset").value);
  if (at("target").value !== "") options.target = at("target").value;
  if (at("quantized").value !== "") options.quantized_weights = {type: at("quantized").value};
  if (at("half").value !== "") options.half_precision = {type: at("half").value};
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

const typeText = ({dtype, type, shape}) => type ?? `${dtype ?? ""}[${(shape ?? []).join(", ")}]`;

function showResult(report, files) {
  at("files").replaceChildren(...files.map(file => {
    const item = document.createElement("li");
    item.append(element("a", file.name, {href: URL.createObjectURL(file), download: file.name}), ` (${megabytes(file.size)})`);
    return item;
  }));
  const values = [...(report.inputs ?? []), ...(report.outputs ?? [])];
  at("values").replaceChildren(...values.map(value => {
    const row = document.createElement("tr");
    row.append(element("td", value.name), element("td", typeText(value)));
    return row;
  }));
  at("remarks").replaceChildren(...(report.remarks ?? []).map(remark => element("p", `Note: ${remark}`)));
  at("report").textContent = JSON.stringify(report, null, 2);
  at("result").hidden = false;
  at("result-title").focus();
}

async function showModel(file) {
  const page = await inspect(file, {}, {html: true, signal: controller?.signal});
  at("view").src = URL.createObjectURL(new Blob([page], {type: "text/html"}));
  at("view").hidden = false;
}

async function exportFile(file) {
  const output = file.name.replace(/\.[^.]*$/, "") + ".onnx";
  const {report, files, remove: removeFiles} =
      await exportModel(file, optionsOf(), {output, onProgress: showProgress, signal: controller.signal});
  remove = removeFiles;
  onnx = files.find(({name}) => name.endsWith(".onnx"));
  showResult(report, files);
  say("Done.");
}

async function run(work) {
  controller = new AbortController();
  at("start").disabled = true;
  at("cancel").disabled = false;
  say("Working ...");
  try {
    await work();
  } catch (error) {
    say(controller.signal.aborted ? "Cancelled; nothing was written." : error.message, !controller.signal.aborted);
  } finally {
    controller = null;
    at("start").disabled = false;
    at("cancel").disabled = true;
    at("progress").hidden = true;
  }
}

async function start(event) {
  event.preventDefault();
  const file = at("model").files[0];
  at("result").hidden = at("view").hidden = true;
  await run(async () => {
    await remove?.();
    remove = null;
    if (!file.name.endsWith(".onnx")) return exportFile(file);
    await showModel(file);
    say("This is an ONNX model already.");
  });
}

function listenToDrops() {
  const area = at("drop");
  const over = is => event => {
    event.preventDefault();
    area.classList.toggle("over", is);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", event => {
    over(false)(event);
    if (event.dataTransfer.files.length > 0) at("model").files = event.dataTransfer.files;
  });
}

// From here on the page can load nothing at all; a policy can only be made stricter.
function forbidConnections() {
  document.head.append(element("meta", "", {httpEquiv: "Content-Security-Policy", content: "connect-src 'none'"}));
}

async function load() {
  const {version: number, first_opset: first, last_opset: last} = await version();
  for (let opset = last; opset >= first; --opset) at("opset").append(element("option", opset));
  for (const {name, title} of await targets()) at("target").append(element("option", title, {value: name}));
  forbidConnections();
  say(`onnxport ${number} is ready.`);
}

at("form").addEventListener("submit", start);
at("cancel").addEventListener("click", () => controller?.abort());
at("show").addEventListener("click", () => run(async () => {
  await showModel(onnx);
  say("Done.");
}));
addEventListener("pagehide", () => remove?.());
listenToDrops();
load().catch(error => say(`The exporter does not load: ${error.message}`, true));
