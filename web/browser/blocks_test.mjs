// blocks_test.mjs PAGE EXPORTER MNIST DOCUMENT...: runs the documents' JavaScript for browsers, as it stands there. The
// page has everything that the code takes for granted: a file that was chosen, a link, a user who chooses a folder.
// PAGE: //web:page.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import {browserBlocks} from "../blocks.mjs";
import {runTests, servePage, startBrowser, work} from "./setting.mjs";
import {commandBytes} from "./user.mjs";

const [archive, exporter, mnist, ...documents] = process.argv.slice(2).map(name => path.resolve(name));
const site = await servePage(archive);
const browser = await startBrowser();
const page = await browser.newPage();
const folder = path.join(work, "onnxport-page");

const GIVEN = `
  globalThis.file = new File([await (await fetch("model.pt2")).arrayBuffer()], "model.pt2");
  globalThis.input = {files: [file]};
  globalThis.link = document.createElement("a");
  globalThis.showDirectoryPicker = () => navigator.storage.getDirectory();
  globalThis.exportModel = (await import("onnxport")).exportModel;`;
fs.copyFileSync(mnist, path.join(folder, "model.pt2"));
fs.writeFileSync(path.join(folder, "empty.html"), `<!doctype html><title>empty</title>
  <script type="importmap">{"imports": {"onnxport": "./onnxport/browser.mjs"}}</script>`);

// Where the block has put the model: into the folder, or behind the link.
const FOUND = `(async () => {
  const root = await navigator.storage.getDirectory();
  const file = link.href ? await (await fetch(link.href)).blob() : await (await root.getFileHandle("model.onnx")).getFile();
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!link.href) await root.removeEntry("model.onnx");
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
})()`;

async function run({place, text}, number) {
  console.log(place);
  const name = `block_${number}.mjs`;
  fs.writeFileSync(path.join(folder, "given.mjs"), GIVEN);
  fs.writeFileSync(path.join(folder, name), text);
  await page.open(site.address + "empty.html");
  await page.evaluate(`import("./given.mjs").then(() => import("./${name}")).then(() => "done")`);
  assert.ok(Buffer.from(await page.evaluate(FOUND), "base64").equals(commandBytes(exporter, mnist)), place);
}

async function runsAllBlocks() {
  const blocks = browserBlocks(documents);
  assert.ok(blocks.length >= 2);
  for (const [number, block] of blocks.entries()) await run(block, number);
}

await runTests([runsAllBlocks], async () => {
  await browser.close();
  site.close();
});
