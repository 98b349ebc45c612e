// Shows the results of a run: times, a table, and files of them.

import {typeText} from "./element_types.mjs";
import {at, element, row} from "./elements.mjs";
import {canBeNpy, writeNpy} from "./npy.mjs";
import {numbersOf} from "./tensors.mjs";

let addresses = [];  // of what can be saved

const short = value => typeof value === "number" ? Number(value.toPrecision(6)).toString() : String(value ?? "");

function addressOf(blob) {
  addresses.push(URL.createObjectURL(blob));
  return addresses.at(-1);
}

function npyLink(output) {
  if (!canBeNpy(output.type)) return "";
  const download = `${output.name.replaceAll("/", "_")}.npy`;
  return element("a", {href: addressOf(writeNpy(output)), download, textContent: ".npy", ariaLabel: download});
}

function rowOf(output) {
  const {name, type, dims, data, least, mean, most, first} = output;
  const more = data.length > first.length ? " ..." : "";
  return row(name, typeText(type, dims), npyLink(output), short(least), short(mean), short(most), first.map(short).join(", ") + more);
}

function timesText(took) {
  const sorted = [...took].sort((one, other) => one - other);
  const half = `${sorted[sorted.length >> 1].toFixed(2)} ms`;
  return took.length === 1 ? half : `${half} in the middle of ${took.length} runs; the first took ${took[0].toFixed(2)} ms`;
}

export function showOutputs({took, outputs}) {
  addresses.forEach(address => URL.revokeObjectURL(address));
  addresses = [];
  at("took").textContent = timesText(took);
  at("outputs").querySelector("tbody").replaceChildren(...outputs.map(rowOf));
  const all = outputs.map(output => ({name: output.name, type: output.type, dims: output.dims, values: numbersOf(output)}));
  at("save-outputs").href = addressOf(new Blob([JSON.stringify(all)]));
  at("outputs").hidden = false;
}
