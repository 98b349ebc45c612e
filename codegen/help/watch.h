// Finds the files of a folder that were saved.
#ifndef ONNXPORT_CODEGEN_HELP_WATCH_H_
#define ONNXPORT_CODEGEN_HELP_WATCH_H_

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace onnxport::codegen {

// It polls. Notifications of the system miss changes from outside a container and from a network.
class FolderWatch {
 public:
  // Throws std::runtime_error if the folder does not exist.
  explicit FolderWatch(std::filesystem::path folder);

  // Returns the .yaml files in the folder and below that are new or changed since the last call (the first time: since
  // construction), sorted.
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
