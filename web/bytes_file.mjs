// Bytes in memory, as a file to read.

import {FileError} from "./wasi.mjs";

let files = 0n;

export class BytesFile {
  #bytes;
  #inode = ++files;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  // Device 0 is no device of a machine.
  stat() { return {kind: "file", size: BigInt(this.#bytes.length), modified: 0n, inode: this.#inode, device: 0n}; }

  readAt(offset, bytes) {
    const part = this.#bytes.subarray(Number(offset), Number(offset) + bytes.length);
    bytes.set(part);
    return part.length;
  }

  writeAt() { throw new FileError("EACCES", "bytes of the caller"); }
  sync() {}
  close() {}
}
