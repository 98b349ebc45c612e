#include <fmt/core.h>

#include <cstdio>
#include <string>

#include "runtime/cli/commands.h"
#include "runtime/importer/pt2.h"
#include "runtime/serializer/onnx_text.h"

namespace onnxport::cli {
namespace {

// The archives of torch.export are ZIP files, whatever their name.
bool IsZip(const std::string& path) {
  char magic[4] = {};
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const size_t count = std::fread(magic, 1, sizeof magic, file);
  std::fclose(file);
  return count == sizeof magic && std::string_view(magic, sizeof magic) == "PK\3\4";
}

}  // namespace

void RunInspect(const std::string& file) {
  std::string text;
  if (IsZip(file)) {
    importer::Remarks remarks;
    text = ir::ToText(importer::ReadPt2(file, &remarks));
    for (const std::string& remark : remarks) text += "note: " + remark + "\n";
  } else {
    text = serializer::OnnxToText(file);
  }
  fmt::print("{}", text);
}

}  // namespace onnxport::cli
