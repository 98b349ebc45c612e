// The command's names for options.
#ifndef ONNXPORT_RUNTIME_CLI_OPTION_FLAGS_H_
#define ONNXPORT_RUNTIME_CLI_OPTION_FLAGS_H_

#include <string>
#include <string_view>

namespace onnxport::cli {

// "weights_as" and "int4" are "--weights-as int4": an OptionName (onnxport/diagnostic.h).
std::string OptionAsFlag(std::string_view key, std::string_view value);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_OPTION_FLAGS_H_
