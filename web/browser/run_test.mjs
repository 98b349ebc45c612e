// run_test.mjs PAGE EXPORTER MNIST INPUT.pb MODELS BERT: tests "Run it" of the page. Models give ONNX Runtime's
// numbers, for values that are typed, random, or from files, on the processor and on a GPU. The results can be saved.
// MODELS: make_models.py's; BERT: a folder with bert.pt2; INPUT.pb: an input of MNIST.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {pictures, runTests, servePage, startBrowser, work} from "./setting.mjs";
import {User, assertNear, expectedOf, python} from "./user.mjs";

const [archive, exporter, mnist, input, models, bert] = process.argv.slice(2).map(name => path.resolve(name));

const site = await servePage(archive);
const browser = await startBrowser();
const page = await browser.newPage();
const user = new User(browser, page, site.address);

// Numbers that are no random ones: those of the page are then those of ONNX Runtime.
function numbers(count) {
  return Array.from({length: count}, (_, i) => ((i * 7919) % 1000) / 500 - 1);
}

function exported(name, ...words) {
  const file = path.join(work, name);
  execFileSync(exporter, ["export", ...words, "-o", file]);
  return file;
}

// Opens and loads a model; `sizes` of its free axes.
async function load(model, sizes = {}) {
  await user.choose(model);
  for (const button of ["#start", "#load"]) await user.press(button);
  for (const [name, size] of Object.entries(sizes)) await user.fill(`input-size-${name}`, String(size));
}

async function savedOutputs() {
  return JSON.parse(fs.readFileSync(await user.save("#save-outputs", "outputs.json")));
}

async function runAndCompare(model, feeds) {
  await user.press("#go");
  assert.match(await user.textOf("#took"), /^[0-9.]+ ms in the middle of 5 runs/);
  assertNear(await savedOutputs(), expectedOf(model, feeds));
}

const image = {name: "x", type: "float32", dims: [2, 1, 28, 28], values: numbers(2 * 784)};
const mnistModel = exported("mnist.onnx", mnist, "--input", "x=f32[batch,1,28,28]");
const productModel = exported("product.onnx", path.join(models, "product.pt2"), "--input", "x=f32[rows,3]");

async function runsWhatIsTyped() {
  await user.open();
  await load(mnistModel, {batch: 2});
  await user.fill("input-0", JSON.stringify(image.values));
  await runAndCompare(mnistModel, [image]);
  const loop = exported("loop.onnx", path.join(models, "counted.pt"), "--input", "x=f32[n,4]", "--input", "n=i64[]");
  await load(loop, {n: 2});
  const feeds = [{name: "x", type: "float32", dims: [2, 4], values: numbers(8)}, {name: "n", type: "int64", dims: [], values: [3]}];
  for (const [i, {values}] of feeds.entries()) await user.fill(`input-${i}`, JSON.stringify(values));
  await runAndCompare(loop, feeds);
}

async function runsOnTheGpu() {
  assert.ok(!site.asked.some(name => /webgpu|asyncify/.test(name)));
  assert.equal(await page.evaluate(`document.getElementById("devices").hidden`), false);
  await user.fill("device", "webgpu");
  await load(mnistModel, {batch: 2});
  await user.fill("input-0", JSON.stringify(image.values));
  await runAndCompare(mnistModel, [image]);
  assert.ok(site.asked.some(name => /asyncify\.wasm/.test(name)));
  await user.fill("device", "wasm");
}

// A free size is that of the file. A value that does not fit is refused where it is chosen, and by a run.
async function readsAFileOfOnnx() {
  await load(mnistModel, {batch: 5});
  await page.choose("#input-file-0", [input]);
  await page.until(`/float32/.test(document.getElementById("input-note-0").textContent)`);
  assert.equal(await user.textOf("#input-note-0"), "float32[3, 1, 28, 28] of input_0.pb");
  assert.equal(await user.valueOf("input-size-batch"), "3");
  await user.press("#go");
  assertNear(await savedOutputs(), expectedOf(mnistModel, [arrayOf("x", input)]));
  await user.fill("input-size-batch", "4");
  await page.click("#go");
  await assert.rejects(user.until(/^Done/), /x has 3 for batch in input_0\.pb/);
  await page.click("#input-remove-0");
  assert.equal(await user.valueOf("input-0"), "");
  await user.press("#go");
}

// The contents of a file, as NumPy or ONNX reads it.
const arrayOf = (name, file) => ({name, ...JSON.parse(execFileSync(...python("arrays.py", "show", file), {maxBuffer: 1 << 28}))});

async function readsAndWritesFilesOfNumpy() {
  execFileSync(...python("arrays.py", "make", work));
  await load(productModel);
  await page.choose("#input-file-0", [path.join(work, "wrong.npy")]);
  await page.until(`document.getElementById("input-note-0").classList.contains("bad")`);
  assert.match(await user.textOf("#input-note-0"), /x takes float32\[rows, 3\], and wrong\.npy has float64\[4, 3\]/);
  await page.click("#go");
  await assert.rejects(user.until(/^Done/), /wrong\.npy/);
  await page.choose("#input-file-0", [path.join(work, "pair.npz")]);
  await page.until(`/pair/.test(document.getElementById("input-note-1").textContent)`);
  assert.equal(await user.textOf("#input-note-1"), "float32[3, 5] of pair.npz");
  await user.press("#go");
  const feeds = ["x", "y"].map(name => arrayOf(name, path.join(work, `${name}.npy`)));
  const expected = expectedOf(productModel, feeds);
  assertNear(await savedOutputs(), expected);
  const {name} = expected[0];
  assertNear([arrayOf(name, await user.save("#outputs tbody a", `${name}.npy`))], expected);
  for (const width of [360, 1600]) {
    await page.look({width, dark: width === 360});
    await page.screenshot(path.join(pictures, `run-${width}.png`));
  }
}

async function runsBertWithRandomValues() {
  const model = exported("bert.onnx", path.join(bert, "bert.pt2"));
  await load(model);
  await user.press("#go");
  assert.match(await user.textOf("#outputs tbody"), /float32\[/);
}

async function hasNothingToComplainOf() {
  assert.deepEqual(page.problems.filter(text => !text.includes("favicon")), []);
}

// Where there is none.
async function offersNoGpu() {
  const other = new User(browser, await browser.newPage(), site.address);
  await other.page.before("Object.defineProperty(Navigator.prototype, 'gpu', {value: undefined})");
  await other.open();
  assert.equal(await other.page.evaluate(`document.getElementById("devices").hidden`), true);
}

await runTests([
  runsWhatIsTyped, ...(process.env.FIREFOX ? [] : [runsOnTheGpu]), readsAFileOfOnnx, readsAndWritesFilesOfNumpy, runsBertWithRandomValues,
  hasNothingToComplainOf, offersNoGpu,
], async () => {
  await browser.close();
  site.close();
});
