// A server of static files, which knows what was asked for.

import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

export class Site {
  asked = [];

  static async of(folder) {
    const site = new Site();
    site.server = http.createServer((request, response) => site.#answer(folder, request, response));
    await new Promise(resolve => site.server.listen(0, "127.0.0.1", resolve));
    site.address = `http://127.0.0.1:${site.server.address().port}/`;
    return site;
  }

  #answer(folder, request, response) {
    const {pathname} = new URL(request.url, this.address);
    this.asked.push(pathname);
    const file = path.join(folder, pathname.endsWith("/") ? pathname + "index.html" : pathname);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {"Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream"});
    fs.createReadStream(file).pipe(response);
  }

  // From now on it is not there any more.
  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
