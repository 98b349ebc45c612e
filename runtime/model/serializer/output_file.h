// A file that appears under its name complete or not at all.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_OUTPUT_FILE_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_OUTPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/serializer/file_ops.h"

namespace onnxport::serializer {

// Throws Error (kCannotWrite) unless `path` names a regular file or nothing, in a folder that exists. A link is
// refused: renaming would replace the link, writing through it would touch a file elsewhere.
void CheckTarget(const std::string& path);

// Bytes go to a temporary file in the folder of `path`; `Commit` makes them durable and renames it. Without `Commit`
// the temporary file is removed and whatever had the name stays as it was. Every failure is an Error (kCannotWrite)
// that names `path`, the reason and the bytes needed.
class OutputFile {
 public:
  // `size`: of the whole file in bytes, exactly. Room for it is reserved at once, so a full disk fails early.
  // `path` is for messages and for the folder; `ops` must outlive this. Without `sync` nothing waits for the disk: the
  // file is whole for whoever opens it, but a power cut soon after may leave its name with other bytes.
  OutputFile(FileOps* ops, std::string path, int64_t size, bool sync = true);
  ~OutputFile() { Discard(); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Puts the bytes where they belong. Any thread may call it; one at a time is let through.
  void WriteAt(int64_t offset, std::span<const std::byte> bytes);
  // Bytes that were written can go to the disk from now on; a hint.
  void StartWriteback(int64_t offset, int64_t size);

  // Syncs, then renames to `path`, a file in the folder of the constructor's one, and syncs the folder. All `size`
  // bytes must be written. An error of that last step finds the file in place: see `committed`.
  void Commit(const std::string& path);
  bool committed() const { return committed_; }

 private:
  void Create();
  void ChooseTemporary(const std::function<int(const std::string&)>& make);
  void Discard();
  void Reserve();
  void SyncFolder();
  [[noreturn]] void Fail(int error) const;

  FileOps* ops_;
  std::string path_;
  std::string folder_;
  std::string temporary_;  // empty: it has no name
  int file_ = -1;
  bool committed_ = false;
  const int64_t size_;
  const bool sync_;
  std::mutex mutex_;  // of writing
  int64_t written_ = 0;
};

// Pieces of a file that follow each other. Several threads may each write a part of one file.
class FilePart {
 public:
  // The first piece goes to `offset`; `file` must outlive this.
  FilePart(OutputFile* file, int64_t offset);

  void Write(std::span<const std::byte> bytes);
  void Write(std::string_view text);
  void WriteZeros(int64_t count);
  // Where the next piece goes.
  int64_t offset() const { return flushed_ + static_cast<int64_t>(buffer_.size()); }
  // After that, and only then surely, the written bytes are in the file.
  void Flush();

 private:
  void WriteThrough(std::span<const std::byte> bytes);

  OutputFile* file_;
  int64_t flushed_;
  int64_t writeback_;  // up to here, writing back has begun
  std::vector<std::byte> buffer_;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_OUTPUT_FILE_H_
