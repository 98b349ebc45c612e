// The table of axes: which can be free, as the exporter finds out when a file is chosen. A check or a name there becomes a
// line of the field for inputs, which is what an export reads.

import {ExportError, checkAxes} from "./onnxport/browser.mjs";
import {at, element, row} from "./elements.mjs";
import {withSize} from "./input_lines.mjs";
import {messageOf} from "./messages.mjs";

const MOST_SECONDS = 30;
let controller = null;

const keyOf = ({input, axis}) => `${input} ${axis}`;
const isNumber = ({size}) => typeof size === "number";
const nameFor = ({axis}) => axis === 0 ? "batch" : `size${axis}`;

function put(reports, report, size) {
  const axes = reports.filter(({input}) => input === report.input);
  at("inputs").value = withSize(at("inputs").value, axes, report.axis, size);
}

// The controls of one axis. `rows`: those of all, as some axes are free only together.
function controlsOf(report, reports, rows) {
  const what = `axis ${report.axis} of ${report.input}`;
  const box = element("input", {type: "checkbox", checked: !isNumber(report), ariaLabel: `${what} is free`});
  const name = element("input", {
    value: isNumber(report) ? nameFor(report) : report.size,
    ariaLabel: `name of ${what}`,
    pattern: "[A-Za-z_][A-Za-z_0-9]*",
    size: 10,
    disabled: !box.checked,
  });
  // An axis that is free in the file can have another name; a number for it is written by hand.
  box.disabled = !isNumber(report);
  if (!/^[A-Za-z_]\w*$/.test(name.value)) name.disabled = true;  // computed of others
  const write = () => put(reports, report, box.checked ? name.value : report.size);
  const others = () => report.together.map(other => rows.get(keyOf(other)));
  box.addEventListener("change", () => {
    for (const one of [rows.get(keyOf(report)), ...others()]) one.set(box.checked, name.value);
  });
  name.addEventListener("change", () => {
    for (const one of [rows.get(keyOf(report)), ...others()]) one.set(box.checked, name.value);
  });
  const set = (free, text) => {
    box.checked = free;
    name.value = text;
    name.disabled = !free;
    write();
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

// Looks at the file's axes with these options, in place of a look that goes on; `options` may throw.
export async function offerAxes(file, options) {
  controller?.abort();
  const {signal} = controller = new AbortController();
  at("axes").hidden = file === undefined || file.name.endsWith(".onnx");
  at("axes-table").hidden = true;
  if (at("axes").hidden) return;
  tell("Looking which axes can be free ...");
  try {
    show(await checkAxes(file, {...options(), max_seconds: MOST_SECONDS}, {signal}));
    tell("A checked axis is free: each run gives its size.");
  } catch (error) {
    if (signal.aborted) return;
    tell(error instanceof ExportError ? messageOf(error) : `The options cannot be read: ${error.message}`);
  }
}

export const stopLooking = () => controller?.abort();
