#include "runtime/archive/zip_directory.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "runtime/base/text.h"

namespace onnxport::archive {
namespace {

constexpr uint64_t kEndSize = 22;
constexpr uint64_t kEnd64Size = 56;
constexpr uint64_t kLocator64Size = 20;
constexpr uint64_t kCentralSize = 46;
constexpr uint64_t kLocalSize = 30;
constexpr uint64_t kMaxComment = 65535;
constexpr uint64_t kMaxDirectory = uint64_t{256} << 20;
constexpr size_t kMaxName = 4096;
// Bits of the flags: encrypted, strongly encrypted, local headers masked.
constexpr uint16_t kEncrypted = 0x0001 | 0x0040 | 0x2000;
// CRC and sizes follow the contents, as a streaming writer puts them; the local header then has zeros.
constexpr uint16_t kSizesFollow = 0x0008;
constexpr uint64_t kDeflate = 8;

uint64_t Little(std::span<const std::byte> bytes, size_t at, size_t width) {
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i) value |= uint64_t{std::to_integer<uint8_t>(bytes[at + i])} << (8 * i);
  return value;
}

struct Directory {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t count = 0;
};

class Reader {
 public:
  Reader(uint64_t file_size, const ZipReader& read, const ZipFailure& fail)
      : file_size_(file_size), read_(read), fail_(fail) {}

  std::vector<ZipEntry> Entries() {
    const Directory directory = FindDirectory();
    const std::vector<std::byte> bytes = Bytes(directory.offset, directory.size);
    std::vector<ZipEntry> entries;
    size_t at = 0;
    for (uint64_t i = 0; i < directory.count; ++i) at += Central(std::span(bytes).subspan(at), &entries);
    if (at != bytes.size()) fail_("", "the directory is longer than its entries");
    // CheckLocal sets the `data_offset` that CheckOverlap compares.
    for (ZipEntry& entry : entries) CheckLocal(&entry, directory.offset);
    CheckOverlap(entries);
    return entries;
  }

 private:
  std::vector<std::byte> Bytes(uint64_t offset, uint64_t size) {
    std::vector<std::byte> bytes(size);
    read_(offset, bytes);
    return bytes;
  }

  // Finds the end record: the last thing in the file except for a comment, which ends with the file. The search goes
  // backwards, since a comment may contain the four bytes of the signature. A record counts only if its comment ends
  // with the file. So two readers never find different directories.
  uint64_t FindEnd(std::vector<std::byte>* end) {
    if (file_size_ < kEndSize) fail_("", "too short for a ZIP archive: " + std::to_string(file_size_) + " bytes");
    const uint64_t tail_size = std::min(file_size_, kEndSize + kMaxComment);
    const std::vector<std::byte> tail = Bytes(file_size_ - tail_size, tail_size);
    for (uint64_t at = tail_size - kEndSize + 1; at-- > 0;) {
      if (Little(tail, at, 4) != 0x06054b50 || Little(tail, at + 20, 2) != tail_size - at - kEndSize) continue;
      end->assign(tail.begin() + static_cast<ptrdiff_t>(at), tail.begin() + static_cast<ptrdiff_t>(at + kEndSize));
      return file_size_ - tail_size + at;
    }
    fail_("", "no end of a ZIP directory: no ZIP archive, or cut off");
    return 0;
  }

  Directory FindDirectory() {
    std::vector<std::byte> end;
    const uint64_t end_at = FindEnd(&end);
    Directory found{Little(end, 16, 4), Little(end, 12, 4), Little(end, 10, 2)};
    if (Little(end, 4, 2) != 0 || Little(end, 6, 2) != 0 || Little(end, 8, 2) != found.count) {
      fail_("", "an archive over several disks");
    }
    uint64_t directory_end = end_at;
    std::vector<std::byte> locator;
    if (end_at >= kLocator64Size) locator = Bytes(end_at - kLocator64Size, kLocator64Size);
    if (!locator.empty() && Little(locator, 0, 4) == 0x07064b50) {
      directory_end = ReadEnd64(locator, end_at, &found);
    } else if (found.offset == 0xffffffff || found.size == 0xffffffff || found.count == 0xffff) {
      fail_("", "its directory needs zip64, which is missing");
    }
    // Nothing may lie between directory and end record: another reader could take it for a second directory. The size
    // is checked before `Bytes` allocates that much.
    if (found.size > kMaxDirectory || found.offset > directory_end || found.size != directory_end - found.offset) {
      fail_("", "the directory does not lie where its end record says");
    }
    if (found.count > found.size / kCentralSize) fail_("", "the directory is too short for its entries");
    return found;
  }

