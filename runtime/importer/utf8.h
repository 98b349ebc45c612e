#ifndef ONNXPORT_RUNTIME_IMPORTER_UTF8_H_
#define ONNXPORT_RUNTIME_IMPORTER_UTF8_H_

#include <string_view>

namespace onnxport::importer {

// Valid UTF-8 without overlong forms and surrogates (Unicode 15, table 3-7).
bool IsUtf8(std::string_view text);

}  // namespace onnxport::importer

#endif  // ONNXPORT_RUNTIME_IMPORTER_UTF8_H_
