// The flags that follow the table of options (onnxport/options.h).
#ifndef ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_
#define ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/options.h"

namespace onnxport::cli {

// Adds the plain options to `export` (or those of `inspect`), in the table's order. Parsing fills `options`, and notes
// in `mistakes` each value that is none.
void AddTable(CLI::App* command, bool inspect, ExportOptions* options, std::vector<Diagnostic>* mistakes);
void AddTable(CLI::App* command, SaveOptions* options, std::vector<Diagnostic>* mistakes);

// What the table says that the option does.
std::string HelpOf(std::string_view name);

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_
