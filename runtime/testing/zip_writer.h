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

// Stored entries, those named *.py and *.debug_pkl deflated as TorchScript has them; with `zip64` sizes and offsets lie
// in the wide fields, and nothing is deflated.
std::string WriteZip(const ZipContents& contents, bool zip64 = false);

// Overwrites a little-endian field at `at` of the n-th (from 0) record with a signature, for example "PK\1\2".
void PatchZip(std::string* zip, std::string_view signature, int n, size_t at, size_t width, uint64_t value);

// A file of its own in the test's temporary folder, with these bytes.
std::string WriteTestFile(std::string_view name, std::string_view bytes);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_TESTING_ZIP_WRITER_H_
