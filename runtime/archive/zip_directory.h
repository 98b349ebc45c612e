// Reads and checks the central directory of a ZIP file. It works on bytes that a function reads, not on files.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_ZIP_DIRECTORY_H_
#define ONNXPORT_RUNTIME_ARCHIVE_ZIP_DIRECTORY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::archive {

struct ZipEntry {
  std::string name;
  uint64_t header_offset = 0;
  uint64_t data_offset = 0;
  uint64_t size = 0;         // bytes of the contents
  uint64_t stored_size = 0;  // bytes in the file; differs from `size` if `deflated`
  bool deflated = false;
  uint32_t crc = 0;
};

// Fills `out` from the file at `offset`; called only for bytes inside the file.
using ZipReader = std::function<void(uint64_t offset, std::span<std::byte> out)>;
// Reports damage: the record's name (empty for the directory itself) and the fault. Does not return.
using ZipFailure = std::function<void(std::string_view record, const std::string& what)>;

// Returns the entries in the order of the directory. The format is in the ZIP appnote, 4.3 (records) and 4.5 (zip64).
std::vector<ZipEntry> ReadZipDirectory(uint64_t file_size, const ZipReader& read, const ZipFailure& fail);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_ZIP_DIRECTORY_H_
