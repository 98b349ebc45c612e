// The start of the tests in a browser: the page unpacked and served, and a browser.

import {execFileSync} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import {Chromium} from "./chromium.mjs";
import {Firefox} from "./firefox.mjs";
import {Site} from "./site.mjs";

export const work = fs.mkdtempSync(path.join(process.env.TEST_TMPDIR ?? os.tmpdir(), "browser."));

// Where pictures go: a folder of whoever will look at them (--test_env=PICTURES=FOLDER).
export const pictures = process.env.PICTURES ?? work;

export const startBrowser = () => process.env.FIREFOX ? Firefox.at(process.env.FIREFOX, work) : Chromium.start(process.env.CHROMIUM, work);

// `archive`: //web:page.
export function servePage(archive) {
  execFileSync("tar", ["-xzf", archive, "-C", work]);
  return Site.of(path.join(work, "onnxport-page"));
}

// Runs the functions, each of which is a test, one after another.
export async function runTests(tests, clean) {
  try {
    for (const test of tests) {
      console.log(test.name);
      await test();
    }
    console.log("PASSED");
  } finally {
    await clean();
  }
}
