// web_test.mjs PACKAGE EXPORTER MNIST FOLDER...: runs the unpacked npm package in Node.js. It does what the command
// does: it makes the same bytes of every archive in the folders, or fails with the same status. It also checks what a
// call leaves behind.

import assert from "node:assert/strict";
import {execFileSync, spawnSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [packageFolder, exporter, mnist, ...folders] = process.argv.slice(2).map(name => path.resolve(name));
const onnxport = await import(pathToFileURL(path.join(packageFolder, "node.mjs")));
const work = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), "web."));

const command = (...words) => spawnSync(exporter, words, {encoding: "utf8"});
const archives = folder => fs.readdirSync(folder, {recursive: true}).filter(name => /\.pt2?$/.test(name)).sort()
                               .map(name => path.join(folder, name));

// A file beside a .pt describes its inputs, which the .pt does not.
function inputsOf(archive) {
  const file = archive.replace(/\.pt$/, "").replace(/\.(scripted|traced)$/, "") + ".inputs";
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
}

// A folder of its own for a test, and what is in it.
let tests = 0;
function newFolder() {
  const folder = path.join(work, String(++tests));
  fs.mkdirSync(folder);
  return folder;
}
const names = folder => fs.readdirSync(folder).sort();
function assertSameFile(one, other) {
  assert.ok(fs.readFileSync(one).equals(fs.readFileSync(other)), `${one} and ${other} have other bytes`);
}
function assertSameFiles(one, other) {
  assert.deepEqual(names(one), names(other));
  for (const name of names(one)) assertSameFile(path.join(one, name), path.join(other, name));
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof onnxport.ExportError, error.stack);
    return error;
  }
  assert.fail("it did not fail");
}

async function sameBytes() {
  let count = 0;
  for (const archive of folders.flatMap(archives)) {
    const [expected, found] = [newFolder(), newFolder()];
    const inputs = inputsOf(archive);
    const told = command("export", archive, ...inputs.flatMap(input => ["--input", input]), "-o", path.join(expected, "m.onnx"));
    const exported = onnxport.exportModel(archive, {inputs}, {output: path.join(found, "m.onnx")});
    if (told.status === 0) {
      await exported.catch(error => assert.fail(`${archive}: ${error.stack}`));
      ++count;
    } else {
      assert.equal((await failure(exported)).status, told.status, `${archive}: ${told.stderr}`);
    }
    assertSameFiles(expected, found);
    for (const folder of [expected, found]) fs.rmSync(folder, {recursive: true});
  }
  assert.ok(count >= 20, `only ${count} models were compared`);
  console.log(`${count} models of the same bytes`);
}

async function sameFilesOfWeights() {
  for (const external of ["always", "safetensors"]) {
    const [expected, found] = [newFolder(), newFolder()];
    const input = "x=f32[batch,1,28,28]";
    command("export", mnist, "--input", input, "--external-data", external, "-o", path.join(expected, "m.onnx"));
    await onnxport.exportModel(mnist, {inputs: [input], external_data: external}, {output: path.join(found, "m.onnx")});
    assert.equal(names(found).length, 2);
    assertSameFiles(expected, found);
  }
}

async function takesWeights() {
  const folder = newFolder();
  const at = name => path.join(folder, name);
  await onnxport.exportModel(mnist, {external_data: "safetensors"}, {output: at("all.onnx")});
  const weights = at(names(folder).find(name => name.endsWith(".safetensors")));
  await onnxport.exportModel(mnist, {weights_as_inputs: true}, {output: at("open.onnx")});
  await onnxport.applyWeights(at("open.onnx"), weights, {output: at("applied.onnx")});
  command("apply-weights", at("open.onnx"), "--weights", weights, "-o", at("expected.onnx"));
  assertSameFile(at("applied.onnx"), at("expected.onnx"));
  await onnxport.exportModel(mnist, {weights}, {output: at("given.onnx")});
  command("export", mnist, "--weights", weights, "-o", at("expected.onnx"));
  assertSameFile(at("given.onnx"), at("expected.onnx"));
  await onnxport.exportModel(mnist, {weights: new Uint8Array(fs.readFileSync(weights))}, {output: at("bytes.onnx")});
}

async function replaces() {
  const folder = newFolder();
  const output = path.join(folder, "m.onnx");
  fs.writeFileSync(output, "before", {mode: 0o600});
  await onnxport.exportModel(mnist, {}, {output});
  assert.equal(fs.statSync(output).mode & 0o777, 0o600);
  const before = fs.readFileSync(output);
  await onnxport.exportModel(new Uint8Array(fs.readFileSync(mnist)), {}, {output});
  assert.ok(before.equals(fs.readFileSync(output)), "bytes make another model than their file");
  assert.deepEqual(names(folder), ["m.onnx"]);
}

