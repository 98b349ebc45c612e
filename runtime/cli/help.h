// The layout of `--help`: 80 columns, with examples as users type them.
#ifndef ONNXPORT_RUNTIME_CLI_HELP_H_
#define ONNXPORT_RUNTIME_CLI_HELP_H_

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace onnxport::cli {

std::shared_ptr<CLI::FormatterBase> HelpFormatter();

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_HELP_H_
