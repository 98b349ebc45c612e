// Parts of the page.

export const at = id => document.getElementById(id);

export function element(tag, more = {}, ...children) {
  const made = Object.assign(document.createElement(tag), more);
  made.append(...children);
  return made;
}

// A row of a table.
export const row = (...cells) => element("tr", {}, ...cells.map(cell => element("td", {}, cell)));

export function say(text, bad = false) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", bad);
  if (bad) at("status").scrollIntoView({block: "nearest"});  // it may be asked for far below
}
