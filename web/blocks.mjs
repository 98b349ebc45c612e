// The blocks of JavaScript on pages, for the tests that run them: in Node.js, or in a browser where they ask for its user's files.

import fs from "node:fs";

const BLOCK = /^```js\n(.*?)^```$/gms;

const isOfBrowsers = text => /showDirectoryPicker|\.files\[/.test(text);

function blocksOf(path) {
  const page = fs.readFileSync(path, "utf8");
  return [...page.matchAll(BLOCK)].map(({1: text, index}) => ({place: `${path}:${page.slice(0, index).split("\n").length}`, text}));
}

export const nodeBlocks = paths => paths.flatMap(blocksOf).filter(({text}) => !isOfBrowsers(text));
export const browserBlocks = paths => paths.flatMap(blocksOf).filter(({text}) => isOfBrowsers(text));
