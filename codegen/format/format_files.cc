#include "codegen/format/format_files.h"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "codegen/format/format.h"
#include "codegen/source/diagnostics.h"
#include "codegen/source/files.h"

namespace onnxport::codegen {

bool FormatFiles(const std::string& workspace, std::vector<std::string> paths, bool check_only) {
  if (paths.empty()) {
    paths = SpecPaths(workspace);
    std::ranges::move(DomainPaths(workspace), std::back_inserter(paths));
    for (const NamedFile& library : LibraryFiles(workspace)) paths.push_back(library.name);
  }
  bool ok = true;
  Diagnostics diagnostics;
  for (const std::string& path : paths) {
    const std::string text = ReadFile(workspace + "/" + path);
    const auto formatted = FormatSpec(path, text, &diagnostics);
    if (!formatted) {
      ok = false;
    } else if (*formatted == text) {
      continue;
    } else if (check_only) {
      std::cerr << path << " is not formatted\n";
      ok = false;
    } else {
      WriteFiles(workspace, {{path, *formatted}});
    }
  }
  std::cerr << diagnostics.ToText();
  return ok;
}

}  // namespace onnxport::codegen
