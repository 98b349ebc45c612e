// The files of the machine, for exporter.wasm in Node.js; and bytes of the caller as files.

import fs from "node:fs";
import {FileError} from "./wasi.mjs";
import {BytesFile} from "./bytes_file.mjs";

const statOf = stat => ({
  kind: stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : stat.isFile() ? "file" : "other",
  size: stat.size,
  modified: stat.mtimeNs,
  inode: stat.ino,
  device: stat.dev,
});

class NodeFile {
  constructor(number) {
    this.number = number;
    if (fs.fstatSync(number).isDirectory()) this.readAt = undefined;
  }
  stat() { return statOf(fs.fstatSync(this.number, {bigint: true})); }
  readAt(offset, bytes) { return fs.readSync(this.number, bytes, 0, bytes.length, Number(offset)); }
  writeAt(offset, bytes) { return fs.writeSync(this.number, bytes, 0, bytes.length, Number(offset)); }
  sync() { fs.fsyncSync(this.number); }
  close() { fs.closeSync(this.number); }
}

export class NodeFiles {
  #mark;
  #made = new Map();  // path -> its real one, of files that the program has made and not named yet
  #given;

  // A file that the program makes has a name that ends with `mark` until it is renamed. So whoever ends the program
  // finds it. `given`: path -> bytes, which are files to the program.
  constructor(mark, given) {
    this.#mark = mark;
    this.#given = new Map(Object.entries(given).map(([path, bytes]) => [path, new BytesFile(bytes)]));
  }

  #real(path) { return this.#made.get(path) ?? path; }

  stat(path, follow) {
    if (this.#given.has(path)) return this.#given.get(path).stat();
    const real = this.#real(path);
    return statOf(follow ? fs.statSync(real, {bigint: true}) : fs.lstatSync(real, {bigint: true}));
  }

  open(path, {write, create, exclusive, truncate}) {
    if (this.#given.has(path)) {
      if (write || create) throw new FileError("EACCES", path);
      return this.#given.get(path);
    }
    if (!create) return new NodeFile(fs.openSync(this.#real(path), write ? "r+" : "r"));
    const made = path + this.#mark;
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT | (exclusive ? fs.constants.O_EXCL : 0) |
                  (truncate ? fs.constants.O_TRUNC : 0);
    const file = new NodeFile(fs.openSync(made, flags, 0o666));
    this.#made.set(path, made);
    return file;
  }

  rename(from, to) {
    const real = this.#real(from);
    // A file that is replaced keeps its permissions; WASI has no such call.
    const before = fs.lstatSync(to, {throwIfNoEntry: false});
    if (before?.isFile()) fs.chmodSync(real, before.mode & 0o777);
    fs.renameSync(real, to);
    this.#made.delete(from);
  }

  remove(path) {
    fs.unlinkSync(this.#real(path));
    this.#made.delete(path);
  }

  list(path) {
    return fs.readdirSync(path, {withFileTypes: true}).map(
        entry => ({name: entry.name, kind: entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "link"}));
  }
}
