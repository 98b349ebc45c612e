// page_test.mjs PAGE EXPORTER MNIST CHROMIUM: the unpacked page in a browser. A user chooses a model, exports it, and saves the
// same bytes as the command's; cancels; looks at the model; and nothing is loaded from elsewhere.

import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const [pageFolder, exporter, mnist, chromium] = process.argv.slice(2).map(name => path.resolve(name));
const work = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), "page."));
const TYPES = {".html": "text/html", ".css": "text/css", ".mjs": "text/javascript", ".wasm": "application/wasm"};

const asked = [];
const server = http.createServer((request, response) => {
  asked.push(request.url);
  const file = path.join(pageFolder, request.url === "/" ? "index.html" : request.url);
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, {"Content-Type": TYPES[path.extname(file)] ?? "text/plain"}).end(fs.readFileSync(file));
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

// The browser's protocol for debuggers.
async function startBrowser() {
  const child = spawn(chromium, ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                                 `--user-data-dir=${work}/profile`, "about:blank"], {stdio: ["ignore", "ignore", "pipe"]});
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", data => {
      said += data;
      const found = /DevTools listening on ws:\/\/([^/]+)/.exec(said);
      if (found) resolve(`http://${found[1]}/json`);
    });
    child.on("exit", () => reject(new Error(`the browser ended: ${said}`)));
  });
  const pages = await (await fetch(url)).json();
  const socket = new WebSocket(pages.find(({type}) => type === "page").webSocketDebuggerUrl);
  await new Promise(resolve => socket.onopen = resolve);
  return {child, socket};
}

const {child, socket} = await startBrowser();
const answers = new Map();
const problems = [];
let calls = 0;
socket.onmessage = ({data}) => {
  const {id, result, error, method, params} = JSON.parse(data);
  if (method === "Log.entryAdded" || method === "Runtime.exceptionThrown") problems.push(JSON.stringify(params));
  if (error) answers.get(id)?.reject(new Error(error.message));
  else answers.get(id)?.resolve(result);
};
function send(method, params = {}) {
  return new Promise((resolve, reject) => {
    answers.set(++calls, {resolve, reject});
    socket.send(JSON.stringify({id: calls, method, params}));
  });
}

async function evaluate(expression) {
  const {result, exceptionDetails} = await send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
  assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
  return result.value;
}

// Waits for the text; fails where the page says that something went wrong.
async function until(wanted) {
  for (;;) {
    const [text, bad] = await evaluate(`(({textContent, classList}) => [textContent, classList.contains("bad")])(
        document.getElementById("status"))`);
    if (bad) throw new Error(text);
    if (wanted.test(text)) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function choose(file) {
  const {root} = await send("DOM.getDocument");
  const {nodeId} = await send("DOM.querySelector", {nodeId: root.nodeId, selector: "#model"});
  await send("DOM.setFileInputFiles", {nodeId, files: [file]});
}

const click = id => evaluate(`document.getElementById('${id}').click()`);

async function waitForFile(file, size) {
  while (!fs.existsSync(file) || fs.statSync(file).size !== size) await new Promise(resolve => setTimeout(resolve, 50));
}

async function exports() {
  const expected = path.join(work, "mnist.onnx");
  execFileSync(exporter, ["export", mnist, "--input", "x=f32[batch,1,28,28]", "--opset", "17", "-o", expected]);
  await choose(mnist);
  await evaluate("inputs.value = 'x=f32[batch,1,28,28]'; opset.value = '17'");
  await click("start");
  await until(/^Done/);
  assert.match(await evaluate("document.getElementById('values').textContent"), /x.*batch/s);
  await evaluate("document.querySelector('#files a').click()");
  const saved = path.join(work, "saved", "mnist.onnx");
  await waitForFile(saved, fs.statSync(expected).size);
  assert.ok(fs.readFileSync(saved).equals(fs.readFileSync(expected)), "other bytes than the command's");
  await click("show");
  await evaluate("new Promise(resolve => { const view = document.getElementById('view'); view.hidden ? view.onload = resolve : resolve(); })");
}

async function refuses() {
  await evaluate("inputs.value = 'x=f32[batch,1,w,28]'");
  await click("start");
  await assert.rejects(until(/^Done/), /w/);
  await evaluate("inputs.value = ''");
}

// As soon as the worker has said how far it is: before the page hears that it is done.
async function cancels() {
  await evaluate(`new Promise(resolve => {
    const status = document.getElementById("status");
    const heard = (changes, observer) => {
      if (!/^(read|trace|passes|write)/.test(status.textContent)) return;
      observer.disconnect();
      document.getElementById("cancel").click();
      resolve();
    };
    new MutationObserver(heard).observe(status, {childList: true});
    document.getElementById("start").click();
  })`);
  await until(/^Cancelled/);
  const left = await evaluate(`(async () => {
    const root = await navigator.storage.getDirectory();
    const names = [];
    for await (const [name] of (await root.getDirectoryHandle("onnxport")).entries()) names.push(name);
    return names;
  })()`);
  assert.deepEqual(left, []);
}

async function connectsToNothing() {
  const blocked = await evaluate("fetch('/onnxport/exporter.wasm').then(() => 'loaded', () => 'blocked')");
  assert.equal(blocked, "blocked");
  assert.ok(asked.every(url => url === "/" || /^\/(page\.|onnxport\/|favicon)/.test(url)), asked.join(" "));
}

try {
  for (const domain of ["Log", "Runtime", "Page", "DOM"]) await send(`${domain}.enable`);
  await send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: path.join(work, "saved")});
  await send("Page.navigate", {url: address});
  await new Promise(resolve => setTimeout(resolve, 500));
  await until(/is ready/);
  for (const test of [exports, refuses, cancels]) {
    console.log(test.name);
    await test();
  }
  assert.deepEqual(problems.filter(text => !text.includes("favicon")), []);
  console.log("connectsToNothing");
  await connectsToNothing();
  console.log("PASSED");
} finally {
  child.kill();
  server.close();
  socket.close();
}
