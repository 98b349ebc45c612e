#include "runtime/cli/command_line.h"

#include <fmt/core.h>

#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

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
                   "NAME=DTYPE[d0,d1,...] describes an input, once for each; more forms below. Axes without a name "
                   "have the file's sizes")
      ->allow_extra_args(false);
  command
      ->add_option("--map", arguments->maps,
                   "NS::OP=DOMAIN.NODE makes calls of an operator nodes of that name; NS::OP(x,factor)=... also names "
                   "its arguments")
      ->allow_extra_args(false)
      ->type_name("OP=NODE");
  command->add_flag("--fallthrough", options.custom_nodes.fallthrough,
                    "An operator that no spec knows becomes a node of its name, in the domain of its namespace");
  command
      ->add_option(
          "--domain", arguments->domains,
          "com.microsoft: the model may have that domain's operators; DOMAIN=VERSION: what it imports, for nodes "
          "without a schema")
      ->allow_extra_args(false)
      ->type_name("DOMAIN[=VERSION]");
  command
      ->add_option("--keep", options.keep,
                   "Attention, RotaryEmbedding, TensorScatter, CausalConvWithState, SwiGLU, DequantizeLinear: this one "
                   "node of ONNX "
                   "where it says the same as what is spelled out otherwise; several: a comma between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("OPERATOR");
  command->add_flag("--training", options.training,
                    "Dropout and batch norm that are in training mode stay in it; else they are refused");
  command->add_option("--method", options.method, "Of a .pt: the method to export")->capture_default_str();
  AddWord(command, "--complex", kComplexTensorsWords, &options.complex,
          "as-real: complex inputs and outputs become their parts, a last axis of 2; refused: they are refused", "HOW");
  command
      ->add_option("--weights", arguments->weights,
                   "A safetensors file or a saved state_dict that has the weights, in place of the model's own")
      ->type_name("FILE");
  command->add_flag("--no-weights", options.weights_as_inputs,
                    "Weights become inputs of the model, behind its own, by their names");
  command->add_flag("--trust-source", options.trust_source,
                    "Take a .pt with code that PyTorch would run when it loads it; it is interpreted, not run");
  command
      ->add_option("--max-seconds", arguments->max_seconds, "Give up when reading and converting take longer; 0: never")
      ->capture_default_str();
}

std::string OpsetHelp() {
  const OpsetRange range = SupportedOpsets();
  return fmt::format("The ONNX opset, {} to {}; the file says exactly this. Without a target {}", range.first,
                     range.last, kDefaultOpset);
}

void AddSaving(CLI::App* command, ExternalData* place, bool* sync) {
  AddWord(command, "--external-data", kExternalDataWords, place,
          "auto, always or never: weights in a file of their own beside the model; auto: above 1.8 GB. safetensors: in "
          "one of that format",
          "WHEN");
  command->add_flag("!--no-sync", *sync,
                    "Do not wait until the files are on the disk: faster, but a power cut soon after may spoil them");
}