  // Each field of the short record must be saturated or equal to the field here. Returns the place of the zip64 end
  // record.
  uint64_t ReadEnd64(const std::vector<std::byte>& locator, uint64_t end_at, Directory* found) {
    const uint64_t at = Little(locator, 8, 8);
    if (end_at < kLocator64Size + kEnd64Size || at != end_at - kLocator64Size - kEnd64Size ||
        Little(locator, 4, 4) != 0 || Little(locator, 16, 4) > 1) {
      fail_("", "its zip64 locator points elsewhere");
    }
    const std::vector<std::byte> end = Bytes(at, kEnd64Size);
    if (Little(end, 0, 4) != 0x06064b50 || Little(end, 4, 8) != kEnd64Size - 12 || Little(end, 16, 4) != 0 ||
        Little(end, 20, 4) != 0 || Little(end, 24, 8) != Little(end, 32, 8)) {
      fail_("", "its zip64 end record is damaged");
    }
    const Directory wide{Little(end, 48, 8), Little(end, 40, 8), Little(end, 32, 8)};
    if ((found->offset != 0xffffffff && found->offset != wide.offset) ||
        (found->size != 0xffffffff && found->size != wide.size) ||
        (found->count != 0xffff && found->count != wide.count)) {
      fail_("", "its two end records disagree");
    }
    *found = wide;
    return at;
  }

