// Files of a browser, for exporter.wasm in a worker. The user's files are read by slices. Output goes to a folder of
// the origin's private file system, or into memory.

import {MemoryAccess} from "./memory_access.mjs";
import {FileError} from "./wasi.mjs";

// An export writes a model and a file of weights beside it at most. Their handles are made beforehand, as a program
// cannot wait for them.
const MOST_OUTPUTS = 2;
const KEPT = 1 << 20;  // bytes that are read at least: a slice costs as much as reading so many

let files = 0n;

// A Blob or File.
class BlobFile {
  #blob;
  #reader = new FileReaderSync();
  #inode = ++files;
  #from = 0;
  #kept = new Uint8Array(0);

  constructor(blob) {
    this.#blob = blob;
  }

  stat() {
    const modified = BigInt(this.#blob.lastModified ?? 0) * 1000000n;
    return {kind: "file", size: BigInt(this.#blob.size), modified, inode: this.#inode, device: 0n};
  }

  readAt(offset, bytes) {
    const from = Number(offset);
    const end = Math.min(from + bytes.length, this.#blob.size);
    if (from >= end) return 0;
    if (from < this.#from || end > this.#from + this.#kept.length) this.#keep(from, Math.max(end, from + KEPT));
    bytes.set(this.#kept.subarray(from - this.#from, end - this.#from));
    return end - from;
  }

  // A file that changed since it was chosen cannot be read: the reader throws.
  #keep(from, end) {
    try {
      this.#kept = new Uint8Array(this.#reader.readAsArrayBuffer(this.#blob.slice(from, end)));
      this.#from = from;
    } catch (error) {
      throw new FileError("EIO", error.message);
    }
  }

  writeAt() { throw new FileError("EACCES", "a file of the user"); }
  sync() {}
  close() {}
}

// A file that is being written: `access` is of the private file system or of memory, which has no handle.
class OutputFile {
  #inode = ++files;

  constructor(handle, access) {
    this.handle = handle;
    this.access = access;
  }

  stat() { return {kind: "file", size: BigInt(this.access.getSize()), modified: 0n, inode: this.#inode, device: 0n}; }
  readAt(offset, bytes) { return this.access.read(bytes, {at: Number(offset)}); }
  writeAt(offset, bytes) {
    try {
      return this.access.write(bytes, {at: Number(offset)});
    } catch (error) {
      throw new FileError(error.name === "QuotaExceededError" ? "ENOSPC" : "EIO", error.message);
    }
  }
  sync() { this.access.flush(); }
  close() {}
}

async function newOutput(folder, name) {
  if (folder === null) return new OutputFile(null, new MemoryAccess());
  const handle = await folder.getFileHandle(name, {create: true});
  return new OutputFile(handle, await handle.createSyncAccessHandle());
}

const FOLDER = {kind: "folder", size: 0n, modified: 0n, inode: 0n, device: 0n};
const nameOf = path => path.slice(path.lastIndexOf("/") + 1);
const folderOf = path => path.slice(0, path.lastIndexOf("/")) || "/";

export class BrowserFiles {
  #folder;
  #all;  // of outputs
  #spare;
  #files;

  // `given`: path -> Blob. `folder`: where outputs go, of the private file system; null for memory.
  static async make(given, folder) {
    const spare = [];
    for (let i = 0; i < MOST_OUTPUTS; ++i) spare.push(await newOutput(folder, `.spare-${i}`));
    return new BrowserFiles(given, folder, spare);
  }

  constructor(given, folder, outputs) {
    this.#folder = folder;
    this.#all = outputs;
    this.#spare = [...outputs];
    this.#files = new Map(Object.entries(given).map(([path, blob]) => [path, new BlobFile(blob)]));
  }

  #file(path) {
    const file = this.#files.get(path);
    if (file === undefined) throw new FileError("ENOENT", path);
    return file;
  }

  #isFolder(path) {
    return path === "/" || path === "/out" || [...this.#files.keys()].some(file => folderOf(file) === path);
  }

  stat(path) { return this.#isFolder(path) ? FOLDER : this.#file(path).stat(); }

  open(path, {write, create}) {
    if (this.#isFolder(path)) return {stat: () => FOLDER, sync() {}, close() {}};
    if (!create) {
      const file = this.#file(path);
      if (write && file instanceof BlobFile) throw new FileError("EACCES", path);
      return file;
    }
    if (this.#files.has(path)) throw new FileError("EEXIST", path);
    const file = this.#spare.pop();
    if (file === undefined) throw new FileError("EMFILE", path);
    this.#files.set(path, file);
    return file;
  }

  rename(from, to) {
    this.#files.set(to, this.#file(from));
    this.#files.delete(from);
  }

  remove(path) {
    const file = this.#file(path);
    this.#files.delete(path);
    if (!(file instanceof OutputFile)) throw new FileError("EACCES", path);
    file.access.truncate(0);
    this.#spare.push(file);
  }

  list(path) {
    return [...this.#files.keys()].filter(file => folderOf(file) === path).map(
        file => ({name: nameOf(file), kind: "file"}));
  }

  // Returns the files that were written: Files of memory, or names in the folder, of which the rest is removed.
  async finish() {
    for (const file of this.#all) file.access.close();
    const named = [...this.#files].filter(([, file]) => file instanceof OutputFile);
    if (this.#folder === null) return named.map(([path, {access}]) => new File(access.parts(), nameOf(path)));
    for (const file of this.#spare) await this.#folder.removeEntry(file.handle.name);
    const names = [];
    for (const [path, file] of named) {
      const name = nameOf(path);
      await file.handle.move(name);
      names.push(name);
    }
    return names;
  }
}
