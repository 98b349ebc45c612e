// The system calls of exporter.wasm: functions of WASI preview 1 for files, clocks and the command line.
//
// Files come from an object with these functions, which throw a FileError when they fail. Paths are absolute.
//
//     stat(path, follow)             -> {kind: "file" | "folder" | "link" | "other", size, modified, inode, device}
//     open(path, {write, create, exclusive, truncate}) -> a file, or of a folder an object without `readAt`
//     rename(from, to), remove(path), list(path) -> [{name, kind}]
//
// size, modified, inode and device are bigint. A file has stat(), readAt(offset, bytes) -> how many,
// writeAt(offset, bytes) -> how many, sync() and close().

const ERRORS = {
  EACCES: 2, EBADF: 8, EDQUOT: 19, EEXIST: 20, EFBIG: 22, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32, EMFILE: 33,
  ENAMETOOLONG: 37, ENOENT: 44, ENOSPC: 51, ENOSYS: 52, ENOTDIR: 54, ENOTEMPTY: 55, ENOTSUP: 58, EPERM: 63, EROFS: 69,
};
const KINDS = {other: 0, folder: 3, file: 4, link: 7};
const CHARACTERS = 2;  // the kind of a standard stream
const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8;
const WRITE = 64n;  // of rights
const FIRST_FILE = 4;  // after the standard streams and the root

// A failure of a file; `code` as Node.js and C name it: "ENOENT".
export class FileError extends Error {
  constructor(code, path) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}

// The program's own end.
class Exit {
  constructor(status) {
    this.status = status;
  }
}

export class Wasi {
  #words;
  #files;
  #memory;
  #open = new Map();  // number -> {path, file, at}
  #output = [];

  // `words` are those of the command line; `files` is described above.
  constructor(words, files) {
    this.#words = words.map(word => new TextEncoder().encode(word + "\0"));
    this.#files = files;
    this.#open.set(3, {path: "/", file: {stat: () => files.stat("/", true), sync() {}, close() {}}, at: 0n});
  }

