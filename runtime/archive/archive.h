// Reads a ZIP of stored entries, as PyTorch writes it; TorchScript deflates its source texts.
//
// The whole directory is checked before any of it is used: sizes and offsets inside the file, no overlap, sane names,
// one entry per name. The local headers must agree with the directory. zip64 is supported; encryption and several disks
// are not. No library makes these checks, as each skips the fields that it does not need. So the directory is read
// here.
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

// Every function throws onnxport::Error (kBadInput), which names the file and the damaged record.
class Archive {
 public:
  struct Record {
    std::string name;
    uint64_t header_offset = 0;  // where the local header begins
    uint64_t offset = 0;         // where the contents begin
    uint64_t size = 0;           // bytes of the contents
    uint64_t stored_size = 0;    // bytes in the file
    bool deflated = false;       // only ReadText takes such a record
    uint32_t crc = 0;
    mutable std::atomic<bool> checked = false;  // the CRC was found to be right
  };

  static std::shared_ptr<const Archive> Open(std::shared_ptr<const ByteSource> bytes);
  // Also throws kBadInput for a file that cannot be opened or is no regular file.
  static std::shared_ptr<const Archive> Open(const std::string& path) { return Open(OpenFile(path)); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  const std::string& name() const { return bytes_->name(); }      // a path, or a name that messages show instead
  const std::deque<Record>& records() const { return records_; }  // in the order of the directory
  const Record* Find(std::string_view name) const;                // null when absent

  // Returns the whole record. Checks its CRC, if the bytes need checks. Refuses a record above `max_size` bytes.
  std::string Read(const Record& record, uint64_t max_size) const;

  // Does the same for a record that may be deflated. A record whose contents have another size than stated is damaged.
  std::string ReadText(const Record& record, uint64_t max_size) const;

  // Checks the CRC of a stored record once.
  void Check(const Record& record) const;

  // Passes [begin, begin + size) of the record to `sink` in blocks of at most 1 MiB. The first call for a record reads
  // the whole record to check its CRC, and so does every call that asks for the whole record. A wrong CRC, or a file
  // that was changed since it was opened, throws after the last block.
  void Stream(const Record& record, uint64_t begin, uint64_t size, const ByteSink& sink) const;

  // Gives the bytes of a stored record from beginning to end, for a caller that asks for one block after another, such
  // as a parser.
  class Blocks;

  // Counts elements that strides repeat: they write `bytes` more than the record holds. Refuses if all tensors together
  // repeat many times the size of the file, since a stride of 0 can blow up a few bytes to any size.
  void CountRepeated(const Record& record, uint64_t bytes) const;

  // Throws an error about this archive.
  [[noreturn]] void Fail(std::string_view record, const std::string& what) const;

 private:
  explicit Archive(std::shared_ptr<const ByteSource> bytes) : bytes_(std::move(bytes)) {}
  void CheckKind() const;
  void ReadDirectory();
  void CheckSize(const Record& record, uint64_t max_size) const;
  [[noreturn]] void FailChecksum(const Record& record) const;
  // Called after the whole record was read. Throws if its CRC is wrong, or if the file was changed since it was opened.
  void EndPass(const Record& record, uint32_t crc) const;
  void ReadAt(uint64_t offset, std::span<std::byte> out) const;  // fills `out` or throws

  std::shared_ptr<const ByteSource> bytes_;
  mutable std::atomic<uint64_t> repeated_ = 0;
  std::deque<Record> records_;
  std::vector<const Record*> by_name_;  // sorted
};

class Archive::Blocks {
 public:
  // The blocks have at most `size` bytes each.
  Blocks(std::shared_ptr<const Archive> archive, const Record& record, size_t size = size_t{256} << 10);
  // Returns the next block, or an empty one at the end. It lives until the next call. The bytes are not verified before
  // Check.
  std::span<const std::byte> Next();
  // Reads the rest. Throws if the CRC of the record is wrong, or if the file was changed since it was opened.
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
