// One call of the library in a browser, in a worker of its own (browser.mjs).

import {BrowserFiles} from "./browser_files.mjs";
import {runProgram} from "./program.mjs";

self.onmessage = async ({data: {module, words, given, folder}}) => {
  try {
    const files = await BrowserFiles.make(given, folder);
    const done = runProgram(module, words, files, (...progress) => self.postMessage({progress}));
    const written = await files.finish();
    self.postMessage({done: {...done, written}});
  } catch (error) {
    self.postMessage({broken: String(error?.stack ?? error)});
  }
};
