// Messages of the library name options as programs write them; here they are fields and keys.

const AS_PROGRAMS = [
  [/Parse(?:Input|Output|Mapping|Domain)\("(.*?)"\)/g, "$1"],
  [/ExportOptions::(\w+)/g, '"$1"'],
];

export const messageOf = error => AS_PROGRAMS.reduce((text, [form, here]) => text.replaceAll(form, here), error.message);
