// The options of the generator's command.
#ifndef ONNXPORT_CODEGEN_OPTIONS_H_
#define ONNXPORT_CODEGEN_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "codegen/help/commands.h"
#include "codegen/source/files.h"

namespace onnxport::codegen {

struct Options {
  std::string workspace = ".";
  std::string templates;
  std::string spec;
  std::string spec_name;
  bool coverage = false;
  std::vector<NamedFile> libraries;
  std::string owner;
  std::vector<NamedFile> declares;
  std::string aten_schemas;
  bool declarations = false;
  std::vector<std::string> merge;
  std::vector<std::string> merge_base;
  std::vector<std::string> traits;
  std::vector<std::string> traits_base;
  std::string out_dir;
  std::string show;
  int what_changed = 0;
  bool format = false;
  std::vector<std::string> files;
  bool notes = false;
  bool check = false;
  HelpOptions help;
};

// Stores the options of the command line in `options`, which must outlive the parsing.
void AddOptions(CLI::App* app, Options* options);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_OPTIONS_H_
