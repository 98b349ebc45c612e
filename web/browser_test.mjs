// browser_test.mjs PACKAGE EXPORTER MNIST: the package's module for browsers, in Node.js with stand-ins for what a browser
// has: files that are read by slices, workers, the origin's private file system. The model is the command's.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {pathToFileURL} from "node:url";

const [packageFolder, exporter, mnist] = process.argv.slice(2).map(name => path.resolve(name));

// A File whose bytes can be had at once.
let largestSlice = 0;
class FakeFile extends Blob {
  constructor(bytes, name) {
    super([bytes]);
    this.bytes = bytes;
    this.name = name;
    this.lastModified = 1;
  }
  slice(from, end) {
    const bytes = this.bytes.subarray(from, end);
    largestSlice = Math.max(largestSlice, bytes.length);
    return {bytes};
  }
}
globalThis.FileReaderSync = class {
  readAsArrayBuffer({bytes}) { return bytes.slice().buffer; }
};

const notFound = name => Object.assign(new Error(name), {name: "NotFoundError"});

class FakeFileHandle {
  constructor(folder, name) {
    this.folder = folder;
    this.name = name;
    this.bytes = new Uint8Array(0);
    this.open = false;
  }
  async createSyncAccessHandle() {
    assert.ok(!this.open);
    this.open = true;
    const handle = this;
    return {
      getSize: () => handle.bytes.length,
      read(out, {at}) {
        const part = handle.bytes.subarray(at, at + out.length);
        out.set(part);
        return part.length;
      },
      write(bytes, {at}) {
        if (handle.folder.quota !== undefined && at + bytes.length > handle.folder.quota) {
          throw Object.assign(new Error("no room"), {name: "QuotaExceededError"});
        }
        const all = new Uint8Array(Math.max(handle.bytes.length, at + bytes.length));
        all.set(handle.bytes);
        all.set(bytes, at);
        handle.bytes = all;
        return bytes.length;
      },
      truncate(size) { handle.bytes = handle.bytes.slice(0, size); },
      flush() {},
      close() { handle.open = false; },
    };
  }
  async getFile() { return new File([this.bytes], this.name); }
  async move(...where) {
    assert.ok(!this.open);
    this.folder.entries.delete(this.name);
    if (where.length === 2) this.folder = where.shift();
    this.name = where[0];
    this.folder.entries.set(this.name, this);
  }
}

class FakeFolder {
  entries = new Map();
  #get(name, make, create) {
    if (!this.entries.has(name)) {
      if (!create) throw notFound(name);
      this.entries.set(name, make());
      this.entries.get(name).quota = this.quota;
    }
    return this.entries.get(name);
  }
  async getFileHandle(name, {create} = {}) { return this.#get(name, () => new FakeFileHandle(this, name), create); }
  async getDirectoryHandle(name, {create} = {}) { return this.#get(name, () => new FakeFolder(), create); }
  async removeEntry(name) {
    if (!this.entries.delete(name)) throw notFound(name);
  }
}

const root = new FakeFolder();
Object.defineProperty(globalThis, "navigator", {value: {storage: {getDirectory: async () => root}}, configurable: true});
globalThis.fetch = async url => new Response(fs.readFileSync(url), {headers: {"Content-Type": "application/wasm"}});

// Workers that run in this thread, one after another.
globalThis.self = {};
let workers = 0;
globalThis.Worker = class {
  constructor(url) { this.url = `${url}?${++workers}`; }
  async postMessage(data) {
    await import(this.url);
    globalThis.self.postMessage = message => this.onmessage({data: message});
    globalThis.self.onmessage({data});
  }
  terminate() {}
};

const onnxport = await import(pathToFileURL(path.join(packageFolder, "browser.mjs")));
const work = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), "browser."));
const input = "x=f32[batch,1,28,28]";
execFileSync(exporter, ["export", mnist, "--input", input, "--external-data", "always", "-o", path.join(work, "m.onnx")]);
const expected = new Map(fs.readdirSync(work).map(name => [name, fs.readFileSync(path.join(work, name))]));
const file = new FakeFile(new Uint8Array(fs.readFileSync(mnist)), "mnist.pt2");
const options = {inputs: [input], external_data: "always"};
const kept = async () => (await root.getDirectoryHandle("onnxport")).entries;

async function assertExpected(found) {
  assert.deepEqual(found.map(({name}) => name).sort(), [...expected.keys()].sort());
  for (const one of found) {
    assert.ok(expected.get(one.name).equals(Buffer.from(await one.arrayBuffer())), `${one.name}: other bytes`);
  }
}

