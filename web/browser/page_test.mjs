// page_test.mjs PAGE EXPORTER AXE MNIST MODELS BERT: the page as its users see it. They choose a model, export it and
// save the same bytes as the command's. They free its axes, look at it, and run it, with the numbers of ONNX Runtime.
// They are refused, cancel, have no network, and use a keyboard, a screen reader, a phone. MODELS: make_models.py's;
// BERT: a folder with bert.pt2.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {pictures, runTests, servePage, startBrowser, work} from "./setting.mjs";
import {Site} from "./site.mjs";
import {User, commandBytes, python} from "./user.mjs";

const [archive, exporter, axe, mnist, models, bert] = process.argv.slice(2).map(name => path.resolve(name));

const site = await servePage(archive);
const browser = await startBrowser();
const page = await browser.newPage();
const user = new User(browser, page, site.address);

// As large as a photograph, so that it comes soon where the network is slow; what runs models is left for later.
async function loadsLittle() {
  await user.open();
  await page.until("navigator.serviceWorker.controller !== null");
  assert.ok(!site.asked.some(name => name.startsWith("/onnxruntime/")), site.asked.join(" "));
}

// Each part has its licence and its line of the bill of materials.
function listsItsParts() {
  const folder = path.join(work, "onnxport-page");
  const {packages} = JSON.parse(fs.readFileSync(path.join(folder, "sbom.spdx.json"), "utf8"));
  const parts = packages.map(({name}) => name).filter(name => name !== "onnxport-page").sort();
  assert.deepEqual(parts, fs.readdirSync(path.join(folder, "licences")).sort());
  assert.match(packages.find(({name}) => name === "onnxruntime-web").versionInfo, /^1\.\d+\.\d+$/);
}

async function exportsAsTheCommandDoes() {
  await user.choose(mnist);
  await user.fill("inputs", "x=f32[batch,1,28,28]");
  await user.fill("opset", "17");
  await user.press("#start");
  assert.match(await user.textOf("#values"), /x.*batch/s);
  await user.assertSaved("mnist.onnx", commandBytes(exporter, mnist, "--input", "x=f32[batch,1,28,28]", "--opset", "17"));
  await user.fill("opset", "");
}

async function showsTheModel() {
  await user.press("#show");
  await page.until(`!document.getElementById("view").hidden`);
}

const boxOf = row => `#axes-table tbody tr:nth-child(${row}) input[type=checkbox]`;
const isChecked = row => page.evaluate(`document.querySelector(${JSON.stringify(boxOf(row))}).checked`);
const isDisabled = row => page.evaluate(`document.querySelector(${JSON.stringify(boxOf(row))}).disabled`);

// Boxes for axes become lines for the export; axes that are free only together are checked together.
async function freesAxes() {
  await user.fill("inputs", "");
  const product = path.join(models, "product.pt2");
  await user.choose(product);
  for (const row of [1, 2]) await page.click(boxOf(row));
  assert.equal(await user.valueOf("inputs"), "x=float32[batch,size1]\ny=float32[size1,5]");
  assert.equal(await page.evaluate(`document.querySelectorAll("#axes-table input:checked").length`), 3);
  await user.press("#start");
  await user.assertSaved("product.onnx", commandBytes(exporter, product, "--input", "x=f32[batch,size1]", "--input", "y=f32[size1,5]"));
  await user.fill("inputs", "");
  await user.choose(mnist);
  assert.match(await user.textOf("#axes-table"), /28\s+fixed/);
}

// Lines written by hand change the boxes, and the other way round; the number that an axis has in the file is not lost.
async function keepsBoxesAndLinesTogether() {
  await user.choose(path.join(models, "product.pt2"));
  await page.click(boxOf(1));
  assert.equal(await user.valueOf("inputs"), "x=float32[batch,3]");
  await user.type("inputs", "x=f32[rows,3]");
  await user.untilLooked();
  assert.equal(await user.valueOf("inputs"), "x=f32[rows,3]");
  assert.equal(await page.evaluate(`document.querySelector("#axes-table tbody tr input:not([type=checkbox])").value`), "rows");
  assert.deepEqual([await isChecked(1), await isDisabled(1), await isChecked(2)], [true, false, false]);
  await page.click(boxOf(1));
  assert.equal(await user.valueOf("inputs"), "x=f32[2,3]");
  await user.type("inputs", "x=f32[2,inner]\ny=f32[inner,5]");
  await user.untilLooked();
  assert.deepEqual([await isChecked(1), await isChecked(2), await isChecked(3)], [false, true, true]);
  await page.click(boxOf(2));
  assert.equal(await user.valueOf("inputs"), "x=f32[2,3]\ny=f32[3,5]");
  await user.type("inputs", "");
  await user.untilLooked();
  assert.equal(await isChecked(1), false);
}

