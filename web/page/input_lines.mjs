// The lines of the field for inputs, `x=f32[batch,3]`: what the table of axes writes there.

const PLAIN = /^([0-9]+|[A-Za-z_][A-Za-z_0-9]*)$/;

// The text in a line for a size that the exporter reported. A size that was computed from others has no name there.
const textOf = size => PLAIN.test(String(size)) ? String(size) : "?";

// The line of an input with these axes, as AxisReports.
function lineOf(axes) {
  return `${axes[0].input}=${axes[0].dtype}[${axes.map(({size}) => textOf(size)).join(",")}]`;
}

// A line for each input of the reports.
export function linesOf(reports) {
  const inputs = [...new Set(reports.map(({input}) => input))];
  return inputs.map(input => lineOf(reports.filter(report => report.input === input))).join("\n");
}

const isAbout = (line, input) => line.trimStart().startsWith(`${input}=`);

// `text` with `size` for that axis. `axes`: all reports about its input, for a line that is not there yet.
export function withSize(text, axes, number, size) {
  const lines = text.split("\n").filter(line => line.trim() !== "");
  const input = axes[0].input;
  const found = lines.find(line => isAbout(line, input) && line.includes("[")) ?? lineOf(axes);
  const [, before, inside, after] = /^(.*?\[)(.*)(\].*)$/.exec(found);
  const sizes = inside.split(",");
  sizes[number] = size;
  const line = before + sizes.join(",") + after;
  const place = lines.findIndex(one => isAbout(one, input));
  const others = lines.filter(one => !isAbout(one, input));
  others.splice(place < 0 ? others.length : place, 0, line);
  return others.join("\n");
}
