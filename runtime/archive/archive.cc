#include "runtime/archive/archive.h"

#include <libdeflate.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/archive/blocks.h"
#include "runtime/archive/zip_directory.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/text.h"

namespace onnxport::archive {
namespace {

// Deflate can make a text longer, but by less than this.
constexpr uint64_t kGrowth = uint64_t{256} << 10;
// Views may repeat their storage (stride 0). A file that goes beyond this is taken for an attack.
constexpr uint64_t kMaxRepeats = 64;
// An expanded bias or mask repeats a row a few times. But a tensor of 4 bytes with shape [1000000000] and stride 0
// would write 4 GB. So all tensors together may repeat 64 times the size of the file, and 64 MiB however small the file
// is.
constexpr uint64_t kAlwaysFine = uint64_t{64} << 20;

}  // namespace

std::shared_ptr<const Archive> Archive::Open(std::shared_ptr<const ByteSource> bytes) {
  const std::shared_ptr<Archive> archive(new Archive(std::move(bytes)));
  // This check comes before the directory: a pickle has none, and "no end of a ZIP directory" would not tell the user
  // what the file is.
  archive->CheckKind();
  archive->ReadDirectory();
  return archive;
}

// torch.save before PyTorch 1.6 wrote files that begin with a pickle.
void Archive::CheckKind() const {
  std::byte begin[2] = {};
  // These are the opcode PROTO and version 2. A ZIP begins with "PK".
  if (bytes_->size() < sizeof begin) return;
  ReadAt(0, begin);
  if (begin[0] != std::byte{0x80} || begin[1] != std::byte{2}) return;
  throw Error(Code::kNoProgram,
              name() +
                  " is a pickle of torch.save, which is never read (it could run code); in Python, build the model, "
                  "load the weights into it, and save it with torch.jit.save or torch.export.save");
}

void Archive::ReadDirectory() {
  const auto read = [this](uint64_t offset, std::span<std::byte> out) { ReadAt(offset, out); };
  const auto fail = [this](std::string_view record, const std::string& what) { Fail(record, what); };
  for (ZipEntry& entry : ReadZipDirectory(bytes_->size(), read, fail)) {
    Record& record = records_.emplace_back();
    record.name = std::move(entry.name);
    record.header_offset = entry.header_offset;
    record.offset = entry.data_offset;
    record.size = entry.size;
    record.stored_size = entry.stored_size;
    record.deflated = entry.deflated;
    record.crc = entry.crc;
  }
  // `by_name_` points into `records_`, so it is filled when all records are there. (A deque does not move its elements
  // when it grows, and a Record cannot be moved, as it holds an atomic.)
  for (const Record& record : records_) by_name_.push_back(&record);
  std::sort(by_name_.begin(), by_name_.end(), [](const Record* a, const Record* b) { return a->name < b->name; });
}

const Archive::Record* Archive::Find(std::string_view name) const {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [](const Record* r, std::string_view n) { return r->name < n; });
  return found != by_name_.end() && (*found)->name == name ? *found : nullptr;
}

void Archive::CheckSize(const Record& record, uint64_t max_size) const {
  // WebAssembly addresses its memory with 32 bits.
  max_size = std::min<uint64_t>(max_size, std::numeric_limits<size_t>::max());
  if (record.size <= max_size) return;
  Fail(record.name,
       "is too large: " + std::to_string(record.size) + " bytes, " + std::to_string(max_size) + " are read at most");
}

std::string Archive::Read(const Record& record, uint64_t max_size) const {
  CheckSize(record, max_size);
  std::string text;
  text.reserve(record.size);
  Stream(record, 0, record.size, [&](std::span<const std::byte> block) {
    text.append(reinterpret_cast<const char*>(block.data()), block.size());
  });
  return text;
}

