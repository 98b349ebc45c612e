// Files that a program writes beside its models: reports, tables, pages.
#ifndef ONNXPORT_FILES_H_
#define ONNXPORT_FILES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/diagnostic.h"

namespace onnxport {

// Why no file of this name should be written, or nothing. kUsage: it is one of `others`, the files that the program
// reads or writes besides, whatever link or spelling of its path leads there, and whether it exists yet or not; an
// empty name stands for none. kCannotWrite: it is a symbolic link or no regular file, or there is no such folder.
std::optional<Report> CheckOutput(const std::string& path, const std::vector<std::string>& others = {});

// Writes a file, complete or not at all: what had its name stays until all bytes are on the disk. (Without `sync`
// nothing waits for the disk.) The same is checked before.
std::optional<Report> WriteOutput(const std::string& path, std::string_view bytes,
                                  const std::vector<std::string>& others = {}, bool sync = true);

}  // namespace onnxport

#endif  // ONNXPORT_FILES_H_
