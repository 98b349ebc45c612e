// Shared by the browsers of the tests: a process, a connection to it, and tabs.

import {spawn} from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const pause = () => new Promise(resolve => setTimeout(resolve, 50));

// A connection for messages in JSON that are calls, answers and events, as browsers take them.
export class Connection {
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

  // An error is an object (Chromium's protocol), or a word with the message beside it (BiDi).
  #hear({id, result, error, message, method, params, sessionId}) {
    if (id === undefined || id === null) return this.listeners.forEach(listener => listener(method, params, sessionId));
    const {resolve, reject} = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(message ?? `${error.message} ${error.data ?? ""}`));
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

// A tab. Each browser's has open(url), before(script), evaluate(expression), choose(selector, files), look({width, dark}) and
// screenshot(file).
export class Tab {
  problems = [];  // what its console had to complain of

  // Waits until the expression gives something that is true, and gives it.
  async until(expression) {
    for (;;) {
      const value = await this.evaluate(expression);
      if (value) return value;
      await pause();
    }
  }

  click(selector) { return this.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`); }
}

export class Browser {
  // `folder`: an empty one for its profile and what is downloaded.
  constructor(folder) {
    this.downloads = path.join(folder, "saved");
  }

  // Starts the program: where it says that it listens, which is the pattern's first group. It may say so more than once.
  launch(program, words, pattern) {
    this.child = spawn(program, words, {stdio: ["ignore", "ignore", "pipe"]});
    return new Promise((resolve, reject) => {
      let said = "";
      this.child.stderr.on("data", data => {
        said += data;
        const found = pattern.exec(said);
        if (found) resolve(found[1]);
      });
      this.child.on("exit", () => reject(new Error(`the browser ended: ${said}`)));
    });
  }

  // The file that was downloaded, once it is all there: until then there is none, or an empty one beside a part.
  async downloaded(name) {
    const file = path.join(this.downloads, name);
    const isThere = () => fs.existsSync(file) && fs.statSync(file).size > 0;
    while (!isThere() || fs.readdirSync(this.downloads).some(one => one.endsWith(".part"))) await pause();
    return file;
  }

  close() {
    this.connection.close();
    this.child.kill();
  }
}
