#include "codegen/help/watch.h"

#include <stdexcept>
#include <system_error>

namespace onnxport::codegen {

FolderWatch::FolderWatch(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (!std::filesystem::is_directory(folder_)) throw std::runtime_error(folder_.string() + " is no folder");
  seen_ = Look();
}

std::map<std::string, FolderWatch::State> FolderWatch::Look() const {
  std::map<std::string, State> files;
  std::error_code gone;  // a file may go while it is looked at: editors save by renaming
  for (auto item = std::filesystem::recursive_directory_iterator(folder_, gone);
       item != std::filesystem::recursive_directory_iterator(); item.increment(gone)) {
    if (item->path().extension() != ".yaml") continue;
    std::error_code error;
    const auto time = item->last_write_time(error);
    const auto size = item->file_size(error);
    if (!error) files[item->path().string()] = {time, size};
  }
  return files;
}

// Polled, as that works alike on every file system, in containers and over networks. Time and size: some file systems
// count time in seconds, and an editor can save twice in one.
std::vector<std::string> FolderWatch::Changed() {
  std::map<std::string, State> now = Look();
  std::vector<std::string> changed;
  for (const auto& [path, state] : now) {
    const auto before = seen_.find(path);
    if (before == seen_.end() || before->second != state) changed.push_back(path);
  }
  seen_ = std::move(now);
  return changed;
}

}  // namespace onnxport::codegen
