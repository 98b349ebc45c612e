#include "runtime/serializer/data_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>

namespace onnxport::serializer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 1 << 20;

bool IsDataFile(std::string_view name, const std::string& stem) {
  const std::string_view end = name.ends_with(kRawEnd) ? kRawEnd : kSafetensorsEnd;
  if (name.size() != stem.size() + 1 + kHashDigits + end.size()) return false;
  if (!name.starts_with(stem + ".") || !name.ends_with(end)) return false;
  const std::string_view digits = name.substr(stem.size() + 1, kHashDigits);
  return std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

std::vector<std::string> DataFilesOf(const std::string& model, const std::string& stem) {
  std::vector<std::string> beside;
  std::error_code error;
  const fs::path folder = fs::path(model).parent_path();
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error)) {
    std::string name = at->path().filename().string();
    if (IsDataFile(name, stem)) beside.push_back(std::move(name));
  }
  std::vector<std::string> named;
  if (beside.empty()) return named;
  std::ifstream file(model, std::ios::binary);
  std::string text;  // a block, after the end of the one before
  while (file) {
    text.erase(0, text.size() - std::min(text.size(), stem.size() + 2 * kHashDigits));
    const size_t kept = text.size();
    text.resize(kept + kBlock);
    file.read(text.data() + kept, kBlock);
    text.resize(kept + static_cast<size_t>(file.gcount()));
    for (const std::string& name : beside) {
      if (text.find(name) != std::string::npos && std::ranges::find(named, name) == named.end()) named.push_back(name);
    }
  }
  std::ranges::sort(named);
  return named;
}

std::vector<std::string> RemoveUnnamed(std::vector<std::string> files, const std::string& model,
                                       const std::string& stem) {
  if (files.empty()) return files;
  std::set<std::string> kept;
  std::error_code error;
  const fs::path folder = fs::path(model).parent_path();
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".onnx") continue;
    for (std::string& name : DataFilesOf(at->path().string(), stem)) kept.insert(std::move(name));
  }
  if (error) return files;
  std::erase_if(files,
                [&](const std::string& name) { return !kept.contains(name) && fs::remove(folder / name, error); });
  return files;
}

}  // namespace onnxport::serializer
