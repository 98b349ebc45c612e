// A browser for tests: Firefox, by WebDriver BiDi.

import fs from "node:fs";

import {Browser, Connection, Tab} from "./browser.mjs";

// A value as BiDi writes it: with its type.
function valueOf({type, value}) {
  if (type === "array") return value.map(valueOf);
  if (type === "object") return Object.fromEntries(value.map(([name, one]) => [name, valueOf(one)]));
  if (type === "number" && typeof value === "string") return Number(value.replace("-0", "0"));  // NaN, Infinity
  return type === "null" ? null : value;
}

class FirefoxTab extends Tab {
  constructor(connection, context) {
    super();
    this.connection = connection;
    this.context = context;
    connection.listeners.push((method, params) => {
      if (method !== "log.entryAdded" || params.source?.context !== context || ["info", "debug"].includes(params.level)) return;
      this.problems.push(JSON.stringify(params));
    });
  }

  send(method, params) { return this.connection.send(method, {context: this.context, ...params}); }

  open(url) { return this.send("browsingContext.navigate", {url, wait: "complete"}); }

  before(source) {
    return this.connection.send("script.addPreloadScript", {functionDeclaration: `() => { ${source} }`, contexts: [this.context]});
  }

  async #run(expression) {
    const target = {context: this.context};
    const {type, result, exceptionDetails} =
        await this.connection.send("script.evaluate", {expression, target, awaitPromise: true, userActivation: true});
    if (type === "exception") throw new Error(exceptionDetails.text);
    return result;
  }

  async evaluate(expression) { return valueOf(await this.#run(expression)); }

  async choose(selector, files) {
    const {sharedId} = await this.#run(`document.querySelector(${JSON.stringify(selector)})`);
    await this.send("input.setFiles", {element: {sharedId}, files});
  }

  // It cannot switch to dark colours while it runs.
  async look({width}) { await this.send("browsingContext.setViewport", {viewport: {width, height: 900}}); }

  async screenshot(file) {
    const {data} = await this.send("browsingContext.captureScreenshot", {origin: "document"});
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }
}

export class Firefox extends Browser {
  #contexts = [];

  // A Firefox that listens at the address already (web/browser/firefox).
  static async at(address, folder) {
    const browser = new Firefox(folder);
    browser.connection = await Connection.to(`${address}/session`);
    await browser.connection.send("session.new", {capabilities: {}});
    await browser.connection.send("session.subscribe", {events: ["log.entryAdded"]});
    fs.mkdirSync(browser.downloads, {recursive: true});
    await browser.connection.send(
        "browser.setDownloadBehavior", {downloadBehavior: {type: "allowed", destinationFolder: browser.downloads}});
    return browser;
  }

  async newPage() {
    const {context} = await this.connection.send("browsingContext.create", {type: "tab"});
    this.#contexts.push(context);
    return new FirefoxTab(this.connection, context);
  }

  // It stays for the next test.
  async close() {
    for (const context of this.#contexts) await this.connection.send("browsingContext.close", {context});
    await this.connection.send("session.end");
    this.connection.close();
  }
}
