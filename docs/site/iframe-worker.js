// A page that is opened from the disk may start no worker. Here a frame takes its place, so that the search works there,
// too: it runs the same script, and both sides get the same messages.
"use strict";
if (location.protocol === "file:") {
  window.Worker = class {
    onmessage = null;
    onerror = null;
    #frame = document.createElement("iframe");
    #loaded;

    constructor(url) {
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const { contentDocument, contentWindow } = this.#frame;
      contentWindow.postMessage = (data) => this.onmessage?.(new MessageEvent("message", { data }));
      this.#loaded = new Promise((resolve) => {
        const onerror = (event) => this.onerror?.(event);
        contentDocument.body.append(Object.assign(contentDocument.createElement("script"), { src: url, onload: resolve, onerror }));
      });
    }

    postMessage(data) {
      this.#loaded.then(() => this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
