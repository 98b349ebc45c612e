// netron_test.mjs PACKAGE_FILE EXPORTER MNIST MODELS BERT: Netron opens what the exporter writes, without a word of complaint, and draws
// it. PACKAGE_FILE: one of Netron's own.

import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import {pictures, runTests, startBrowser, work} from "./setting.mjs";
import {Site} from "./site.mjs";

const [file, exporter, mnist, models, bert] = process.argv.slice(2).map(name => path.resolve(name));
const folder = path.join(work, "netron");

// Where it is no packaged program it does not ask for its users' statistics.
fs.cpSync(path.dirname(file), folder, {recursive: true, dereference: true});
const index = path.join(folder, "index.html");
fs.chmodSync(index, 0o644);
fs.writeFileSync(index, fs.readFileSync(index, "utf8").replace(/(name="version" content=)"[^"]*"/, '$1"0.0.0"'));

const site = await Site.of(folder);
const browser = await startBrowser();

// Name -> what is exported how.
const EXPORTS = {
  mnist: [mnist],
  mnist_int8: [mnist, "--weights-as", "int8"],
  mnist_data: [mnist, "--external-data", "always"],
  loop: [path.join(models, "counted.pt"), "--input", "x=f32[n,4]", "--input", "n=i64[]"],
  bert: [path.join(bert, "bert.pt2")],
  bert_opset_21: [path.join(bert, "bert.pt2"), "--opset", "21"],
  bert_functions: [path.join(bert, "bert.pt2"), "--functions"],
};

async function opens(name) {
  const page = await browser.newPage();
  await page.send("Network.setCookie", {name: "consent", value: "1", url: site.address});
  await page.look({width: 1600, dark: false});
  await page.open(`${site.address}?url=${name}.onnx`);
  const shown = await page.until(`/default|notification|alert/.test(document.body.className) && document.body.className`);
  assert.equal(shown, "default", await page.evaluate(`document.getElementById("message-text")?.innerText`));
  assert.deepEqual(page.problems, []);
  assert.ok(await page.evaluate(`document.querySelectorAll(".node").length`) > 2);
  await page.screenshot(path.join(pictures, `netron-${name}.png`));
}

async function opensWhatIsExported() {
  for (const [name, words] of Object.entries(EXPORTS)) {
    execFileSync(exporter, ["export", ...words, "-o", path.join(folder, `${name}.onnx`)]);
    await opens(name);
  }
}

// The test would notice.
async function complainsOfOthers() {
  fs.writeFileSync(path.join(folder, "damaged.onnx"), "no model");
  await assert.rejects(opens("damaged"));
}

await runTests([opensWhatIsExported, complainsOfOthers], async () => {
  await browser.close();
  site.close();
});
