#include "runtime/cli/command_line.h"

#include <fmt/ranges.h>

#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/operators.h"
#include "onnxport/option_words.h"
#include "runtime/cli/help.h"

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

std::vector<std::string_view> KeptNames() {
  std::vector<std::string_view> names;
  for (const KeptOperator& kept : ListKeptOperators()) names.push_back(kept.name);
  return names;
}

// An option with one of the words of option_words.h.
template <typename Value, size_t kCount>
void AddWord(CLI::App* command, const char* name, const std::pair<std::string_view, Value> (&words)[kCount],
             Value* value, const char* text, const char* type) {
  // A copy in the lambda: CLI11 calls it while parsing, long after this function has returned.
  const std::map<std::string, Value> values(std::begin(words), std::end(words));
  command
      ->add_option_function<std::string>(
          name, [values, value](const std::string& word) { *value = values.at(word); }, text)
      ->check(CLI::IsMember(values).description(""))
      ->type_name(type);
}

// Options that say how a model is read.
void AddReading(CLI::App* command, ExportArguments* arguments) {
  ExportOptions& options = arguments->options;
  command
      ->add_option("--input", arguments->inputs,
                   "Describe an input as NAME=DTYPE[d0,d1,...]; repeat for each input; more forms below. An axis "
                   "without a name keeps the size in the file")
      ->allow_extra_args(false);
  command
      ->add_option("--map", arguments->maps,
                   "Turn calls of an operator into nodes of your own: NS::OP=DOMAIN.NODE. NS::OP(x,factor)=... also "
                   "names the arguments")
      ->allow_extra_args(false)
      ->type_name("OP=NODE");
  command->add_flag("--fallthrough", options.custom_nodes.fallthrough,
                    "Turn operators without a spec into nodes of the same name, in a domain named after the namespace");
  command
      ->add_option("--domain", arguments->domains,
                   "Allow the operators of a domain: com.microsoft. DOMAIN=VERSION states the version that the model "
                   "imports, for nodes without a schema")
      ->allow_extra_args(false)
      ->type_name("DOMAIN[=VERSION]");
  command
      ->add_option("--keep", options.keep,
                   fmt::format("Emit a larger operator of ONNX wherever it is equivalent: {}. Separate several by "
                               "commas; `exporter ops --keep` describes them",
                               fmt::join(KeptNames(), ", ")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("OPERATOR");
  command->add_flag("--training", options.training,
                    "Keep dropout and batch norm in training mode. By default they are refused in that mode");
  command->add_option("--method", options.method, "The method to export (.pt only)")->capture_default_str();
  AddWord(command, "--complex", kComplexTensorsWords, &options.complex,
          "What to do with complex inputs and outputs. as-real: split them into real and imaginary parts, along a last "
          "axis of 2; refused: refuse them",
          "HOW");
  command
      ->add_option("--weights", arguments->weights,
                   "Take the weights from this safetensors file or saved state_dict, not from the model")
      ->type_name("FILE");
  command->add_flag("--no-weights", options.weights_as_inputs,
                    "Make the weights inputs of the model, after its own, with their names");
  command->add_flag(
      "--trust-source", options.trust_source,
      "Accept a .pt with code that PyTorch would run while loading. The exporter interprets it and does not "
      "run it");
  command
      ->add_option("--max-seconds", arguments->max_seconds, "Give up if reading and converting take longer. 0: never")
      ->capture_default_str();
}

std::string OpsetHelp() {
  const OpsetRange range = SupportedOpsets();
  return fmt::format("The ONNX opset, {} to {}; the model has exactly this one. Default without --target: {}",
                     range.first, range.last, kDefaultOpset);
}

void AddSaving(CLI::App* command, ExternalData* place, bool* sync) {
  AddWord(
      command, "--external-data", kExternalDataWords, place,
      "When to put the weights in a separate file beside the model. auto: above 1.8 GB; always; never; safetensors: "
      "always, in that format",
      "WHEN");
  command->add_flag(
      "!--no-sync", *sync,
      "Do not wait until the files are on the disk. This is faster, but a power cut soon after may damage them");
}

// Options that make the model smaller.
void AddSmaller(CLI::App* command, ExportArguments* arguments) {
  CLI::Option* float16 =
      command->add_flag("--float16{}", arguments->float16,
                        "Compute in float16 where that is safe. --float16=io: also make inputs and outputs float16");
  command->add_flag("--bfloat16{}", arguments->bfloat16, "The same in bfloat16")->excludes(float16);
  command
      ->add_option(
          "--float32", arguments->float32,
          "With --float16 or --bfloat16: keep this ONNX operator or module in float32. Repeat for each; * matches "
          "any text")
      ->allow_extra_args(false)
      ->type_name("NAME");
  CLI::Option* int8 =
      command->add_flag("--weights-int8", arguments->weights_int8,
                        "Store the weights of matrix products as int8, with one scale per output channel");
  // As of --functions: the number must stand behind "=".
  CLI::Option* int4 =
      command->add_flag("--weights-int4{32}", arguments->weights_int4,
                        "Store them as int4, with one scale per 32 elements, or per GROUP: --weights-int4=GROUP");
  CLI::Option* int2 =
      command->add_flag("--weights-int2{32}", arguments->weights_int2,
                        "Store them as int2 (-1, 0 and 1), with one scale per 32 elements: --weights-int2=GROUP");
  CLI::Option* mxfp4 = command->add_flag("--weights-mxfp4", arguments->weights_mxfp4,
                                         "Store them as float4e2m1, with one power of 2 per 32 elements");
  CLI::Option* nvfp4 = command->add_flag("--weights-nvfp4", arguments->weights_nvfp4,
                                         "Store them as float4e2m1, with one float8 scale per 16 elements");
  const std::vector<CLI::Option*> types = {int8, int4, int2, mxfp4, nvfp4};
  for (CLI::Option* type : types) {
    for (CLI::Option* other : types) {
      if (other != type) type->excludes(other);
    }
  }
  command->add_flag("--weights-asymmetric", arguments->weights_asymmetric,
                    "With int4 or int2: give each group a zero point, for weights that are not centered at 0");
  command
      ->add_option("--weights-keep", arguments->weights_keep,
                   "Keep this weight or module in float. Repeat for each; * matches any text: 'layers.*.gate'")
      ->allow_extra_args(false)
      ->type_name("PATTERN");
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
  command
      ->add_option(
          "--and", arguments->traces,
          "Another trace of the same model at other sizes (traced .pt only). Axes that differ between the traces "
          "become free. May be repeated")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--sizes", arguments->sizes,
          "The sizes of the named axes in a trace without recorded inputs: a=2,b=10. Give it for MODEL first, then "
          "for each --and")
      ->allow_extra_args(false);
  command->add_option("--opset", options.opset, OpsetHelp());
  command
      ->add_option(
          "--target", options.target,
          "The runtime that will run the model, such as ort-cpu (`exporter targets` lists them). A node that it "
          "cannot run is an error; the default opset is the newest that it supports")
      ->type_name("NAME");
  command->add_flag("--target-notes", options.target_notes,
                    "Report what would not run on the target, but write the model anyway");
  AddReading(command, arguments);
  command
      ->add_option(
          "--output", arguments->outputs,
          "Promise the axes of an output: NAME=[d0,d1,...], as in y=[batch,classes]. Free axes get these names; ? "
          "is any free axis. Repeat for each output")
      ->allow_extra_args(false);
  command->add_option_function<std::string>(
      "--input-names", [&options](const std::string& text) { options.input_names = SplitNames(text); },
      "Names for the first inputs, in order: a,b,...");
  command->add_option_function<std::string>(
      "--output-names", [&options](const std::string& text) { options.output_names = SplitNames(text); },
      "Names for the first outputs, in order: a,b,...");
  command->add_option_function<std::string>(
      "--parameter-names", [&options](const std::string& text) { options.parameter_names = SplitNames(text); },
      "Names for the first parameters and buffers, in order: a,b. learned_0,... counts on");
  command->add_flag("--keep-initializers-as-inputs", options.keep_initializers_as_inputs,
                    "Make parameters and buffers inputs as well, with the weights as default values");
  command->add_flag(
      "--state-as-io", options.state_as_io,
      "Make each buffer that the model writes to (a static cache) an input, and its new value an output: k and "
      "k.next");
  AddSmaller(command, arguments);
  AddSaving(command, &arguments->external_data, &arguments->sync);
  // `--no-fold` is all names at once, so that there is one option below and not two that can disagree; given both,
  // nobody could say what was meant.
  CLI::Option* one =
      command->add_option("--disable-pass", options.disabled_passes, "Leave out one simplification, by its name");
  one->allow_extra_args(false);
  command
      ->add_flag_callback(
          "--no-fold", [&options] { options.disabled_passes = PassNames(); },
          "Leave out all simplifications, so that the weights are those in the file")
      ->excludes(one);
  // `{*}` is the text of the flag when nothing follows it: "--functions" gives "*", "--functions=Block" gives "Block".
  // The word must stand behind "=", as the next word is the model.
  command->add_flag(
      "--functions{*}", arguments->functions,
      "Make each module class a function of the model, with the weights as its inputs. --functions=CLASS,...: "
      "only these classes");
  command->add_flag("!--no-metadata", options.metadata,
                    "Leave out the module, call and source line of each node, and the name of the source file");
  CLI::Option* check_axes = command->add_flag(
      "--check-axes", arguments->check_axes,
      "Write no model. Report for every axis of every input whether it can be free, and what fixes it");
  command->add_flag("--json", arguments->axes_as_json, "With --check-axes: print JSON")->needs(check_axes);
  command->add_option(
      "--report", arguments->report,
      "Write a report of the options and the result, also after a failure: .json, .md or .sarif. With -v it "
      "has times");
  command->add_flag("-v,--verbose", arguments->verbose, "Print how long each stage took and what was written");
  command->callback([arguments, status] { *status = RunExport(*arguments); });
}

void AddApplyWeights(CLI::App* app, ApplyWeightsArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("apply-weights", "Give an exported model other weights");
  command->footer(
      "Example:\n  exporter export model.pt2 -o model.onnx --no-weights\n"
      "  exporter apply-weights model.onnx --weights tuned.safetensors -o tuned.onnx\n\n"
      "Weights are found by their names. Weights that the export has computed, such as\n"
      "fc.weight.T, are refused: export with --no-fold, or export again with --weights.");
  command->add_option("MODEL", arguments->model, "An ONNX file")->required();
  command
      ->add_option("--weights", arguments->weights,
                   "A safetensors file or a saved state_dict. Weights that are inputs become initializers")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--out", arguments->out, "The ONNX file to write. Default: MODEL itself");
  AddSaving(command, &arguments->external_data, &arguments->sync);
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
  // `exporter` alone is a mistake of usage, which says how to get help, and not a program that does nothing and
  // succeeds.
  app.require_subcommand(1);
  app.set_version_flag("--version", VersionText);
  AddExport(&app, &exported_, &status);
  AddApplyWeights(&app, &applied_, &status);
  AddInspect(&app, &inspected_, &status);
  AddCheck(&app, &checked_, &status);
  AddIndex(&app, &indexed_, &status);
  AddOps(&app, &listed_, &status);
  AddTargets(&app, &targets_as_json_, &status);
  AddVerify(&app, &verified_, words, &status);
}

}  // namespace onnxport::cli
