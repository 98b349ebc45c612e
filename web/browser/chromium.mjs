// A browser for tests: Chromium, by its protocol for debuggers.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

import {Browser, Connection, Tab} from "./browser.mjs";

class ChromiumTab extends Tab {
  constructor(connection, session) {
    super();
    this.connection = connection;
    this.session = session;
    connection.listeners.push((method, params, from) => {
      if (from !== session) return;
      if (method === "Log.entryAdded" && params.entry.level !== "info") this.problems.push(JSON.stringify(params.entry));
      if (method === "Runtime.exceptionThrown") this.problems.push(JSON.stringify(params));
    });
  }

  send(method, params) { return this.connection.send(method, params, this.session); }

  async open(url) {
    const loaded = new Promise(resolve => this.connection.listeners.push(
        (method, _, from) => from === this.session && method === "Page.loadEventFired" && resolve()));
    const {errorText} = await this.send("Page.navigate", {url});
    assert.equal(errorText, undefined, `${url}: ${errorText}`);
    await loaded;
  }

  // Runs the script in each page before its own.
  before(source) { return this.send("Page.addScriptToEvaluateOnNewDocument", {source}); }

  // Returns the value of the expression, or of its promise.
  async evaluate(expression) {
    const {result, exceptionDetails} =
        await this.send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true, userGesture: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // As a user does who chooses files in the browser's window for that.
  async choose(selector, files) {
    const {root} = await this.send("DOM.getDocument");
    const {nodeId} = await this.send("DOM.querySelector", {nodeId: root.nodeId, selector});
    await this.send("DOM.setFileInputFiles", {nodeId, files});
  }

  async look({width, dark}) {
    await this.send("Emulation.setDeviceMetricsOverride", {width, height: 900, deviceScaleFactor: 1, mobile: false});
    await this.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
  }

  // All of the page, down to its end: in a window as high, as frames below the window are not drawn.
  async screenshot(file) {
    const {cssContentSize: {width, height}} = await this.send("Page.getLayoutMetrics");
    await this.send("Emulation.setDeviceMetricsOverride", {width, height: Math.ceil(height), deviceScaleFactor: 1, mobile: false});
    await this.evaluate("scrollTo(0, 0)");
    await new Promise(resolve => setTimeout(resolve, 500));
    const {data} = await this.send("Page.captureScreenshot");
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }
}

export class Chromium extends Browser {
  // `program`: of Chromium or Chrome.
  static async start(program, folder) {
    const browser = new Chromium(folder);
    const words = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1000,900",
                   // A GPU that is a program.
                   "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
                   "--remote-debugging-port=0", `--user-data-dir=${path.join(folder, "profile")}`, "about:blank"];
    browser.connection = await Connection.to(await browser.launch(program, words, /DevTools listening on (ws:\S+)/));
    await browser.connection.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: browser.downloads});
    return browser;
  }

  async newPage() {
    const {targetId} = await this.connection.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.connection.send("Target.attachToTarget", {targetId, flatten: true});
    const page = new ChromiumTab(this.connection, sessionId);
    for (const domain of ["Log", "Runtime", "Page", "DOM", "Network"]) await page.send(`${domain}.enable`);
    return page;
  }
}
