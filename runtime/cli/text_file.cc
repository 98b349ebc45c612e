#include "runtime/cli/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace onnxport::cli {

std::optional<Report> WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  // What the buffer holds is written here, so a full disk shows only afterwards.
  file.close();
  if (file) return std::nullopt;
  return Report(ErrorKind::kCannotWrite, path + ": " + std::strerror(errno));
}

}  // namespace onnxport::cli