async function tells() {
  const told = [];
  const {report, memory} = await onnxport.exportModel(mnist, {}, {onProgress: (...progress) => told.push(progress)});
  assert.equal(report.inputs.length, 1);
  assert.equal(report.files, undefined);
  for (const stage of ["read", "trace", "passes"]) assert.ok(told.some(([name]) => name === stage), stage);
  assert.ok(memory > 0);
}

async function refuses() {
  const output = path.join(newFolder(), "m.onnx");
  const usage = await failure(onnxport.exportModel(mnist, {opsett: 18}, {output}));
  assert.equal(usage.status, 2);
  assert.match(usage.message, /opsett/);
  const folder = await failure(onnxport.exportModel(mnist, {}, {output: "/nowhere/at/all/m.onnx"}));
  assert.equal(folder.status, 4);
  const device = await failure(onnxport.exportModel("/dev/null", {}, {output}));
  assert.match(device.message, /no regular file/);
  const missing = await failure(onnxport.exportModel("/nowhere.pt2", {}, {output}));
  assert.equal(missing.status, 3);
  assert.match(missing.message, /nowhere\.pt2/);
  const bytes = fs.readFileSync(mnist);
  bytes[bytes.length >> 1] ^= 1;
  const damaged = await failure(onnxport.exportModel(new Uint8Array(bytes), {}, {output}));
  assert.equal(damaged.status, 3, damaged.message);
  assert.equal(damaged.report.kind, "bad_input");
  const axis = await failure(onnxport.exportModel(mnist, {inputs: ["x=f32[batch,1,w,28]"]}, {output}));
  assert.equal(axis.status, 1, axis.message);
  assert.deepEqual(names(path.dirname(output)), []);
}

async function leavesNothing() {
  const large = folders.flatMap(archives).map(file => [fs.statSync(file).size, file]).sort(([a], [b]) => b - a)[0][1];
  for (const stop of ["read", "write"]) {
    const folder = newFolder();
    const output = path.join(folder, "m.onnx");
    const controller = new AbortController();
    const onProgress = stage => stage === stop && controller.abort(new Error("enough"));
    const exported = onnxport.exportModel(large, {inputs: inputsOf(large)}, {output, onProgress, signal: controller.signal});
    await assert.rejects(exported, /enough/);
    assert.deepEqual(names(folder), []);
  }
  await assert.rejects(onnxport.exportModel(mnist, {}, {signal: AbortSignal.abort(new Error("before"))}), /before/);
}

// Weights are streamed: those of a model of 100 MB leave memory where a small one has it.
async function streams() {
  const large = folders.flatMap(archives).find(file => fs.statSync(file).size > 50e6);
  const output = path.join(newFolder(), "m.onnx");
  const {memory} = await onnxport.exportModel(large, {inputs: inputsOf(large)}, {output});
  const size = fs.statSync(large).size;
  console.log(`${path.basename(large)}: ${size} bytes, ${memory} of memory`);
  assert.ok(memory < size, `${memory} bytes of memory`);
}

async function shows() {
  const output = path.join(newFolder(), "m.onnx");
  await onnxport.exportModel(mnist, {}, {output});
  assert.equal(await onnxport.inspect(mnist), execFileSync(exporter, ["inspect", mnist], {encoding: "utf8"}));
  const page = path.join(path.dirname(output), "m.html");
  execFileSync(exporter, ["inspect", output, "--html", page]);
  assert.equal(await onnxport.inspect(output, {}, {html: true}), fs.readFileSync(page, "utf8"));
  const axes = JSON.parse(execFileSync(exporter, ["export", mnist, "--check-axes", "--json"], {encoding: "utf8"}));
  assert.deepEqual(await onnxport.checkAxes(mnist), axes);
  for (const list of ["ops", "targets"]) {
    assert.deepEqual(await onnxport[list](), JSON.parse(execFileSync(exporter, [list, "--json"], {encoding: "utf8"})));
  }
  const {version} = await onnxport.version();
  assert.match(command("--version").stdout, new RegExp(`^exporter ${version}\\b`));
}

// A program without an end to its calls, as a model may be too deep for an engine's stack.
async function endsDeepCalls() {
  const {runProgram} = await import(pathToFileURL(path.join(packageFolder, "program.mjs")));
  const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 0x13, 2, 6, 0x6d, 0x65, 0x6d, 0x6f,
                 0x72, 0x79, 2, 0, 6, 0x5f, 0x73, 0x74, 0x61, 0x72, 0x74, 0, 0, 10, 6, 1, 4, 0, 0x10, 0, 0x0b];
  const {status, text} = runProgram(new WebAssembly.Module(new Uint8Array(bytes)), [], {}, () => {});
  assert.equal(status, 1);
  assert.match(JSON.parse(text).diagnostics[0].reason, /nested too deep/);
}

for (const test of [endsDeepCalls, shows, tells, refuses, replaces, sameFilesOfWeights, takesWeights, streams, leavesNothing, sameBytes]) {
  console.log(test.name);
  await test();
}
fs.rmSync(work, {recursive: true});
console.log("PASSED");
