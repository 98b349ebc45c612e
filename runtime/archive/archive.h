// A ZIP of stored entries, as PyTorch writes it; TorchScript deflates its source texts.
//
// The directory is checked before anything in it is believed: sizes and offsets inside the file, no overlap, sane
// names, one entry per name. The local headers must agree with the directory. There is zip64, no encryption, and one
// disk. No library offers these checks, as they all skip what they do not need, so the directory is read here.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_ARCHIVE_H_
#define ONNXPORT_RUNTIME_ARCHIVE_ARCHIVE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/byte_source.h"

namespace onnxport::archive {

using ByteSink = std::function<void(std::span<const std::byte>)>;

// Every function throws onnxport::Error (kBadInput) that names the file and the record for what is damaged.
class Archive {
 public:
  struct Record {
    std::string name;
    uint64_t header_offset = 0;  // of the local header
    uint64_t offset = 0;         // of the contents
    uint64_t size = 0;           // bytes
    uint64_t stored_size = 0;    // in the file
    bool deflated = false;       // only ReadText takes such a record
    uint32_t crc = 0;
    mutable std::atomic<bool> checked = false;  // the CRC was found right
  };

  static std::shared_ptr<const Archive> Open(std::shared_ptr<const ByteSource> bytes);
  // kBadInput also for a file that cannot be opened or is no regular file.
  static std::shared_ptr<const Archive> Open(const std::string& path) { return Open(OpenFile(path)); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::string& name() const { return bytes_->name(); }      // a path, or what stands for one
  const std::deque<Record>& records() const { return records_; }  // in the directory's order
  const Record* Find(std::string_view name) const;                // null when absent

  // The whole record, its CRC checked, if the bytes need checks at all. Refused above `max_size` bytes.
  std::string Read(const Record& record, uint64_t max_size) const;

  // The same for a record that may be deflated: its contents have exactly the stated size, or it is damaged.
  std::string ReadText(const Record& record, uint64_t max_size) const;

  // Checks the CRC of a stored record, once.
  void Check(const Record& record) const;

  // Hands out [begin, begin + size) of the record in blocks of at most 1 MiB. The first pass over a record reads all of
  // it to check the CRC, as does every pass that needs all of it. A wrong CRC, or a file that was changed since it was
  // opened, throws after the last block.
  void Stream(const Record& record, uint64_t begin, uint64_t size, const ByteSink& sink) const;

  // The bytes of a stored record from its beginning to its end, for whoever asks for them block by block, as a parser
  // does.
  class Blocks;

  // Counts what strides repeat: `bytes` more than the record holds are written. Refused where all tensors together are
  // many times the file: a stride of 0 makes any size of a few bytes.
  void CountRepeated(const Record& record, uint64_t bytes) const;

  // An error about this archive.
  [[noreturn]] void Fail(std::string_view record, const std::string& what) const;

 private:
  explicit Archive(std::shared_ptr<const ByteSource> bytes) : bytes_(std::move(bytes)) {}
  void CheckKind() const;
  void ReadDirectory();
  void CheckSize(const Record& record, uint64_t max_size) const;
  [[noreturn]] void FailChecksum(const Record& record) const;
  // After all of a record was read: throws where its CRC is wrong, or the file was changed since it was opened.
  void EndPass(const Record& record, uint32_t crc) const;
  void ReadAt(uint64_t offset, std::span<std::byte> out) const;  // all of it, or an error

  std::shared_ptr<const ByteSource> bytes_;
  mutable std::atomic<uint64_t> repeated_ = 0;
  std::deque<Record> records_;
  std::vector<const Record*> by_name_;  // sorted
};

class Archive::Blocks {
 public:
  // The blocks have at most `size` bytes each.
  Blocks(std::shared_ptr<const Archive> archive, const Record& record, size_t size = size_t{256} << 10);
  // The next one, which lasts until the call after it; empty at the end. Nothing is known to be right before Check.
  std::span<const std::byte> Next();
  // Reads what is left, and throws where the CRC of all is wrong, or the file was changed since it was opened.
  void Check();

 private:
  std::shared_ptr<const Archive> archive_;
  const Record* record_;
  uint64_t at_ = 0;
  uint32_t crc_ = 0;
  std::vector<std::byte> block_;
};

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_ARCHIVE_H_
