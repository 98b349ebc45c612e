#include "runtime/cli/command_line.h"

#include <string>
#include <string_view>

#include "onnxport/operators.h"
#include "runtime/cli/help.h"
#include "runtime/cli/option_table.h"

namespace onnxport::cli {
namespace {

constexpr std::string_view kInputForms =
    "Inputs:\n"
    "  x=f32[batch,3,224,224]    a tensor; a named axis is free, or the export says\n"
    "                            what fixed it\n"
    "  x=f32[batch=1..64,?]      a name with the sizes it can have; a free axis whose\n"
    "                            name does not matter\n"
    "  n=i64[]  s=f64[]          of a .pt: a number that each run gives\n"
    "  n=5  flag=true  opt=none  of a .pt: a value that the model is made for\n"
    "  d.key=f32[4]  t.0=f32[4]  of a .pt: an element of a dict, tuple or list\n"
    "  xs=list[f32[n,4]]         of a .pt: a list of any length (an ONNX sequence)";

// Options of `export` and `inspect` that are not a flag with one value.
void AddReading(CLI::App* command, ExportArguments* arguments) {
  AddOwn(command, "domains", &arguments->domains);
  AddOwn(command, "weights", &arguments->weights);
  AddOwn(command, "max_seconds", &arguments->max_seconds)->capture_default_str();
}

void AddExport(CLI::App* app, ExportArguments* arguments, int* status) {
  ExportOptions& options = arguments->options;
  CLI::App* command = app->add_subcommand("export", "Write a PyTorch model as ONNX");
  command->footer(
      "Examples:\n"
      "  exporter export model.pt2 -o model.onnx --input 'x=f32[batch,3,224,224]'\n"
      "  exporter export scripted.pt --input 'x=f32[n,16]' --input steps=3\n"
      "  exporter export a.pt --and b.pt --input 'x=f32[batch,seq,64]'\n\n"
      "MODEL comes from\n"
      "  torch.export.save(torch.export.export(model, args), \"model.pt2\"), or\n"
      "  torch.jit.save(torch.jit.script(model), \"model.pt\") or torch.jit.trace.\n\n" +
      std::string(kInputForms) + "\n");
  command->add_option("MODEL", arguments->model, "The `.pt2` or TorchScript archive")->required();
  command
      ->add_option("-o,--out", arguments->out,
                   "The ONNX file to write. Default: the model's name with .onnx, in this folder")
      ->check(CLI::Validator([](const std::string& name) { return name.empty() ? "names no file" : ""; }, ""));
  AddTable(command, /*inspect=*/false, &options, &arguments->mistakes);
  AddReading(command, arguments);
  AddOwn(command, "other_traces", &arguments->traces, ". May be repeated");
  AddOwn(command, "traced_sizes", &arguments->sizes, ". Give it for MODEL first, then for each --and");
  // `--no-fold` means all names at once. So the code below has one option to read, not two that may disagree. Both
  // flags together are refused, because their meaning would be unclear.
  CLI::Option* one =
      command->add_option("--disable-pass", options.disabled_passes, "Leave out one simplification, by its name");
  one->allow_extra_args(false)->type_name("PASS");
  command
      ->add_flag_callback(
          "--no-fold", [&options] { options.disabled_passes = PassNames(); },
          "Leave out all simplifications, so that the weights are those in the file")
      ->excludes(one);
  // `{*}` is the value if nothing follows the flag: "--functions" gives "*", "--functions=Block" gives "Block". The
  // value must follow "=", because the next word is the model.
  command->add_flag("--functions{*}", arguments->functions,
                    std::string(FindOption("functions")->help) + ": --functions=CLASS,...");
  AddTable(command, &arguments->saving, &arguments->mistakes);
  CLI::Option* check_axes = command->add_flag(
      "--check-axes", arguments->check_axes,
      "Write no model. Report for every axis of every input whether it can be free, and what fixes it");
  command->add_flag("--json", arguments->axes_as_json, "With --check-axes: print JSON")->needs(check_axes);
  command->add_option(
      "--report", arguments->report,
      "Write a report of the options and the result, also after a failure: .json, .md or .sarif. With -v it "
      "has times");
  CLI::Option* verbose =
      command->add_flag("-v,--verbose", arguments->verbose, "Print how long each stage took and what was written");
  command->add_flag("-q,--quiet", arguments->quiet, "Print no line on a terminal about what was written")
      ->excludes(verbose);
  command->callback([arguments, status] { *status = RunExport(*arguments); });
}

void AddApplyWeights(CLI::App* app, ApplyWeightsArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("apply-weights", "Give an exported model other weights");
  command->footer(
      "Example:\n  exporter export model.pt2 -o model.onnx --no-weights\n"
      "  exporter apply-weights model.onnx --weights tuned.safetensors -o tuned.onnx\n\n"
      "Weights are found by their names. Weights that the export has computed, such as\n"
      "fc.weight.T, are computed again. What cannot be is refused: export with\n"
      "--no-fold, or export again with --weights.");
  command->add_option("MODEL", arguments->model, "An ONNX file")->required();
  command
      ->add_option("--weights", arguments->weights,
                   "A safetensors file or a saved state_dict. Weights that are inputs become initializers")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--out", arguments->out, "The ONNX file to write. Default: MODEL itself");
  AddTable(command, &arguments->saving, &arguments->mistakes);
  command->callback([arguments, status] { *status = RunApplyWeights(*arguments); });
}

void AddInspect(CLI::App* app, ExportArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("inspect", "Show a model as text");
  command->footer("Example:\n  exporter inspect model.pt2\n  exporter inspect model.pt --input 'x=f32[2,16]'\n" +
                  std::string("  exporter inspect model.onnx --html model.html"));
  command->add_option("FILE", arguments->model, "A `.pt2` or TorchScript archive, or an ONNX file")->required();
  command
      ->add_option("--html", arguments->html,
                   "Write a page for a browser, with operators, weights by size, axes and nodes (ONNX files only)")
      ->type_name("FILE");
  AddTable(command, /*inspect=*/true, &arguments->options, &arguments->mistakes);
  AddReading(command, arguments);
  command->callback([arguments, status] { *status = RunInspect(*arguments); });
}

void AddCheck(CLI::App* app, CheckArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("check", "Check an ONNX file against the rules of ONNX");
  command->footer("Example:\n  exporter check model.onnx\n\nNodes of domains other than ONNX's are not looked at.");
  command->add_option("MODEL", arguments->model, "An ONNX file; its weights may lie beside it")->required();
  command->add_option("--max-seconds", arguments->max_seconds, "Give up if it takes longer. 0: never")
      ->capture_default_str();
  command->callback([arguments, status] { *status = RunCheck(*arguments); });
}

void AddIndex(CLI::App* app, IndexArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("index", "Make one table from the reports of many exports");
  command->footer(
      "Example:\n  exporter index reports/*.json --json index.json --html index.html\n\n"
      "REPORT is what `exporter export --report` writes. A file beside it that ends in\n"
      ".sha256 instead of .json, as `sha256sum` writes one, says what the model is.");
  command->add_option("REPORT", arguments->reports, "Reports, .json. @FILE: a file with one name per line")->required();
  command->add_option("--root", arguments->root, "Name each model by the path of its report below this folder")
      ->type_name("DIR");
  command->add_option("--json", arguments->json, "Write the table as JSON")->type_name("FILE");
  command->add_option("--html", arguments->html, "Write the table as a page for a browser")->type_name("FILE");
  command->add_option("--title", arguments->title, "The title of the page")->capture_default_str();
  command->add_flag("--all-exported", arguments->all_exported, "Fail if a model was refused, and name those models");
  command->callback([arguments, status] { *status = RunIndex(*arguments); });
}

void AddOps(CLI::App* app, OpsArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("ops", "List the operators that can be exported, and at which opsets");
  command->footer("Example:\n  exporter ops softmax --opset 11");
  command->add_option("NAME", arguments->name, "An operator: add, aten::add or aten::add.Tensor");
  command->add_option("--opset", arguments->opset, "List only what this opset can express");
  command->add_flag("--keep", arguments->kept, "List what `exporter export --keep` may name, and what it stands for")
      ->excludes("NAME");
  command->add_flag("--json", arguments->json, "Print JSON: name, opsets, spec and refusal of each");
  command->callback([arguments, status] { *status = RunOps(*arguments); });
}

void AddTargets(CLI::App* app, bool* json, int* status) {
  CLI::App* command = app->add_subcommand("targets", "List the names for --target, and the source of each");
  command->footer("Example:\n  exporter export model.pt2 -o model.onnx --target ort-cpu");
  command->add_flag("--json", *json, "Print JSON: name, title, opsets, source and date of each");
  command->callback([json, status] { *status = RunTargets(*json); });
}

void AddOptions(CLI::App* app, bool* json, int* status) {
  CLI::App* command = app->add_subcommand("options", "List the options of an export, by their names in each front end");
  command->footer("Example:\n  exporter options --json");
  command->add_flag("--json", *json, "Print JSON: name, form, flag, help and since of each");
  command->callback([json, status] { *status = RunOptions(*json); });
}

void AddExplain(CLI::App* app, std::string* number, bool* json, int* status) {
  CLI::App* command = app->add_subcommand("explain", "Explain the code of a message, or list all codes");
  command->footer("Example:\n  exporter explain E0104");
  command->add_option("CODE", *number, "A code, as messages have it: E0104. Without it all are listed");
  command->add_flag("--json", *json, "Print JSON: code, title, explanation, example and way_out of each");
  command->callback([number, json, status] { *status = RunExplain(*number, *json); });
}

void AddVerify(CLI::App* app, VerifyArguments* arguments, char** words, int* status) {
  CLI::App* command =
      app->add_subcommand("verify", "Compare an ONNX model with the PyTorch program that it was made from");
  AddVerifyOptions(command, arguments);
  command->callback([arguments, words, status] { *status = RunVerify(*arguments, words); });
}

}  // namespace

CommandLine::CommandLine(char** words) : app("Exports PyTorch models to ONNX.", "exporter") {
  app.formatter(HelpFormatter());
  app.footer(
      "`exporter COMMAND --help` says more.\n\n"
      "Exit status: 0 done, 1 the model cannot be exported, 2 usage, 3 damaged input,\n4 cannot write. Of `verify` see "
      "there.");
  // `exporter` without a command is a usage error, and the message says how to get help. It must not succeed without
  // doing anything.
  app.require_subcommand(1);
  app.set_version_flag("--version", VersionText);
  AddExport(&app, &exported_, &status);
  AddApplyWeights(&app, &applied_, &status);
  AddInspect(&app, &inspected_, &status);
  AddCheck(&app, &checked_, &status);
  AddIndex(&app, &indexed_, &status);
  AddOps(&app, &listed_, &status);
  AddTargets(&app, &targets_as_json_, &status);
  AddOptions(&app, &options_as_json_, &status);
  AddExplain(&app, &explained_, &codes_as_json_, &status);
  AddVerify(&app, &verified_, words, &status);
}

}  // namespace onnxport::cli
