// One call of the library in Node.js, in a thread of its own (node.mjs).

import {parentPort, workerData} from "node:worker_threads";

import {NodeFiles} from "./node_files.mjs";
import {runProgram} from "./program.mjs";

const {module, words, given, mark} = workerData;
const tell = (...progress) => parentPort.postMessage({progress});
parentPort.postMessage({done: runProgram(module, words, new NodeFiles(mark, given), tell)});
