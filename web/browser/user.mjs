// Somebody who uses the page.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {work} from "./setting.mjs";

export const python = (script, ...words) => ["python3", ["-B", path.resolve("web/browser", script), ...words]];

// The bytes that the command makes of the model.
export function commandBytes(exporter, model, ...words) {
  const file = path.join(work, "expected.onnx");
  execFileSync(exporter, ["export", model, ...words, "-o", file]);
  return fs.readFileSync(file);
}

// ONNX Runtime's results for the inputs, [{name, type, dims, values}].
export function expectedOf(model, feeds) {
  return JSON.parse(execFileSync(...python("reference.py", model), {input: JSON.stringify(feeds), maxBuffer: 1 << 28}));
}

export function assertNear(found, expected) {
  assert.deepEqual(found.map(({name, type, dims}) => ({name, type, dims})), expected.map(({name, type, dims}) => ({name, type, dims})));
  for (const [i, {name, values}] of found.entries()) {
    values.forEach((value, j) => {
      const right = expected[i].values[j];
      assert.ok(Math.abs(value - right) <= 1e-4 * Math.max(1, Math.abs(right)), `${name} ${j}: ${value}, and ${right} is right`);
    });
  }
}

export class User {
  constructor(browser, page, address) {
    Object.assign(this, {browser, page, address});
  }

  // Waits for the page to say so; fails where it says that something went wrong.
  async until(wanted) {
    const [text, bad] = await this.page.until(`(({textContent, classList}) =>
      (${wanted}.test(textContent) || classList.contains("bad")) && [textContent, classList.contains("bad")])(document.getElementById("status"))`);
    if (bad) throw new Error(text);
  }

  async open() {
    await this.page.open(this.address);
    await this.until(/is ready/);
  }

  async choose(...files) {
    await this.page.choose("#model", files);
    await this.untilLooked();
  }

  // Until the axes of the file are known.
  untilLooked() {
    return this.page.until(`document.getElementById("axes").hidden ||
      !/^Looking/.test(document.getElementById("axes-status").textContent)`);
  }

  // As a script does; `type` is what tells the page.
  fill(id, text) {
    const field = `document.getElementById(${JSON.stringify(id)})`;
    return this.page.evaluate(`void Object.assign(${field}, {value: ${JSON.stringify(text)}})`);
  }

  async type(id, text) {
    await this.fill(id, text);
    await this.page.evaluate(`document.getElementById(${JSON.stringify(id)}).dispatchEvent(new Event("change"))`);
  }

  valueOf(id) { return this.page.evaluate(`document.getElementById(${JSON.stringify(id)}).value`); }
  textOf(selector) { return this.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`); }

  async press(selector) {
    await this.page.click(selector);
    await this.until(/^Done/);
  }

  // Clicks on a link to save a file: where it is, once it is there.
  async save(selector, name) {
    fs.rmSync(path.join(this.browser.downloads, name), {force: true});
    await this.page.click(selector);
    return this.browser.downloaded(name);
  }

  async assertSaved(name, expected) {
    const saved = await this.save("#files a", name);
    assert.ok(fs.readFileSync(saved).equals(expected), `${name}: other bytes than the command's`);
  }
}
