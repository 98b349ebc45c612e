// Writes a file that appears under its name complete or not at all.
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

// Throws Error (kCannotWrite) unless `path` is a regular file or does not exist, in an existing folder. A link is
// refused: to rename would replace the link, and to write through it would change a file elsewhere.
void CheckTarget(const std::string& path);

// Bytes go to a temporary file in the folder of `path`. `Commit` makes them durable and renames the file. Without
// `Commit` the temporary file is removed, and an existing file of that name stays unchanged. Every failure is an Error
// (kCannotWrite) with `path`, the reason and the bytes needed.
class OutputFile {
 public:
  // `size` is the exact size of the file in bytes. The space is reserved at once, so a full disk fails early. `path` is
  // for messages and for the folder. `ops` must outlive this. Without `sync` nothing waits for the disk. The file is
  // complete for whoever opens it, but after a power cut its name may have other bytes.
  OutputFile(FileOps* ops, std::string path, int64_t size, bool sync = true);
  ~OutputFile() { Discard(); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Writes the bytes at their offset. Any thread may call it; the calls are serialized.
  void WriteAt(int64_t offset, std::span<const std::byte> bytes);
  // Tells the system that these written bytes can go to the disk now; a hint.
  void StartWriteback(int64_t offset, int64_t size);

  // Syncs, renames to `path` in the constructor's folder, and syncs the folder. All `size` bytes must have been
  // written. If the last step fails, the file is already in place: see `committed`.
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
  std::string temporary_;  // empty: the file has no name
  int file_ = -1;
  bool committed_ = false;
  const int64_t size_;
  const bool sync_;
  std::mutex mutex_;  // held while writing
  int64_t written_ = 0;
};

// Consecutive pieces of a file. Several threads may each write a part of the same file.
class FilePart {
 public:
  // The first piece goes to `offset`; `file` must outlive this.
  FilePart(OutputFile* file, int64_t offset);

  void Write(std::span<const std::byte> bytes);
  void Write(std::string_view text);
  void WriteZeros(int64_t count);
  // The offset of the next piece.
  int64_t offset() const { return flushed_ + static_cast<int64_t>(buffer_.size()); }
  // Only after this are all bytes certain to be in the file.
  void Flush();

 private:
  void WriteThrough(std::span<const std::byte> bytes);

  OutputFile* file_;
  int64_t flushed_;
  int64_t writeback_;  // the system was asked to write back everything before this
  std::vector<std::byte> buffer_;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_OUTPUT_FILE_H_
