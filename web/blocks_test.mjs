// blocks_test.mjs PACKAGE EXPORTER FOLDER PAGE...: the pages' JavaScript runs in Node.js, as it stands there, beside the unpacked npm
// package and a model; what it writes is the command's. FOLDER: browser/make_models.py's. browser/blocks_test.mjs tests
// the code that needs a browser.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import {nodeBlocks} from "./blocks.mjs";

const [packageFolder, exporter, folder, ...pages] = process.argv.slice(2).map(name => path.resolve(name));
const work = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), "blocks."));
fs.mkdirSync(path.join(work, "node_modules"));
fs.symlinkSync(packageFolder, path.join(work, "node_modules", "onnxport"));
fs.copyFileSync(path.join(folder, "image.pt2"), path.join(work, "model.pt2"));

const output = path.join(work, "model.onnx");
execFileSync(exporter, ["export", "model.pt2", "--input", "x=f32[batch,3,224,224]", "-o", "expected.onnx"], {cwd: work});
const expected = fs.readFileSync(path.join(work, "expected.onnx"));

const blocks = nodeBlocks(pages);
assert.ok(blocks.length >= 2);
for (const {place, text} of blocks) {
  console.log(place);
  fs.writeFileSync(path.join(work, "block.mjs"), text);
  execFileSync(process.execPath, ["block.mjs"], {cwd: work, stdio: "inherit"});
  assert.ok(fs.readFileSync(output).equals(expected), `${place}: other bytes than the command's`);
  fs.rmSync(output);
}
fs.rmSync(work, {recursive: true});
console.log("PASSED");
