// page_test.mjs PAGE EXPORTER AXE MNIST MODELS BERT: the page as its users see it. They choose a model, export it and save the same
// bytes as the command's; free its axes; look at it; run it, with the numbers of ONNX Runtime; are refused; cancel; have no
// network; use a keyboard, a screen reader, a phone. MODELS: make_models.py's; BERT: a folder with bert.pt2.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {pictures, runTests, servePage, startBrowser, work} from "./setting.mjs";
import {Site} from "./site.mjs";

const [archive, exporter, axe, mnist, models, bert] = process.argv.slice(2).map(name => path.resolve(name));
const python = (script, ...words) => ["python3", ["-B", path.resolve("web/browser", script), ...words]];

const site = await servePage(archive);
const browser = await startBrowser();
const page = await browser.newPage();

// Waits for the page to say so; fails where it says that something went wrong.
async function until(wanted, where = page) {
  const [text, bad] = await where.until(`(({textContent, classList}) =>
    (${wanted}.test(textContent) || classList.contains("bad")) && [textContent, classList.contains("bad")])(document.getElementById("status"))`);
  if (bad) throw new Error(text);
}

async function choose(...files) {
  await page.choose("#model", files);
  await page.until(`document.getElementById("axes").hidden || !/^Looking/.test(document.getElementById("axes-status").textContent)`);
}

async function fill(id, text) {
  await page.evaluate(`Object.assign(document.getElementById(${JSON.stringify(id)}), {value: ${JSON.stringify(text)}})`);
}

const textOf = selector => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`);

async function exportIt() {
  await page.click("#start");
  await until(/^Done/);
}

function commandBytes(model, ...words) {
  const file = path.join(work, "expected.onnx");
  execFileSync(exporter, ["export", model, ...words, "-o", file]);
  return fs.readFileSync(file);
}

async function assertSaved(name, expected) {
  await page.click("#files a");
  const saved = await browser.downloaded(name, expected.length);
  assert.ok(fs.readFileSync(saved).equals(expected), `${name}: other bytes than the command's`);
}

async function open() {
  await page.open(site.address);
  await until(/is ready/);
  await page.until("navigator.serviceWorker.controller !== null");
}

// As large as a photograph, so that it comes soon where the network is slow; what runs models is left for later.
async function loadsLittle() {
  await open();
  assert.ok(!site.asked.some(name => name.startsWith("/onnxruntime/")), site.asked.join(" "));
}

async function exportsAsTheCommandDoes() {
  await choose(mnist);
  await fill("inputs", "x=f32[batch,1,28,28]");
  await fill("opset", "17");
  await exportIt();
  assert.match(await textOf("#values"), /x.*batch/s);
  await assertSaved("mnist.onnx", commandBytes(mnist, "--input", "x=f32[batch,1,28,28]", "--opset", "17"));
  await fill("opset", "");
}

async function showsTheModel() {
  await page.click("#show");
  await until(/^Done/);
  await page.until(`!document.getElementById("view").hidden`);
}

// Numbers that are no random ones: those of the page are then those of ONNX Runtime.
function numbers(count) {
  return Array.from({length: count}, (_, i) => ((i * 7919) % 1000) / 500 - 1);
}

function assertNear(found, expected) {
  assert.deepEqual(found.map(({name, type, dims}) => ({name, type, dims})), expected.map(({name, type, dims}) => ({name, type, dims})));
  for (const [i, {name, values}] of found.entries()) {
    values.forEach((value, j) => {
      const right = expected[i].values[j];
      assert.ok(Math.abs(value - right) <= 1e-4 * Math.max(1, Math.abs(right)), `${name} ${j}: ${value}, and ${right} is right`);
    });
  }
}

async function runsIt() {
  const feeds = [{name: "x", type: "float32", dims: [2, 1, 28, 28], values: numbers(2 * 784)}];
  await runAndCompare(path.join(browser.downloads, "mnist.onnx"), feeds, {batch: 2});
}

