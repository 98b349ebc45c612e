// How messages name options. Inside the library a message marks an option by its key: "<<weights>>", or with a value
// "<<weights_as: int4>>". Each front end shows its own name in the mark's place.
#ifndef ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_
#define ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport {

// Returns a front end's name for the option `key`. `value` is empty, or a value for it. diagnostic.h has it, too.
using OptionName = std::string (*)(std::string_view key, std::string_view value);

// "ExportOptions::weights_as", "ExportOptions::weights_as: \"int4\""
std::string OptionInCpp(std::string_view key, std::string_view value);
// As in JSON, Python and JavaScript: "`weights_as`", "`weights_as`: \"int4\"".
std::string OptionAsKey(std::string_view key, std::string_view value);

// The text with `name` in the place of each mark.
std::string WithOptionNames(std::string_view text, OptionName name);
// The keys that it marks, each once.
std::vector<std::string> MarkedOptions(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_