std::string Archive::ReadText(const Record& record, uint64_t max_size) const {
  if (!record.deflated) return Read(record, max_size);
  CheckSize(record, max_size);
  // Deflate shrinks a text to a thousandth at best. This check comes before `text` is allocated. Otherwise a damaged
  // record of ten bytes could make us allocate `max_size`.
  if (record.stored_size > record.size + kGrowth || record.size > (record.stored_size + 1) * 1040) {
    Fail(record.name, "states sizes that no compression has");
  }
  std::string packed(record.stored_size, '\0');
  ReadAt(record.offset, std::as_writable_bytes(std::span(packed)));
  std::string text(record.size, '\0');
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (libdeflate_deflate_decompress(inflater.get(), packed.data(), packed.size(), text.data(), text.size(), nullptr) !=
      LIBDEFLATE_SUCCESS) {
    Fail(record.name, "is damaged: it cannot be decompressed to its stated size");
  }
  if (bytes_->needs_checks() && libdeflate_crc32(0, text.data(), text.size()) != record.crc) FailChecksum(record);
  record.checked = true;
  return text;
}

void Archive::Check(const Record& record) const {
  if (bytes_->needs_checks() && !record.checked) Stream(record, 0, record.size, [](std::span<const std::byte>) {});
}

void Archive::FailChecksum(const Record& record) const {
  Fail(record.name, "is damaged: its checksum (CRC32) is not the one in the directory");
}

void Archive::Stream(const Record& record, uint64_t begin, uint64_t size, const ByteSink& sink) const {
  if (record.deflated) Fail(record.name, "is compressed; PyTorch stores records as they are");
  if (begin > record.size || size > record.size - begin) {
    Fail(record.name, "is shorter than what is used of it: " + std::to_string(record.size) + " bytes");
  }
  // The CRC is one number for the whole record. So the first use of a range reads the record from beginning to end, and
  // hands out only the range. Later uses read just the range. A use that needs the whole record checks again, as the
  // file may have changed.
  const bool whole = bytes_->needs_checks() && (!record.checked || size == record.size);
  uint64_t at = whole ? 0 : begin;
  const uint64_t end = whole ? record.size : begin + size;
  uint32_t crc = 0;
  ForEachBlock(*bytes_, record.offset + at, record.offset + end, [&](std::span<const std::byte> block) {
    if (whole) crc = libdeflate_crc32(crc, block.data(), block.size());
    const uint64_t from = std::max(at, begin);
    const uint64_t to = std::min(at + block.size(), begin + size);
    if (from < to) sink(block.subspan(from - at, to - from));
    at += block.size();
  });
  if (whole) return EndPass(record, crc);
  bytes_->CheckUnchanged();
}

void Archive::EndPass(const Record& record, uint32_t crc) const {
  // The check comes after the last read: it must see a change that happened during the read.
  bytes_->CheckUnchanged();
  if (!bytes_->needs_checks()) return;
  if (crc != record.crc) FailChecksum(record);
  record.checked = true;
}

Archive::Blocks::Blocks(std::shared_ptr<const Archive> archive, const Record& record, size_t size)
    : archive_(std::move(archive)), record_(&record), block_(std::min<uint64_t>(size, record.size)) {
  if (record.deflated) archive_->Fail(record.name, "is compressed; PyTorch stores records as they are");
}

std::span<const std::byte> Archive::Blocks::Next() {
  const std::span<std::byte> block(block_.data(), std::min<uint64_t>(block_.size(), record_->size - at_));
  if (block.empty()) return {};
  archive_->ReadAt(record_->offset + at_, block);
  crc_ = libdeflate_crc32(crc_, block.data(), block.size());
  at_ += block.size();
  return block;
}

void Archive::Blocks::Check() {
  while (!Next().empty()) continue;
  archive_->EndPass(*record_, crc_);
}

void Archive::CountRepeated(const Record& record, uint64_t bytes) const {
  if ((repeated_ += bytes) / kMaxRepeats > bytes_->size() + kAlwaysFine / kMaxRepeats)
    Fail(record.name, "is repeated beyond reason by the strides of tensors");
}

void Archive::ReadAt(uint64_t offset, std::span<std::byte> out) const {
  Interruption::Check();
  bytes_->ReadAt(offset, out);
}

void Archive::Fail(std::string_view record, const std::string& what) const {
  const std::string where =
      record.empty() ? name() + ": damaged archive: " : name() + ": record '" + Printable(record) + "' ";
  throw Error(Code::kDamagedArchive, where + what);
}

}  // namespace onnxport::archive