async function runAndCompare(model, feeds, sizes) {
  await page.click("#load");
  await until(/^Done/);
  for (const [name, size] of Object.entries(sizes)) await fill(`input-size-${name}`, String(size));
  for (const [i, {values}] of feeds.entries()) await fill(`input-${i}`, JSON.stringify(values));
  await page.click("#go");
  await until(/^Done/);
  assert.match(await textOf("#took"), /^[0-9.]+ ms in the middle of 5 runs/);
  const saved = path.join(browser.downloads, "outputs.json");
  fs.rmSync(saved, {force: true});
  await page.click("#save-outputs");
  while (!fs.existsSync(saved)) await new Promise(resolve => setTimeout(resolve, 50));
  const expected = JSON.parse(execFileSync(...python("reference.py", model), {input: JSON.stringify(feeds), maxBuffer: 1 << 28}));
  assertNear(JSON.parse(fs.readFileSync(saved)), expected);
}

// Boxes for axes become lines for the export; axes that are free only together are checked together.
async function freesAxes() {
  await fill("inputs", "");
  const product = path.join(models, "product.pt2");
  await choose(product);
  for (const row of [1, 2]) await page.click(`#axes-table tbody tr:nth-child(${row}) input[type=checkbox]`);
  assert.equal(await page.evaluate(`document.getElementById("inputs").value`), "x=float32[batch,size1]\ny=float32[size1,5]");
  assert.equal(await page.evaluate(`document.querySelectorAll("#axes-table input:checked").length`), 3);
  await exportIt();
  await assertSaved("product.onnx", commandBytes(product, "--input", "x=f32[batch,size1]", "--input", "y=f32[size1,5]"));
  await fill("inputs", "");
  await choose(mnist);
  assert.match(await textOf("#axes-table"), /28\s+fixed/);
}

// A script says nothing of its inputs: the page says what to write.
async function asksForInputs() {
  const script = path.join(models, "counted.pt");
  await choose(script);
  assert.match(await textOf("#axes-status"), /x/);
  await page.evaluate(`inputs.value = "x=f32[n,4]\\nn=i64[]"; inputs.dispatchEvent(new Event("change"))`);
  await page.until(`/A checked axis/.test(document.getElementById("axes-status").textContent)`);
  await exportIt();
  assert.match(await page.evaluate(`document.getElementById("report").textContent`), /Loop/);
  const expected = commandBytes(script, "--input", "x=f32[n,4]", "--input", "n=i64[]");
  await assertSaved("counted.onnx", expected);
  const feeds = [
    {name: "x", type: "float32", dims: [2, 4], values: numbers(8)},
    {name: "n", type: "int64", dims: [], values: [3]},
  ];
  await runAndCompare(path.join(browser.downloads, "counted.onnx"), feeds, {n: 2});
  await fill("inputs", "");
}

