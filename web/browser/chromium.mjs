// A browser for tests: Chromium, by its protocol for debuggers.

import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

// Of a process that may say more than once where it listens: the first address.
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", data => {
      said += data;
      const found = /DevTools listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
    child.on("exit", () => reject(new Error(`the browser ended: ${said}`)));
  });
}

class Connection {
  #socket;
  #waiting = new Map();
  #calls = 0;
  listeners = [];  // of events: (method, params, session)

  static async to(url) {
    const connection = new Connection();
    connection.#socket = new WebSocket(url);
    await new Promise((resolve, reject) => Object.assign(connection.#socket, {onopen: resolve, onerror: reject}));
    connection.#socket.onmessage = ({data}) => connection.#hear(JSON.parse(data));
    return connection;
  }

  #hear({id, result, error, method, params, sessionId}) {
    if (id === undefined) return this.listeners.forEach(listener => listener(method, params, sessionId));
    const {resolve, reject} = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(`${error.message} ${error.data ?? ""}`));
    else resolve(result);
  }

  send(method, params = {}, sessionId = undefined) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#calls, {resolve, reject});
      this.#socket.send(JSON.stringify({id: this.#calls, method, params, sessionId}));
    });
  }

  close() { this.#socket.close(); }
}

// A tab.
export class Page {
  problems = [];  // what its console had to complain of

  constructor(connection, session) {
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

  // What the expression gives, or what its promise comes to.
  async evaluate(expression) {
    const {result, exceptionDetails} =
        await this.send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true, userGesture: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Waits until the expression gives something that is true, and gives it.
  async until(expression) {
    for (;;) {
      const value = await this.evaluate(expression);
      if (value) return value;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  click(selector) { return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`); }

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

export class Browser {
  // `program`: of Chromium or Chrome. `folder`: an empty one for its profile and what is downloaded.
  static async start(program, folder, {width = 1000, more = []} = {}) {
    const words = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", `--window-size=${width},900`,
                   "--remote-debugging-port=0", `--user-data-dir=${path.join(folder, "profile")}`, ...more, "about:blank"];
    const browser = new Browser();
    browser.child = spawn(program, words, {stdio: ["ignore", "ignore", "pipe"]});
    browser.connection = await Connection.to(await addressOf(browser.child));
    browser.downloads = path.join(folder, "saved");
    await browser.connection.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: browser.downloads});
    return browser;
  }

  async newPage() {
    const {targetId} = await this.connection.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.connection.send("Target.attachToTarget", {targetId, flatten: true});
    const page = new Page(this.connection, sessionId);
    for (const domain of ["Log", "Runtime", "Page", "DOM", "Network"]) await page.send(`${domain}.enable`);
    return page;
  }

  // The file that was downloaded, once it is all there.
  async downloaded(name, size) {
    const file = path.join(this.downloads, name);
    while (!fs.existsSync(file) || fs.statSync(file).size !== size) await new Promise(resolve => setTimeout(resolve, 50));
    return file;
  }

  close() {
    this.connection.close();
    this.child.kill();
  }
}