  // The functions that a module imports. A function of WASI that is not here says so to the program.
  imports(module) {
    const functions = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module)) {
      if (from !== "wasi_snapshot_preview1") continue;
      functions[name] = (...values) => {
        if (!(name in Wasi.prototype)) return ERRORS.ENOSYS;
        try {
          return this[name](...values) ?? 0;
        } catch (error) {
          if (error instanceof Exit) throw error;
          return ERRORS[error.code] ?? ERRORS.EIO;
        }
      };
    }
    return {wasi_snapshot_preview1: functions};
  }

  // Runs an instance to its end: the exit status.
  run(instance) {
    this.#memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      throw error;
    } finally {
      for (const {file} of this.#open.values()) file.close();
      this.#open.clear();
    }
  }

  // The text that the program wrote to stdout.
  output() {
    const decoder = new TextDecoder();
    return this.#output.map(bytes => decoder.decode(bytes, {stream: true})).join("") + decoder.decode();
  }

  // The program's memory, as it is now: it moves when it grows.
  #view() { return new DataView(this.#memory.buffer); }
  #bytes(at, size) { return new Uint8Array(this.#memory.buffer, at >>> 0, size >>> 0); }
  // A text, at most as long as C's, of the program.
  #text(at, size) { return new TextDecoder().decode(this.#bytes(at, size)); }

  #opened(number) {
    const opened = this.#open.get(number);
    if (opened === undefined) throw new FileError("EBADF", String(number));
    return opened;
  }

  // A path that the program names, from a folder that is open.
  #path(number, at, size) {
    const {path} = this.#opened(number);
    const name = this.#text(at, size);
    const parts = [];
    for (const part of `${path}/${name}`.split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return "/" + parts.join("/");
  }

  // Calls `move` with each of the program's buffers in turn, until one is not moved whole; says how much all moved.
  #each(buffers, count, moved, move) {
    let all = 0;
    for (let i = 0; i < count; ++i) {
      const view = this.#view();
      const size = view.getUint32(buffers + 8 * i + 4, true);
      const done = size === 0 ? 0 : move(this.#bytes(view.getUint32(buffers + 8 * i, true), size), all);
      all += done;
      if (done < size) break;
    }
    this.#view().setUint32(moved, all, true);
  }

  #setStat(at, {kind, size, modified, inode, device}) {
    const view = this.#view();
    view.setBigUint64(at, device, true);
    view.setBigUint64(at + 8, inode, true);
    view.setBigUint64(at + 16, BigInt(KINDS[kind]), true);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, size, true);
    for (const time of [40, 48, 56]) view.setBigUint64(at + time, modified, true);
  }

  #texts(texts, pointers, at) {
    for (const text of texts) {
      this.#view().setUint32(pointers, at, true);
      this.#bytes(at, text.length).set(text);
      pointers += 4;
      at += text.length;
    }
  }

  args_sizes_get(count, size) {
    this.#view().setUint32(count, this.#words.length, true);
    this.#view().setUint32(size, this.#words.reduce((sum, word) => sum + word.length, 0), true);
  }
  args_get(pointers, at) { this.#texts(this.#words, pointers, at); }
  environ_sizes_get(count, size) {
    this.#view().setUint32(count, 0, true);
    this.#view().setUint32(size, 0, true);
  }
  environ_get() {}

  clock_time_get(clock, precision, at) {
    const milliseconds = clock === 0 ? Date.now() : performance.now();
    this.#view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
  }
  random_get(at, size) { crypto.getRandomValues(this.#bytes(at, size)); }
  proc_exit(status) { throw new Exit(status); }

  fd_prestat_get(number, at) {
    if (number !== 3) throw new FileError("EBADF", String(number));
    this.#view().setUint32(at, 0, true);
    this.#view().setUint32(at + 4, 1, true);
  }
  fd_prestat_dir_name(number, at) { this.#bytes(at, 1).set([47]); }  // "/"

  fd_fdstat_get(number, at) {
    const kind = number < 3 ? CHARACTERS : KINDS[this.#opened(number).file.stat().kind];
    this.#bytes(at, 24).fill(0);
    this.#view().setUint8(at, kind);
    // All rights: what may not be done says the file.
    this.#view().setBigUint64(at + 8, ~0n & 0x1fffffffn, true);
    this.#view().setBigUint64(at + 16, 0x1fffffffn, true);
  }
  fd_fdstat_set_flags() {}

  path_open(folder, lookup, at, size, how, rights, inherited, flags, number) {
    const path = this.#path(folder, at, size);
    const file = this.#files.open(path, {
      write: (rights & WRITE) !== 0n,
      create: (how & CREATE) !== 0,
      exclusive: (how & EXCLUSIVE) !== 0,
      truncate: (how & TRUNCATE) !== 0,
    });
    let next = FIRST_FILE;
    while (this.#open.has(next)) ++next;
    this.#open.set(next, {path, file, at: 0n});
    this.#view().setUint32(number, next, true);
  }
  fd_close(number) {
    const {file} = this.#opened(number);
    this.#open.delete(number);
    file.close();
  }
  fd_sync(number) { this.#opened(number).file.sync(); }
  fd_datasync(number) { this.#opened(number).file.sync(); }

  fd_filestat_get(number, at) { this.#setStat(at, this.#opened(number).file.stat()); }
  path_filestat_get(folder, lookup, at, size, stat) {
    this.#setStat(stat, this.#files.stat(this.#path(folder, at, size), (lookup & 1) !== 0));
  }

  fd_pread(number, buffers, count, offset, moved) {
    const {file} = this.#opened(number);
    if (!file.readAt) throw new FileError("EISDIR", String(number));
    this.#each(buffers, count, moved, (bytes, before) => file.readAt(offset + BigInt(before), bytes));
  }
  fd_read(number, buffers, count, moved) {
    if (number === 0) return this.#each(buffers, count, moved, () => 0);
    const opened = this.#opened(number);
    this.fd_pread(number, buffers, count, opened.at, moved);
    opened.at += BigInt(this.#view().getUint32(moved, true));
  }
  fd_pwrite(number, buffers, count, offset, moved) {
    const {file} = this.#opened(number);
    this.#each(buffers, count, moved, (bytes, before) => file.writeAt(offset + BigInt(before), bytes));
  }
  fd_write(number, buffers, count, moved) {
    if (number < 3) return this.#each(buffers, count, moved, bytes => this.#stream(number, bytes));
    const opened = this.#opened(number);
    this.fd_pwrite(number, buffers, count, opened.at, moved);
    opened.at += BigInt(this.#view().getUint32(moved, true));
  }
  #stream(number, bytes) {
    if (number === 1) this.#output.push(bytes.slice());
    else console.error(new TextDecoder().decode(bytes));
    return bytes.length;
  }
  fd_seek(number, offset, whence, at) {
    if (number < 3) throw new FileError("ENOTSUP", String(number));
    const opened = this.#opened(number);
    const from = [() => 0n, () => opened.at, () => opened.file.stat().size][whence]();
    opened.at = from + offset;
    this.#view().setBigUint64(at, opened.at, true);
  }

  path_rename(folder, from, fromSize, toFolder, to, toSize) {
    this.#files.rename(this.#path(folder, from, fromSize), this.#path(toFolder, to, toSize));
  }
  path_unlink_file(folder, at, size) { this.#files.remove(this.#path(folder, at, size)); }

  // Entries from the one of that number on; cut where the program's buffer ends, which then asks for more.
  fd_readdir(number, at, size, first, moved) {
    let used = 0;
    const entries = this.#files.list(this.#opened(number).path);
    const buffer = this.#bytes(at, size);
    for (let i = Number(first); i < entries.length && used < size; ++i) {
      const name = new TextEncoder().encode(entries[i].name);
      const head = new DataView(new ArrayBuffer(24));
      head.setBigUint64(0, BigInt(i + 1), true);
      head.setBigUint64(8, BigInt(i + 1), true);
      head.setUint32(16, name.length, true);
      head.setUint8(20, KINDS[entries[i].kind] ?? 0);
      for (const part of [new Uint8Array(head.buffer), name]) {
        const fits = part.subarray(0, size - used);
        buffer.set(fits, used);
        used += fits.length;
      }
    }
    this.#view().setUint32(moved, used, true);
  }
}