async function exportsBert() {
  const model = path.join(bert, "bert.pt2");
  await choose(model);
  await exportIt();
  await assertSaved("bert.onnx", commandBytes(model));
  await page.click("#load");
  await until(/^Done/);
  await page.click("#go");
  await until(/^Done/);
  assert.match(await textOf("#outputs tbody"), /float32\[/);
}

async function refuses() {
  await choose(path.join(models, "refused.pt2"));
  await page.click("#start");
  await assert.rejects(until(/^Done/), /web_test::strange/);
  await choose(mnist);
  await fill("inputs", "x=f32[batch,1,w,28]");
  await page.click("#start");
  await assert.rejects(until(/^Done/), /w/);
  await fill("inputs", "");
}

async function refusesDamage() {
  const bytes = fs.readFileSync(mnist);
  bytes[bytes.length >> 1] ^= 1;
  const file = path.join(work, "damaged.pt2");
  fs.writeFileSync(file, bytes);
  await choose(file);
  await page.click("#start");
  await assert.rejects(until(/^Done/), /damaged\.pt2/);
  assert.equal(await page.evaluate(`document.getElementById("result").hidden`), true);
}

// As soon as the worker has said how far it is: before the page hears that it is done.
async function cancels() {
  await choose(mnist);
  await page.evaluate(`new Promise(resolve => {
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
  const left = await page.evaluate(`(async () => {
    const root = await navigator.storage.getDirectory();
    const names = [];
    for await (const [name] of (await root.getDirectoryHandle("onnxport")).entries()) names.push(name);
    return names;
  })()`);
  assert.deepEqual(left, []);
}

async function exportsWhatMemoryDoesNotHold() {
  const file = path.join(work, "large.pt2");
  execFileSync(...python("make_large.py", file));
  await choose(file);
  await exportIt();
  const memory = Number(/takes ([0-9.]+) MB of memory/.exec(await textOf("#figures"))[1]);
  assert.ok(memory < 100, `${memory} MB`);
  assert.match(await textOf("#files"), /1073\.[0-9] MB/);
  fs.rmSync(file);
}

// What is wrong for a screen reader or a keyboard: nothing serious.
async function isAccessible() {
  await choose(mnist);
  await exportIt();
  await page.click("#load");
  await until(/^Done/);
  await page.click("#go");
  await until(/^Done/);
  await page.evaluate(fs.readFileSync(axe, "utf8"));
  for (const dark of [false, true]) {
    await page.look({width: 1000, dark});
    const found = await page.evaluate(`axe.run({iframes: false}).then(({violations}) => violations.map(({id, impact, nodes}) =>
      ({id, impact, nodes: nodes.map(({html}) => html)})))`);
    assert.deepEqual(found.filter(({impact}) => ["serious", "critical"].includes(impact)), []);
  }
}

// Nothing is cut off or wider than the window. The pictures are for people.
async function fitsIntoWindows() {
  await page.click("#show");
  await until(/^Done/);
  for (const width of [360, 1600]) {
    for (const dark of [false, true]) {
      await page.look({width, dark});
      const [wide, all] = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
      assert.ok(wide <= all, `${wide} pixels in a window of ${all}`);
      await page.screenshot(path.join(pictures, `page-${width}-${dark ? "dark" : "light"}.png`));
    }
  }
  await page.look({width: 1000, dark: false});
}

// The page's own connections are forbidden, and those of its workers end beside it.
async function connectsToNothing() {
  assert.equal(await page.evaluate("fetch('/onnxport/exporter.wasm').then(() => 'loaded', () => 'blocked')"), "blocked");
  const elsewhere = await Site.of(work);
  fs.writeFileSync(path.join(work, "onnxport-page", "probe.mjs"), `
    fetch(${JSON.stringify(elsewhere.address)}, {mode: "no-cors"}).then(() => postMessage("loaded"), () => postMessage("blocked"));`);
  const found = await page.evaluate(`new Promise((resolve, reject) =>
    Object.assign(new Worker("probe.mjs", {type: "module"}), {onmessage: ({data}) => resolve(data), onerror: () => reject(new Error("no worker"))}))`);
  elsewhere.close();
  assert.equal(found, "blocked");
  assert.deepEqual(elsewhere.asked, []);
}

// What the browser says in its console.
async function hasNothingToComplainOf() {
  assert.deepEqual(page.problems.filter(text => !text.includes("favicon")), []);
}

async function worksOffline() {
  site.close();
  const other = await browser.newPage();
  await other.open(site.address);
  await until(/is ready/, other);
  await other.choose("#model", [mnist]);
  await other.click("#start");
  await until(/^Done/, other);
  await other.click("#load");
  await until(/^Done/, other);
}

await runTests([
  loadsLittle, exportsAsTheCommandDoes, showsTheModel, runsIt, freesAxes, asksForInputs, exportsBert, refuses, refusesDamage, cancels,
  exportsWhatMemoryDoesNotHold, isAccessible, fitsIntoWindows, hasNothingToComplainOf, connectsToNothing, worksOffline,
], async () => {
  browser.close();
  site.close();
});
