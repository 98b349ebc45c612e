// Which files of a folder were saved.
#ifndef ONNXPORT_CODEGEN_HELP_WATCH_H_
#define ONNXPORT_CODEGEN_HELP_WATCH_H_

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace onnxport::codegen {

// By asking: what tells of changes by itself does not see those of a container's other side, or of a network's.
class FolderWatch {
 public:
  // Throws std::runtime_error where there is no such folder.
  explicit FolderWatch(std::filesystem::path folder);

  // The .yaml files in the folder, and in those below it, that are new or were written to since the last call (at
  // first: since it was made), sorted.
  std::vector<std::string> Changed();
  size_t size() const { return seen_.size(); }

 private:
  using State = std::pair<std::filesystem::file_time_type, std::uintmax_t>;  // time and size
  std::map<std::string, State> Look() const;

  std::filesystem::path folder_;
  std::map<std::string, State> seen_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_WATCH_H_