// Options that make the model smaller.
void AddSmaller(CLI::App* command, ExportArguments* arguments) {
  CLI::Option* float16 = command->add_flag(
      "--float16{}", arguments->float16,
      "Compute in float16 where that does no harm; --float16=io: inputs and outputs are float16, too");
  command->add_flag("--bfloat16{}", arguments->bfloat16, "The same in bfloat16")->excludes(float16);
  command
      ->add_option("--float32", arguments->float32,
                   "Of these: an operator of ONNX or a module that stays in float32, once for each; * stands for any "
                   "text")
      ->allow_extra_args(false)
      ->type_name("NAME");
  CLI::Option* int8 = command->add_flag("--weights-int8", arguments->weights_int8,
                                        "Store weights of products as int8, with a scale for each output channel");
  // As of --functions: the number must stand behind "=".
  CLI::Option* int4 =
      command->add_flag("--weights-int4{32}", arguments->weights_int4,
                        "Store them as int4, with a scale for 32 elements each, or --weights-int4=GROUP");
  CLI::Option* int2 = command->add_flag("--weights-int2{32}", arguments->weights_int2,
                                        "Store them as int2: -1, 0 and 1; --weights-int2=GROUP");
  CLI::Option* mxfp4 = command->add_flag("--weights-mxfp4", arguments->weights_mxfp4,
                                         "Store them as float4e2m1, with a power of 2 for 32 elements each");
  CLI::Option* nvfp4 = command->add_flag("--weights-nvfp4", arguments->weights_nvfp4,
                                         "Store them as float4e2m1, with a float8 for 16 elements each");
  const std::vector<CLI::Option*> types = {int8, int4, int2, mxfp4, nvfp4};
  for (CLI::Option* type : types) {
    for (CLI::Option* other : types) {
      if (other != type) type->excludes(other);
    }
  }
  command->add_flag("--weights-asymmetric", arguments->weights_asymmetric,
                    "Of int4 and int2: groups have zero points, for weights that do not lie around 0");
  command
      ->add_option("--weights-keep", arguments->weights_keep,
                   "A weight or module that stays float, once for each; * stands for any text: 'layers.*.gate'")
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
  command->add_option("-o,--out", arguments->out, "The ONNX file; else the model's name with .onnx, here")
      ->check(CLI::Validator([](const std::string& name) { return name.empty() ? "names no file" : ""; }, ""));
  command
      ->add_option(
          "--and", arguments->traces,
          "Of a traced .pt: another trace of the same model, at other sizes, which tells what depends on them; "
          "may be given more than once. Axes that differ are free")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--sizes", arguments->sizes,
          "a=2,b=10: what the named axes were in a trace without recorded inputs; for MODEL first, then for each "
          "--and")
      ->allow_extra_args(false);
  command->add_option("--opset", options.opset, OpsetHelp());
  command
      ->add_option(
          "--target", options.target,
          "What is to run the model, such as ort-cpu (`exporter targets` lists them): what would not run there "
          "is an error, and the opset is the newest that it takes")
      ->type_name("NAME");
  command->add_flag("--target-notes", options.target_notes, "What would not run there is told, and the model written");
  AddReading(command, arguments);
  command
      ->add_option("--output", arguments->outputs,
                   "NAME=[d0,d1,...] promises the axes of an output, once for each: y=[batch,classes]. Free ones get "
                   "these names; ? is any free one")
      ->allow_extra_args(false);
  command->add_option_function<std::string>(
      "--input-names", [&options](const std::string& text) { options.input_names = SplitNames(text); },
      "a,b,...: names for the first inputs, in order");
  command->add_option_function<std::string>(
      "--output-names", [&options](const std::string& text) { options.output_names = SplitNames(text); },
      "a,b,...: names for the first outputs, in order");
  command->add_option_function<std::string>(
      "--parameter-names", [&options](const std::string& text) { options.parameter_names = SplitNames(text); },
      "a,b: names for the first parameters and buffers, in order; learned_0,... counts on");
  command->add_flag("--keep-initializers-as-inputs", options.keep_initializers_as_inputs,
                    "Parameters and buffers are inputs, too, with the weights as defaults");
  command->add_flag("--state-as-io", options.state_as_io,
                    "Buffers that the model writes to, as a static cache, become inputs, and their new values outputs: "
                    "k and k.next");
  AddSmaller(command, arguments);
  AddSaving(command, &arguments->external_data, &arguments->sync);
  // `--no-fold` is all names at once, so that there is one option below and not two that can disagree; given both,
  // nobody could say what was meant.
  CLI::Option* one =
      command->add_option("--disable-pass", options.disabled_passes, "Leave out a simplification, by name");
  one->allow_extra_args(false);
  command
      ->add_flag_callback(
          "--no-fold", [&options] { options.disabled_passes = PassNames(); },
          "Leave out all simplifications: the program as it is, with the weights of its file")
      ->excludes(one);
  // `{*}` is the text of the flag when nothing follows it: "--functions" gives "*", "--functions=Block" gives "Block".
  // The word must stand behind "=", as the next word is the model.
  command->add_flag("--functions{*}", arguments->functions,
                    "Modules become functions of the model, each class once, with weights as inputs; with "
                    "--functions=CLASS,... only those of these classes");
  command->add_flag("!--no-metadata", options.metadata,
                    "Leave out where each node came from (module, call, source lines) and which file the model is of");
  CLI::Option* check_axes =
      command->add_flag("--check-axes", arguments->check_axes,
                        "Write nothing; say for every axis of every input whether it can be free, and what fixes it");
  command->add_flag("--json", arguments->axes_as_json, "With --check-axes: say it as JSON")->needs(check_axes);
  command->add_option(
      "--report", arguments->report,
      "A file for what was asked for and what came of it, also of a failure: .json, .md or .sarif; with -v "
      "it has times");
  command->add_flag("-v,--verbose", arguments->verbose, "Say how long each stage took and what was written");
  command->callback([arguments, status] { *status = RunExport(*arguments); });
}

