// Archives of NumPy's arrays, `.npz`: zip files, whose members are `NAME.npy`.

import {readNpy} from "./npy.mjs";

const END = 0x06054b50, ENTRY = 0x02014b50;
const END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30;
const LARGE = 0xffffffff;  // the number is elsewhere (zip64)
const STORED = 0, DEFLATED = 8;

const viewOf = bytes => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const isZip = bytes => bytes.length >= END_SIZE && viewOf(bytes).getUint32(0, true) === 0x04034b50;

function* entriesOf(bytes) {
  const view = viewOf(bytes);
  let end = bytes.length - END_SIZE;
  while (end >= 0 && view.getUint32(end, true) !== END) --end;
  if (end < 0) throw new Error("it is cut off: a zip file ends with a list of its members");
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; --left) {
    if (at + ENTRY_SIZE > end || view.getUint32(at, true) !== ENTRY) {
      throw new Error("its list of members is damaged, or of a file of 4 GB");
    }
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + nameSize));
    yield {name, method: view.getUint16(at + 10, true), size: view.getUint32(at + 20, true), local: view.getUint32(at + 42, true)};
    at += ENTRY_SIZE + nameSize + extraSize + commentSize;
  }
}

async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function memberOf(bytes, {name, method, size, local}) {
  if (size === LARGE || local === LARGE || local + LOCAL_SIZE > bytes.length) throw new Error(`${name} is too large for this page`);
  const view = viewOf(bytes);
  const start = local + LOCAL_SIZE + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const packed = bytes.subarray(start, start + size);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflated(packed);
  throw new Error(`${name} is compressed by a method that this page does not know (${method})`);
}

// The arrays, each with its name.
export async function readNpz(bytes) {
  const arrays = [];
  for (const entry of entriesOf(bytes)) {
    if (!entry.name.endsWith(".npy")) continue;
    arrays.push({name: entry.name.slice(0, -".npy".length), ...readNpy(await memberOf(bytes, entry))});
  }
  return arrays;
}
