// Writes small archives for tests.
#ifndef ONNXPORT_RUNTIME_TESTING_ZIP_WRITER_H_
#define ONNXPORT_RUNTIME_TESTING_ZIP_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport::archive {

using ZipContents = std::vector<std::pair<std::string, std::string>>;  // name, contents

// Writes stored entries, but deflates *.py and *.debug_pkl as TorchScript does. With `zip64` the sizes and offsets are
// in the wide fields, and nothing is deflated.
std::string WriteZip(const ZipContents& contents, bool zip64 = false);

// Overwrites a little-endian field at offset `at` of the n-th record (from 0) with this signature, for example
// "PK\1\2".
void PatchZip(std::string* zip, std::string_view signature, int n, size_t at, size_t width, uint64_t value);

// Writes these bytes to a new file in the test's temporary folder.
std::string WriteTestFile(std::string_view name, std::string_view bytes);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_TESTING_ZIP_WRITER_H_
