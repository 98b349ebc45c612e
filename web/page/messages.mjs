// Messages of failures, for the page: reasons with their operators and places in the program.

const siteOf = ({module, file, line, code}) =>
    "      " + [module, file && `${file}:${line ?? "?"}`, code].filter(part => part).join("  ");

function textOf({op, calls, reason, sites = []}) {
  const of = op === undefined ? "" : `${op}${calls === undefined ? "" : ` (${calls} call${calls === 1 ? "" : "s"})`}: `;
  return [`  ${of}${reason}`, ...sites.map(siteOf)].join("\n");
}

// `error`: an ExportError, which has a report, or another one.
export function messageOf({message, report}) {
  return report === undefined ? message : [
    ...(report.headline === undefined ? [] : [`${report.headline}:`]),
    ...report.diagnostics.map(textOf),
  ].join("\n");
}
