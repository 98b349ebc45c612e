#include "runtime/cli/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace onnxport::cli {

std::optional<Report> WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file) return std::nullopt;
  return Report(ErrorKind::kCannotWrite, path + ": " + std::strerror(errno));
}

}  // namespace onnxport::cli
