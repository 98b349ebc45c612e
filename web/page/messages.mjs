// What went wrong, for the page: reasons with their operators and places in the program. Messages of the library name options as
// programs write them; here they are fields and keys.

const AS_PROGRAMS = [
  [/Parse(?:Input|Output|Mapping|Domain)\("(.*?)"\)/g, "$1"],
  [/ExportOptions::(\w+)/g, '"$1"'],
];

const siteOf = ({module, file, line, code}) =>
    "      " + [module, file && `${file}:${line ?? "?"}`, code].filter(part => part).join("  ");

function textOf({op, calls, reason, sites = []}) {
  const of = op === undefined ? "" : `${op}${calls === undefined ? "" : ` (${calls} call${calls === 1 ? "" : "s"})`}: `;
  return [`  ${of}${reason}`, ...sites.map(siteOf)].join("\n");
}

// `error`: an ExportError, which has a report, or another one.
export function messageOf({message, report}) {
  const text = report === undefined ? message : [
    ...(report.headline === undefined ? [] : [`${report.headline}:`]),
    ...report.diagnostics.map(textOf),
  ].join("\n");
  return AS_PROGRAMS.reduce((said, [form, here]) => said.replaceAll(form, here), text);
}
