#include "runtime/model/serializer/write_file.h"

#include <fmt/core.h>

#include <filesystem>
#include <iterator>
#include <system_error>

#include "runtime/base/error.h"
#include "runtime/model/serializer/output_file.h"

namespace onnxport::serializer {
namespace {

namespace fs = std::filesystem;

fs::path FolderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

bool IsSameFile(const std::string& a, const std::string& b) {
  if (a == b) return true;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  // `equivalent` knows files that exist. A file that is still to be written is its folder and its name there.
  const fs::path first(a), second(b);
  return first.filename() == second.filename() && fs::equivalent(FolderOf(first), FolderOf(second), error);
}

void CheckOutput(const std::string& path, const std::vector<std::string>& others) {
  for (const std::string& other : others) {
    if (other.empty() || !IsSameFile(path, other)) continue;
    const std::string file = path == other ? path : fmt::format("{} is {}, which", path, other);
    throw Error(ErrorKind::kUsage,
                fmt::format("{} is read or written for something else here; name another output", file));
  }
  CheckTarget(path);
}

void WriteFile(const std::string& path, std::string_view bytes, const std::vector<std::string>& others, bool sync,
               FileOps* ops) {
  CheckOutput(path, others);
  OutputFile file(ops, path, std::ssize(bytes), sync);
  FilePart part(&file, 0);
  part.Write(bytes);
  part.Flush();
  file.Commit(path);
}

}  // namespace onnxport::serializer
