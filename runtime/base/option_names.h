// How messages name options. Inside the library a message marks an option by its key: "<<weights>>", or "<<weights_as:
// int4>>" with a value. Each front end replaces the mark with its own name.
#ifndef ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_
#define ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_

#include <string>
#include <string_view>
#include <vector>

namespace onnxport {

// Returns a front end's name for the option `key`. `value` may be empty. diagnostic.h declares the same type.
using OptionName = std::string (*)(std::string_view key, std::string_view value);

// "ExportOptions::weights_as", "ExportOptions::weights_as: \"int4\""
std::string OptionInCpp(std::string_view key, std::string_view value);
// The form of JSON, Python and JavaScript: "`weights_as`", "`weights_as`: \"int4\"".
std::string OptionAsKey(std::string_view key, std::string_view value);

// Replaces each mark in the text by its `name`.
std::string WithOptionNames(std::string_view text, OptionName name);
// Returns the keys that the text marks, each once.
std::vector<std::string> MarkedOptions(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_OPTION_NAMES_H_
