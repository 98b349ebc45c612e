#include "runtime/model/serializer/data_files.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>

#include "runtime/archive/byte_source.h"
#include "runtime/base/error.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/model/serializer/wire_reader.h"

namespace onnxport::serializer {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kBlock = 1 << 20;

// Field numbers of onnx.proto.
constexpr int kTensorExternalData = 13;

bool IsDataFile(std::string_view name, const std::string& stem) {
  const std::string_view end = name.ends_with(kRawEnd) ? kRawEnd : kSafetensorsEnd;
  if (name.size() != stem.size() + 1 + kHashDigits + end.size()) return false;
  if (!name.starts_with(stem + ".") || !name.ends_with(end)) return false;
  const std::string_view digits = name.substr(stem.size() + 1, kHashDigits);
  return std::ranges::all_of(digits, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// Finds which of some names are in an ONNX file. Elements of initializers are skipped. The names, with 32 hex digits in
// each, are searched as bytes, anywhere. A name found by chance only keeps a file that could be removed; a needed file
// is never removed.
class NameFinder {
 public:
  NameFinder(const archive::ByteSource& file, const std::vector<std::string>& names) : file_(file), names_(names) {}

  // Throws Error if the file cannot be read, or is no ONNX file.
  std::set<std::string> Find() {
    WireReader model(file_, 0, file_.size());
    while (const auto field = model.Next()) {
      if (field->number == kModelGraph && field->is_message) {
        LookIntoGraph(*field);
      } else {
        Search(*field);
      }
    }
    return std::move(found_);
  }

 private:
  void LookIntoGraph(const Field& graph) {
    WireReader reader(file_, graph.data, graph.end);
    while (const auto field = reader.Next()) {
      if (field->number == kGraphInitializer && field->is_message) {
        LookIntoTensor(*field);
      } else {
        Search(*field);
      }
    }
  }

  void LookIntoTensor(const Field& tensor) {
    WireReader reader(file_, tensor.data, tensor.end);
    while (const auto field = reader.Next()) {
      if (field->number == kTensorExternalData) Search(*field);
    }
  }

  void Search(const Field& field) {
    std::string text;  // a block, after the end of the one before
    for (uint64_t at = field.begin; at < field.end;) {
      // A name may begin in one block and end in the next, so the end of the last block is kept in front.
      text.erase(0, text.size() - std::min(text.size(), Overlap()));
      const uint64_t size = std::min(kBlock, field.end - at);
      const size_t kept = text.size();
      text.resize(kept + size);
      file_.ReadAt(at, std::as_writable_bytes(std::span(text)).subspan(kept));
      at += size;
      for (const std::string& name : names_) {
        if (text.find(name) != std::string::npos) found_.insert(name);
      }
    }
  }

  size_t Overlap() const {
    size_t longest = 0;
    for (const std::string& name : names_) longest = std::max(longest, name.size());
    return longest;
  }

  const archive::ByteSource& file_;
  const std::vector<std::string>& names_;
  std::set<std::string> found_;
};

// Calls `look` with each file in the folder of `model`. Returns false if not all of them could be listed.
template <typename Look>
bool ForEachBeside(const std::string& model, const Look& look) {
  std::error_code error;
  const fs::path folder = fs::path(model).parent_path();
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end; at.increment(error)) {
    look(at->path());
  }
  return !error;
}

// Throws Error when a model cannot be read.
std::set<std::string> NamedBeside(const std::string& model, const std::vector<std::string>& names) {
  std::set<std::string> named;
  const bool all = ForEachBeside(model, [&](const fs::path& path) {
    std::error_code error;
    // Including `model` itself: it is the new one by now, and the files that it names stay.
    if (path.extension() != ".onnx" || fs::is_directory(path, error)) return;
    named.merge(NameFinder(*archive::OpenFile(path.string()), names).Find());
  });
  if (!all) throw Error(ErrorKind::kBadInput, "the folder cannot be listed");
  return named;
}

}  // namespace

std::vector<std::string> DataFilesOf(const std::string& model, const std::string& stem) {
  // Nearly always there is no data file beside it, and then the old model is not read at all.
  std::vector<std::string> beside;
  ForEachBeside(model, [&](const fs::path& path) {
    std::string name = path.filename().string();
    if (IsDataFile(name, stem)) beside.push_back(std::move(name));
  });
  std::error_code error;
  if (beside.empty() || !fs::is_regular_file(model, error)) return {};
  try {
    const std::set<std::string> named = NameFinder(*archive::OpenFile(model), beside).Find();
    return {named.begin(), named.end()};
  } catch (const Error& unreadable) {
    if (unreadable.kind() != ErrorKind::kBadInput) throw;
    return {};
  }
}

std::vector<std::string> RemoveUnnamed(std::vector<std::string> files, const std::string& model) {
  if (files.empty()) return files;
  try {
    const std::set<std::string> kept = NamedBeside(model, files);
    const fs::path folder = fs::path(model).parent_path();
    std::error_code error;
    std::erase_if(files,
                  [&](const std::string& name) { return !kept.contains(name) && fs::remove(folder / name, error); });
  } catch (const Error&) {
    // If it is unknown, or there is no time to find out, they stay. The model is written.
  }
  return files;
}

}  // namespace onnxport::serializer