void AddApplyWeights(CLI::App* app, ApplyWeightsArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("apply-weights", "Give an exported model other weights");
  command->footer(
      "Example:\n  exporter export model.pt2 -o model.onnx --no-weights\n"
      "  exporter apply-weights model.onnx --weights tuned.safetensors -o tuned.onnx\n\n"
      "Weights are found by their names. Those that the export has computed, as\n"
      "fc.weight.T, are refused: export with --no-fold, or once more with --weights.");
  command->add_option("MODEL", arguments->model, "An ONNX file")->required();
  command
      ->add_option("--weights", arguments->weights,
                   "A safetensors file or a saved state_dict; weights that are inputs become initializers")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--out", arguments->out, "The ONNX file to write; else MODEL itself");
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
                   "Of an ONNX file: write a page for a browser, with operators, weights by size, axes and nodes")
      ->type_name("FILE");
  AddReading(command, arguments);
  command->callback([arguments, status] { *status = RunInspect(*arguments); });
}

void AddCheck(CLI::App* app, CheckArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("check", "Hold an ONNX file against ONNX's own rules");
  command->footer("Example:\n  exporter check model.onnx\n\nNodes of domains other than ONNX's are not looked at.");
  command->add_option("MODEL", arguments->model, "An ONNX file; its weights may lie beside it")->required();
  command->add_option("--max-seconds", arguments->max_seconds, "Give up when it takes longer; 0: never")
      ->capture_default_str();
  command->callback([arguments, status] { *status = RunCheck(*arguments); });
}

void AddIndex(CLI::App* app, IndexArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("index", "Make one table of the reports of many exports");
  command->footer(
      "Example:\n  exporter index reports/*.json --json index.json --html index.html\n\n"
      "REPORT is what `exporter export --report` writes. A file beside it that ends in\n"
      ".sha256 instead of .json, as `sha256sum` writes one, says what the model is.");
  command->add_option("REPORT", arguments->reports, "Reports, .json; @FILE: a file with the name of one in each line")
      ->required();
  command->add_option("--root", arguments->root, "A folder: models are called by the paths of their reports below it")
      ->type_name("DIR");
  command->add_option("--json", arguments->json, "Write the table as JSON")->type_name("FILE");
  command->add_option("--html", arguments->html, "Write the table as a page for a browser")->type_name("FILE");
  command->add_option("--title", arguments->title, "Of the page")->capture_default_str();
  command->add_flag("--all-exported", arguments->all_exported, "Fail, and say which, where a model was refused");
  command->callback([arguments, status] { *status = RunIndex(*arguments); });
}

void AddOps(CLI::App* app, OpsArguments* arguments, int* status) {
  CLI::App* command = app->add_subcommand("ops", "List the operators that can be exported, and at which opsets");
  command->footer("Example:\n  exporter ops softmax --opset 11");
  command->add_option("NAME", arguments->name, "An operator: add, aten::add or aten::add.Tensor");
  command->add_option("--opset", arguments->opset, "Only what this opset can");
  command->add_flag("--json", arguments->json, "As JSON: name, opsets, spec and refusal of each");
  command->callback([arguments, status] { *status = RunOps(*arguments); });
}

void AddTargets(CLI::App* app, bool* json, int* status) {
  CLI::App* command = app->add_subcommand("targets", "List what --target may name, and where it is known from");
  command->footer("Example:\n  exporter export model.pt2 -o model.onnx --target ort-cpu");
  command->add_flag("--json", *json, "As JSON: name, title, opsets, source and date of each");
  command->callback([json, status] { *status = RunTargets(*json); });
}

void AddVerify(CLI::App* app, VerifyArguments* arguments, char** words, int* status) {
  CLI::App* command = app->add_subcommand("verify", "Run an ONNX model beside the PyTorch program it was made of");
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
