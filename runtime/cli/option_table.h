// The flags that follow the table of options (onnxport/options.h).
#ifndef ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_
#define ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/options.h"

namespace onnxport::cli {

// Adds the plain options to `export` (or those of `inspect`), in the table's order. Parsing fills `options`, and adds
// values that it cannot parse to `mistakes`.
void AddTable(CLI::App* command, bool inspect, ExportOptions* options, std::vector<Diagnostic>* mistakes);
void AddTable(CLI::App* command, SaveOptions* options, std::vector<Diagnostic>* mistakes);

// Adds a flag whose value goes into `value`, for code that reads it. `more` is appended to the table's help.
template <typename Value>
CLI::Option* AddOwn(CLI::App* command, std::string_view name, Value* value, const std::string& more = "") {
  const OptionRow& row = *FindOption(name);
  return command->add_option(std::string(row.flag), *value, std::string(row.help) + more)
      ->allow_extra_args(false)
      ->type_name(std::string(row.takes));
}

}  // namespace onnxport::cli

#endif  // ONNXPORT_RUNTIME_CLI_OPTION_TABLE_H_
