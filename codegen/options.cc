#include "codegen/options.h"

#include "codegen/model/onnx_ops.h"

namespace onnxport::codegen {
namespace {

void AddNamedFiles(CLI::App* app, const std::string& flag, std::vector<NamedFile>* files, const std::string& what) {
  const auto read = [files](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) files->push_back(ParseNamedFile(text));
  };
  app->add_option_function<std::vector<std::string>>(flag, read, "NAME=FILE: " + what);
}

void AddOptionsForPeople(CLI::App* app, Options* options) {
  app->add_option("--show", options->show, "print what an operator became: aten::softmax.int, or aten::softmax");
  app->add_option("--what-changed", options->what_changed, "list what the step to this opset changes")
      ->check(CLI::Range(FirstOpset() + 1, LastOpset()));
  app->add_flag("--check", options->check, "check all specs; with --format: whether they are formatted");
  app->add_flag("--format", options->format, "format all specs, or the files named");
  app->add_option("files", options->files, "specs to format, relative to the workspace")->needs("--format");
  app->add_flag("--notes", options->notes, "check, and say what is not covered: dtypes, overloads");
  app->add_option("--explain", options->help.explain,
                  "FILE:LINE:COLUMN: say what stands there, and of which kind it is");
  app->add_option("--complete", options->help.complete, "FILE:LINE:COLUMN: list the names that may stand there");
  app->add_option("--watch", options->help.watch, "check each spec of a folder when it is saved");
  app->add_flag("--schema", options->help.schema, "print the JSON schema of spec files, for editors");
  app->add_option("--workspace", options->workspace, "folder that holds spec/ and templates/");
}

void AddOptionsForRules(CLI::App* app, Options* options) {
  auto* rules = app->add_option_group("For the build rules");
  rules->add_option("--spec", options->spec, "generate one family");
  rules->add_option("--spec-name", options->spec_name, "what messages and comments call the spec file; its path");
  rules->add_flag("--coverage", options->coverage, "code that tells the coverage test which arms it takes");
  AddNamedFiles(rules, "--library", &options->libraries, "definitions that specs may import");
  rules->add_option("--owner", options->owner, "the set of operators that this is part of; none: onnxport's own");
  AddNamedFiles(rules, "--declares", &options->declares, "the set's spec files, for the schemas that they declare");
  rules->add_option("--aten-schemas", options->aten_schemas, "schemas of the operators that the set adds to PyTorch's");
  rules->add_flag("--declarations", options->declarations, "generate what is declared");
  rules->add_option("--merge-base", options->merge_base, "the .rows.json files that an entry may override");
  rules->add_option("--traits-base", options->traits_base, "the spec files that an entry may override");
  rules->add_option("--merge", options->merge, "generate the dispatch table from these .rows.json files");
  rules->add_option("--traits", options->traits, "generate the table of traits from these spec files");
  rules->add_option("--templates", options->templates, "folder of the templates; templates/ of the workspace");
  rules->add_option("--out-dir", options->out_dir, "where generated files go");
}

}  // namespace

void AddOptions(CLI::App* app, Options* options) {
  AddOptionsForPeople(app, options);
  AddOptionsForRules(app, options);
}

}  // namespace onnxport::codegen
