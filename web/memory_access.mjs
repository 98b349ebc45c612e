// A file in memory, with the functions of a file of the private file system (FileSystemSyncAccessHandle).

const BLOCK = 1 << 22;  // bytes: what grows is not copied

export class MemoryAccess {
  #blocks = [];
  #size = 0;

  getSize() { return this.#size; }

  // Calls `move(part of a block, where in all)` for the bytes in [at, at + size).
  #each(at, size, move) {
    for (let done = 0; done < size;) {
      const from = (at + done) % BLOCK;
      const count = Math.min(BLOCK - from, size - done);
      const block = this.#blocks[Math.floor((at + done) / BLOCK)] ??= new Uint8Array(BLOCK);
      move(block.subarray(from, from + count), done);
      done += count;
    }
    return size;
  }

  read(bytes, {at}) {
    const size = Math.max(0, Math.min(bytes.length, this.#size - at));
    return this.#each(at, size, (part, done) => bytes.set(part, done));
  }

  write(bytes, {at}) {
    this.#size = Math.max(this.#size, at + bytes.length);
    return this.#each(at, bytes.length, (part, done) => part.set(bytes.subarray(done, done + part.length)));
  }

  // Only to nothing.
  truncate() {
    this.#blocks = [];
    this.#size = 0;
  }

  flush() {}
  close() {}

  // All bytes, for a File.
  parts() {
    const parts = [];
    this.#each(0, this.#size, part => parts.push(part));
    return parts;
  }
}