  void CheckName(const std::string& name) {
    const auto bad = [&](const char* what) { fail_(name, std::string("a record's name ") + what); };
    if (name.empty()) bad("is empty");
    if (name.size() > kMaxName) bad("is too long");
    if (!IsUtf8(name)) bad("is not UTF-8");
    for (const char c : name) {
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') bad("has a control character or a backslash");
    }
    if (name[0] == '/' || (name.size() > 1 && name[1] == ':')) bad("is absolute");
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('/', begin), name.size());
      const std::string_view part = std::string_view(name).substr(begin, end - begin);
      const bool folder = part.empty() && end == name.size();  // "folder/"
      if (part == ".." || part == "." || (part.empty() && !folder)) bad("leads out of the archive");
      begin = end + 1;
    }
    if (!names_.insert(name).second) bad("occurs twice");
  }

  // Reads one entry. Returns its length in the directory.
  size_t Central(std::span<const std::byte> bytes, std::vector<ZipEntry>* entries) {
    if (bytes.size() < kCentralSize || Little(bytes, 0, 4) != 0x02014b50) {
      fail_("", "entry " + std::to_string(entries->size() + 1) + " of the directory is damaged");
    }
    const size_t name_size = Little(bytes, 28, 2);
    const size_t extra_size = Little(bytes, 30, 2);
    const size_t length = kCentralSize + name_size + extra_size + Little(bytes, 32, 2);
    if (length > bytes.size()) {
      fail_("", "entry " + std::to_string(entries->size() + 1) + " of the directory is cut off");
    }
    ZipEntry entry;
    entry.name.assign(reinterpret_cast<const char*>(bytes.data()) + kCentralSize, name_size);
    CheckName(entry.name);
    entry.crc = static_cast<uint32_t>(Little(bytes, 16, 4));
    uint64_t compressed = Little(bytes, 20, 4);
    entry.size = Little(bytes, 24, 4);
    entry.header_offset = Little(bytes, 42, 4);
    uint64_t disk = Little(bytes, 34, 2);
    ReadExtra64(entry.name, bytes.subspan(kCentralSize + name_size, extra_size), &entry.size, &compressed,
                &entry.header_offset, &disk);
    if ((Little(bytes, 8, 2) & kEncrypted) != 0) fail_(entry.name, "is encrypted");
    entry.stored_size = compressed;
    const uint64_t method = Little(bytes, 10, 2);
    entry.deflated = method == kDeflate;
    if (method != 0 && !entry.deflated) fail_(entry.name, "is compressed in an unknown way");
    if (!entry.deflated && compressed != entry.size) fail_(entry.name, "states two sizes");
    if (disk != 0) fail_(entry.name, "lies on another disk");
    if (entry.name.back() == '/' && entry.size != 0) fail_(entry.name, "is a folder with contents");
    entries->push_back(std::move(entry));
    return length;
  }

  // The zip64 extra field holds the saturated fields and no others, in this order.
  void ReadExtra64(const std::string& name, std::span<const std::byte> extra, uint64_t* size, uint64_t* compressed,
                   uint64_t* offset, uint64_t* disk) {
    std::optional<std::span<const std::byte>> wide;
    for (size_t at = 0; at + 4 <= extra.size();) {
      const size_t length = Little(extra, at + 2, 2);
      if (length > extra.size() - at - 4) fail_(name, "has a damaged extra field");
      if (Little(extra, at, 2) == 0x0001) {
        if (wide) fail_(name, "has two zip64 fields");
        wide = extra.subspan(at + 4, length);
      }
      at += 4 + length;
    }
    size_t at = 0;
    const auto take = [&](uint64_t* value, uint64_t saturated, size_t width) {
      if (*value != saturated) return;
      if (!wide || at + width > wide->size()) fail_(name, "needs a zip64 field that is missing");
      *value = Little(*wide, at, width);
      at += width;
    };
    // The order is that of the ZIP appnote, 4.5.3. A field that is not saturated is absent here.
    take(size, 0xffffffff, 8);
    take(compressed, 0xffffffff, 8);
    take(offset, 0xffffffff, 8);
    take(disk, 0xffff, 4);
  }

  // The local header must agree. Sets data_offset.
  void CheckLocal(ZipEntry* entry, uint64_t directory_offset) {
    if (entry->header_offset > directory_offset || directory_offset - entry->header_offset < kLocalSize) {
      fail_(entry->name, "begins outside the file");
    }
    const std::vector<std::byte> header = Bytes(entry->header_offset, kLocalSize);
    if (Little(header, 0, 4) != 0x04034b50) fail_(entry->name, "has no local header");
    const uint64_t name_size = Little(header, 26, 2);
    const uint64_t extra_size = Little(header, 28, 2);
    const uint64_t room = directory_offset - entry->header_offset - kLocalSize;
    if (name_size + extra_size > room || entry->stored_size > room - name_size - extra_size) {
      fail_(entry->name, "ends outside the file: " + std::to_string(entry->stored_size) + " bytes");
    }
    const std::vector<std::byte> rest = Bytes(entry->header_offset + kLocalSize, name_size + extra_size);
    const std::string_view name(reinterpret_cast<const char*>(rest.data()), name_size);
    // Tools that list an archive read the directory, and tools that stream it read local headers. With two names they
    // would see two different archives.
    if (name != entry->name) fail_(entry->name, "is called '" + Printable(name) + "' in its local header");
    if ((Little(header, 6, 2) & kEncrypted) != 0 || Little(header, 8, 2) != (entry->deflated ? kDeflate : 0)) {
      fail_(entry->name, "is compressed or encrypted by its local header, and not by the directory");
    }
    uint64_t compressed = Little(header, 18, 4);
    uint64_t size = Little(header, 22, 4);
    uint64_t unused_offset = 0;
    uint64_t unused_disk = 0;
    ReadExtra64(entry->name, std::span(rest).subspan(name_size), &size, &compressed, &unused_offset, &unused_disk);
    const uint64_t crc = Little(header, 14, 4);
    const bool later = (Little(header, 6, 2) & kSizesFollow) != 0 && crc == 0 && size == 0 && compressed == 0;
    if (!later && (size != entry->size || compressed != entry->stored_size || crc != entry->crc)) {
      fail_(entry->name, "has a local header that disagrees with the directory");
    }
    entry->data_offset = entry->header_offset + kLocalSize + name_size + extra_size;
  }

  void CheckOverlap(const std::vector<ZipEntry>& entries) {
    std::vector<const ZipEntry*> sorted;
    for (const ZipEntry& entry : entries) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(),
              [](const ZipEntry* a, const ZipEntry* b) { return a->header_offset < b->header_offset; });
    // Comparing neighbours is enough: an entry that overlaps any later one overlaps the next one, too. With overlapping
    // records a small file unpacks to a large one ("zip bomb").
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i - 1]->data_offset + sorted[i - 1]->stored_size > sorted[i]->header_offset) {
        fail_(sorted[i]->name, "overlaps '" + Printable(sorted[i - 1]->name) + "'");
      }
    }
  }

  uint64_t file_size_;
  const ZipReader& read_;
  const ZipFailure& fail_;
  std::unordered_set<std::string> names_;
};

}  // namespace

std::vector<ZipEntry> ReadZipDirectory(uint64_t file_size, const ZipReader& read, const ZipFailure& fail) {
  return Reader(file_size, read, fail).Entries();
}

}  // namespace onnxport::archive
