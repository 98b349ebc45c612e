// The table of axes: which can be free, as the exporter finds out when a file is chosen. A check or a name there becomes a
// line of the field for inputs, which is what an export reads.

import {ExportError, checkAxes} from "./onnxport/browser.mjs";
import {at, element, row} from "./elements.mjs";
import {linesOf, withSize} from "./input_lines.mjs";
import {messageOf} from "./messages.mjs";

const MOST_SECONDS = 30;
let controller = null;

// State of the file that is looked at: numbers of axes that lines may have freed since, and the lines that the page
// itself wrote.
let model = undefined;
const numbers = new Map();
let written = "";

const keyOf = ({input, axis}) => `${input} ${axis}`;
const isNumber = ({size}) => typeof size === "number";
const nameFor = ({axis}) => axis === 0 ? "batch" : `size${axis}`;

function write(text) {
  at("inputs").value = written = text;
}

function put(reports, report, size) {
  const axes = reports.filter(({input}) => input === report.input);
  write(withSize(at("inputs").value, axes, report.axis, size));
}

// Returns whether two axes are free only together, or have one name already.
function areOne(report, other) {
  if (!isNumber(report) && report.size === other.size && report.size !== "?") return true;
  return report.together.some(one => keyOf(one) === keyOf(other));
}

// The controls of one axis. `rows`: those of all, as some axes are free only together.
function controlsOf(report, reports, rows) {
  const what = `axis ${report.axis} of ${report.input}`;
  const number = numbers.get(keyOf(report));
  const box = element("input", {type: "checkbox", checked: !isNumber(report), ariaLabel: `${what} is free`});
  const name = element("input", {
    value: isNumber(report) ? nameFor(report) : report.size,
    ariaLabel: `name of ${what}`,
    pattern: "[A-Za-z_][A-Za-z_0-9]*",
    size: 10,
    disabled: !box.checked,
  });
  // An axis that is free in the file can have another name; a number for it is written by hand.
  box.disabled = number === undefined;
  if (!/^[A-Za-z_]\w*$/.test(name.value)) name.disabled = true;  // computed of others
  const others = () => reports.filter(other => other !== report && areOne(report, other)).map(other => rows.get(keyOf(other)));
  const change = () => {
    for (const one of [rows.get(keyOf(report)), ...others()]) one.set(box.checked, name.value);
  };
  box.addEventListener("change", change);
  name.addEventListener("change", change);
  const set = (free, text) => {
    if (!free && number === undefined) return;
    box.checked = free;
    name.value = text;
    name.disabled = !free;
    put(reports, report, free ? text : number);
  };
  return {box, name, set};
}

function fixedRow(report) {
  const why = element("details", {}, element("summary", {textContent: "fixed"}),
                      element("pre", {textContent: report.fixed_by, tabIndex: 0}));
  return row(report.input, String(report.axis), String(report.size), why, "");
}

function show(reports) {
  const rows = new Map();
  const shown = reports.map(report => {
    if (!report.free) return fixedRow(report);
    const controls = controlsOf(report, reports, rows);
    rows.set(keyOf(report), controls);
    const together = report.together.map(({input, axis}) => `axis ${axis} of ${input}`).join(", ");
    return row(report.input, String(report.axis), String(report.size),
               element("span", {}, controls.box, together === "" ? "" : ` with ${together}`), controls.name);
  });
  at("axes-table").tBodies[0].replaceChildren(...shown);
  at("axes-table").hidden = reports.length === 0;
}

function tell(text) { at("axes-status").textContent = text; }

// Forgets what was of another file; lines that nobody but the page wrote go with it.
function begin(file) {
  if (file === model) return;
  model = file;
  numbers.clear();
  if (at("inputs").value === written) write("");
}

// A `.pt2` says itself what its inputs are.
const needsLines = file => /\.(pt|pth)$/.test(file.name) && at("inputs").value.trim() === "";

// A `.pt` that was traced has inputs as of its trace, which are shown as lines to change.
function describe(file, reports) {
  if (needsLines(file)) write(linesOf(reports));
}

function textAbout(reports) {
  const hasOwn = reports.some(report => report.free && numbers.get(keyOf(report)) === undefined);
  const own = hasOwn ? " What the file itself leaves free stays free, and can have another name." : "";
  return `A checked axis is free: each run gives its size.${own}`;
}

const ofScripts = "This file does not record its inputs, as it was scripted: describe each in the field for inputs, one a line.";

function failureText(file, error) {
  if (!(error instanceof ExportError)) return `The options cannot be read: ${error.message}`;
  return needsLines(file) && error.status === 2 ? `${ofScripts}\n${messageOf(error)}` : messageOf(error);
}

// Looks at the file's axes with these options, in place of a look that goes on; `options` may throw.
export async function offerAxes(file, options) {
  controller?.abort();
  const {signal} = controller = new AbortController();
  begin(file);
  at("axes").hidden = file === undefined || file.name.endsWith(".onnx");
  at("axes-table").hidden = true;
  if (at("axes").hidden) return;
  tell("Looking which axes can be free ...");
  try {
    const reports = await checkAxes(file, {...options(), max_seconds: MOST_SECONDS}, {signal});
    for (const report of reports) if (isNumber(report)) numbers.set(keyOf(report), report.size);
    describe(file, reports);
    show(reports);
    tell(textAbout(reports));
  } catch (error) {
    if (!signal.aborted) tell(failureText(file, error));
  }
}

export const stopLooking = () => controller?.abort();