async function asFiles() {
  const stages = new Set();
  const {files, report, remove} = await onnxport.exportModel(file, options, {output: "m.onnx", onProgress: stage => stages.add(stage)});
  await assertExpected(files);
  assert.equal(report.inputs[0].name, "x");
  assert.ok(stages.has("trace") && stages.has("write"));
  assert.ok(largestSlice <= 2 << 20, `a slice of ${largestSlice} bytes`);
  assert.equal((await kept()).size, 1);
  await remove();
  assert.equal((await kept()).size, 0);
}

async function inFolder() {
  const folder = new FakeFolder();
  const {files} = await onnxport.exportModel(file, options, {output: {name: "m.onnx", folder}});
  await assertExpected(files);
  assert.deepEqual([...folder.entries.keys()].sort(), [...expected.keys()].sort());
  assert.equal((await kept()).size, 0);
}

async function asStreams() {
  await giveStreams();
  assert.equal((await kept()).size, 0);
}

async function giveStreams() {
  const chunks = new Map();
  const stream = name => {
    chunks.set(name, []);
    return new WritableStream({write: chunk => { chunks.get(name).push(chunk); }});
  };
  await onnxport.exportModel(file, options, {output: {name: "m.onnx", stream}});
  await assertExpected([...chunks].map(([name, parts]) => new File(parts, name)));
}

// A private window has no private file system.
async function inMemory() {
  const {storage} = navigator;
  for (const none of [{getDirectory: () => Promise.reject(new Error("not here"))}, {}, undefined]) {
    navigator.storage = none;
    const {files, remove} = await onnxport.exportModel(file, options, {output: "m.onnx"});
    await assertExpected(files);
    await remove();
  }
  await giveStreams();
  navigator.storage = storage;
}

// Its blocks are one file: against one array.
async function rememberBlocks() {
  const {MemoryAccess} = await import(pathToFileURL(path.join(packageFolder, "memory_access.mjs")));
  const access = new MemoryAccess();
  const all = Buffer.alloc(10 << 20);
  for (const [at, size, value] of [[0, 100, 1], [50, 5 << 20, 2], [(4 << 20) - 1, 2, 3], [9 << 20, 1 << 20, 4]]) {
    assert.equal(access.write(new Uint8Array(size).fill(value), {at}), size);
    all.fill(value, at, at + size);
  }
  assert.equal(access.getSize(), all.length);
  assert.ok(all.equals(Buffer.concat(access.parts())));
  const read = Buffer.alloc(6 << 20);
  assert.equal(access.read(read, {at: 3 << 20}), read.length);
  assert.ok(read.equals(all.subarray(3 << 20, 9 << 20)));
  assert.equal(access.read(read, {at: (10 << 20) - 5}), 5);
  assert.equal(access.read(read, {at: 11 << 20}), 0);
  access.truncate(0);
  assert.deepEqual([access.getSize(), access.parts()], [0, []]);
}

async function refuses() {
  const damaged = new FakeFile(file.bytes.slice(), "mnist.pt2");
  damaged.bytes[damaged.bytes.length >> 1] ^= 1;
  await assert.rejects(onnxport.exportModel(damaged, options, {output: "m.onnx"}),
                       error => error instanceof onnxport.ExportError && error.status === 3);
  (await root.getDirectoryHandle("onnxport")).quota = 1000;
  await assert.rejects(onnxport.exportModel(file, options, {output: "m.onnx"}),
                       error => error.status === 4 && /[Nn]o space/.test(error.message));
  delete (await root.getDirectoryHandle("onnxport")).quota;
  await assert.rejects(onnxport.exportModel(file, options, {output: {name: "m.onnx", stream: () => { throw new Error("no stream"); }}}),
                       /no stream/);
  assert.equal((await kept()).size, 0);
}

async function reads() {
  assert.equal(await onnxport.inspect(file), execFileSync(exporter, ["inspect", mnist], {encoding: "utf8"}));
  assert.equal(await onnxport.inspect(file.bytes).catch(error => error.status), 3, "bytes are no FakeFile, and cannot be read");
}

for (const test of [asFiles, inFolder, asStreams, inMemory, rememberBlocks, refuses, reads]) {
  console.log(test.name);
  await test();
}
fs.rmSync(work, {recursive: true});
console.log("PASSED");
