// The manual page and the completions of shells, from the command's own description of its options.
#ifndef ONNXPORT_RELEASE_PAGES_PAGES_H_
#define ONNXPORT_RELEASE_PAGES_PAGES_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace onnxport::release {

// roff for `man`; `version` stands in its foot.
std::string ManualPage(const CLI::App& app, std::string_view version);

std::string BashCompletion(const CLI::App& app);
std::string ZshCompletion(const CLI::App& app);
std::string FishCompletion(const CLI::App& app);

}  // namespace onnxport::release

#endif  // ONNXPORT_RELEASE_PAGES_PAGES_H_
