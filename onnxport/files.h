// Other files that a program writes beside its models: reports, tables, pages.
#ifndef ONNXPORT_FILES_H_
#define ONNXPORT_FILES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/diagnostic.h"

namespace onnxport {

// Returns why no file of this name should be written, or nothing.
//
//   kUsage        it is one of `others`, the files that the program reads or writes besides; empty names are skipped
//   kCannotWrite  it is a symbolic link or no regular file, or there is no such folder
//
// The file need not exist. A path that is spelled differently, or that leads to the file through links, is recognized.
std::optional<Report> CheckOutput(const std::string& path, const std::vector<std::string>& others = {});

// Writes a file, complete or not at all: an older file of that name stays until all bytes are on the disk. Without
// `sync` it does not wait for the disk. It checks what CheckOutput does first.
std::optional<Report> WriteOutput(const std::string& path, std::string_view bytes,
                                  const std::vector<std::string>& others = {}, bool sync = true);

}  // namespace onnxport

#endif  // ONNXPORT_FILES_H_
