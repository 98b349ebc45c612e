#include "runtime/testing/zip_writer.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <fstream>

namespace onnxport::archive {
namespace {

std::string Little(uint64_t value, size_t width) {
  std::string bytes;
  for (size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

// The zip64 extra field: header 1, then the saturated fields.
std::string Extra64(std::initializer_list<uint64_t> fields) {
  std::string body;
  for (const uint64_t field : fields) body += Little(field, 8);
  return Little(1, 2) + Little(body.size(), 2) + body;
}

std::string Deflated(const std::string& bytes) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::string packed(libdeflate_deflate_compress_bound(compressor, bytes.size()), '\0');
  packed.resize(libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(compressor);
  return packed;
}

}  // namespace

std::string WriteZip(const ZipContents& contents, bool zip64) {
  std::string zip;
  std::string directory;
  for (const auto& [name, bytes] : contents) {
    const uint64_t crc = libdeflate_crc32(0, bytes.data(), bytes.size());
    const uint64_t offset = zip.size();
    const bool deflate = !zip64 && (name.ends_with(".py") || name.ends_with(".debug_pkl"));
    const std::string stored = deflate ? Deflated(bytes) : bytes;
    const std::string sizes = zip64 ? Little(~uint64_t{0}, 8) : Little(stored.size(), 4) + Little(bytes.size(), 4);
    const std::string local_extra = zip64 ? Extra64({bytes.size(), bytes.size()}) : "";
    const std::string extra = zip64 ? Extra64({bytes.size(), bytes.size(), offset}) : "";
    const std::string common =
        Little(0, 2) + Little(deflate ? 8 : 0, 2) + Little(0, 4) + Little(crc, 4) + sizes + Little(name.size(), 2);
    zip += "PK\3\4" + Little(45, 2) + common + Little(local_extra.size(), 2) + name + local_extra + stored;
    directory += "PK\1\2" + Little(45, 2) + Little(45, 2) + common + Little(extra.size(), 2) + Little(0, 2) +
                 Little(0, 2) + Little(0, 2) + Little(0, 4) + Little(zip64 ? 0xffffffff : offset, 4) + name + extra;
  }
  const uint64_t begin = zip.size();
  const uint64_t count = contents.size();
  zip += directory;
  if (zip64) {
    const uint64_t end = zip.size();
    zip += "PK\6\6" + Little(44, 8) + Little(45, 2) + Little(45, 2) + Little(0, 4) + Little(0, 4) + Little(count, 8) +
           Little(count, 8) + Little(directory.size(), 8) + Little(begin, 8);
    zip += "PK\6\7" + Little(0, 4) + Little(end, 8) + Little(1, 4);
  }
  return zip + "PK\5\6" + Little(0, 2) + Little(0, 2) + Little(count, 2) + Little(count, 2) +
         Little(directory.size(), 4) + Little(zip64 ? 0xffffffff : begin, 4) + Little(0, 2);
}

void PatchZip(std::string* zip, std::string_view signature, int n, size_t at, size_t width, uint64_t value) {
  size_t found = zip->find(signature);
  for (int i = 0; i < n && found != std::string::npos; ++i) found = zip->find(signature, found + 1);
  ASSERT_NE(found, std::string::npos);
  ASSERT_LE(found + at + width, zip->size());
  zip->replace(found + at, width, Little(value, width));
}

std::string WriteTestFile(std::string_view name, std::string_view bytes) {
  const std::string path = testing::TempDir() + std::string(name);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace onnxport::archive