// A trace has its inputs' sizes. The lines go with the file, unless somebody changed them.
async function fillsInWhatATraceSays() {
  await user.choose(path.join(models, "traced.pt"));
  assert.equal(await user.valueOf("inputs"), "x=float32[2,3]\ny=float32[3,5]");
  await user.choose(mnist);
  assert.equal(await user.valueOf("inputs"), "");
}

// A script says nothing of its inputs: the page says what to write.
async function asksForInputs() {
  const script = path.join(models, "counted.pt");
  await user.choose(script);
  assert.match(await user.textOf("#axes-status"), /x/);
  assert.match(await user.textOf("#axes-status"), /does not record its inputs/);
  await user.type("inputs", "x=f32[n,4]\nn=i64[]");
  await page.until(`/A checked axis/.test(document.getElementById("axes-status").textContent)`);
  await user.press("#start");
  assert.match(await page.evaluate(`document.getElementById("report").textContent`), /Loop/);
  const expected = commandBytes(exporter, script, "--input", "x=f32[n,4]", "--input", "n=i64[]");
  await user.assertSaved("counted.onnx", expected);
  await user.fill("inputs", "");
}

async function exportsBert() {
  const model = path.join(bert, "bert.pt2");
  await user.choose(model);
  await user.press("#start");
  await user.assertSaved("bert.onnx", commandBytes(exporter, model));
}

async function refuses() {
  await user.choose(path.join(models, "refused.pt2"));
  await page.click("#start");
  await assert.rejects(user.until(/^Done/), /web_test::strange/);
  await user.choose(mnist);
  await user.fill("inputs", "x=f32[batch,1,w,28]");
  await page.click("#start");
  await assert.rejects(user.until(/^Done/), /w/);
  await user.fill("inputs", "");
}

async function refusesDamage() {
  const bytes = fs.readFileSync(mnist);
  bytes[bytes.length >> 1] ^= 1;
  const file = path.join(work, "damaged.pt2");
  fs.writeFileSync(file, bytes);
  await user.choose(file);
  await page.click("#start");
  await assert.rejects(user.until(/^Done/), /damaged\.pt2/);
  assert.equal(await page.evaluate(`document.getElementById("result").hidden`), true);
}

// As soon as the worker has said how far it is: before the page hears that it is done.
async function cancels() {
  await user.choose(mnist);
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
  await user.until(/^Cancelled/);
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
  await user.choose(file);
  await user.press("#start");
  const memory = Number(/took ([0-9.]+) MB of memory/.exec(await user.textOf("#figures"))[1]);
  assert.ok(memory < 100, `${memory} MB`);
  assert.match(await user.textOf("#files"), /1073\.[0-9] MB/);
  fs.rmSync(file);
}

// Nothing serious is wrong for a screen reader or a keyboard.
async function isAccessible() {
  await user.choose(mnist);
  await user.press("#start");
  await user.press("#load");
  await user.press("#go");
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
  await user.press("#show");
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

// The browser's console has no messages.
async function hasNothingToComplainOf() {
  assert.deepEqual(page.problems.filter(text => !text.includes("favicon")), []);
}

async function worksOffline() {
  site.close();
  const other = new User(browser, await browser.newPage(), site.address);
  await other.open();
  await other.choose(mnist);
  for (const button of ["#start", "#load"]) await other.press(button);
}

await runTests([
  loadsLittle, listsItsParts, exportsAsTheCommandDoes, showsTheModel, freesAxes, keepsBoxesAndLinesTogether, fillsInWhatATraceSays,
  asksForInputs, exportsBert, refuses, refusesDamage, cancels, exportsWhatMemoryDoesNotHold, isAccessible, fitsIntoWindows, hasNothingToComplainOf, connectsToNothing, worksOffline,
], async () => {
  await browser.close();
  site.close();
});
