// target_test.mjs PAGE PROFILE OTHER SAMPLES.py: tests the claims of spec/targets/ort-web.yaml with ONNX Runtime Web.
// If it claims that the target runs an operator with a dtype, a session can be made, otherwise it cannot.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {runTests, servePage, startBrowser, work} from "./setting.mjs";

const [archive, ...words] = process.argv.slice(2).map(name => path.resolve(name));
const site = await servePage(archive);
const browser = await startBrowser();
const rows = execFileSync("python3", ["-B", path.resolve("web/browser/target_models.py"), ...words], {maxBuffer: 1 << 28});
fs.writeFileSync(path.join(work, "onnxport-page", "rows.json"), rows);
fs.writeFileSync(path.join(work, "onnxport-page", "empty.html"), "<!doctype html><title>empty</title>");

// The names of models of which the runtime thinks otherwise.
const TRY = `(async () => {
  const ort = await import("/onnxruntime/ort.wasm.min.mjs");
  ort.env.wasm.wasmPaths = location.origin + "/onnxruntime/";
  ort.env.wasm.numThreads = 1;
  const wrong = [];
  for (const {name, claimed, model} of await (await fetch("rows.json")).json()) {
    const bytes = Uint8Array.from(atob(model), letter => letter.charCodeAt(0));
    const found = await ort.InferenceSession.create(bytes, {executionProviders: ["wasm"], logSeverityLevel: 4}).then(
        session => session.release().then(() => "runs"), error => error.message);
    if (claimed !== (found === "runs")) wrong.push(name + ": " + found);
  }
  return wrong;
})()`;

async function claimsWhatIsTrue() {
  const page = await browser.newPage();
  await page.open(site.address + "empty.html");
  assert.deepEqual(await page.evaluate(TRY), []);
  const claims = JSON.parse(rows).map(({claimed}) => claimed);
  assert.ok(claims.filter(claimed => claimed).length > 500);
  assert.ok(claims.filter(claimed => !claimed).length > 200);
}

await runTests([claimsWhatIsTrue], async () => {
  await browser.close();
  site.close();
});
