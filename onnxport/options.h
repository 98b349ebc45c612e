// Every option of an export, one row each: its name in each front end, and its help. JSON, the report, the command,
// docs/options.md, web/options.d.ts and Python's keywords follow these tables. A new option is a member of
// ExportOptions, a row here, and the code that it changes.
#ifndef ONNXPORT_OPTIONS_H_
#define ONNXPORT_OPTIONS_H_

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "onnxport/export.h"
#include "onnxport/model.h"

namespace onnxport {

// ---- words of the values of an enum

inline constexpr std::pair<std::string_view, ComplexTensors> kComplexTensorsWords[] = {
    {"refused", ComplexTensors::kRefused}, {"as-real", ComplexTensors::kAsReal}};

inline constexpr std::pair<std::string_view, ExternalData> kExternalDataWords[] = {
    {"auto", ExternalData::kAuto},
    {"always", ExternalData::kAlways},
    {"never", ExternalData::kNever},
    {"safetensors", ExternalData::kSafetensors}};

// ---- rows

// Who registers the command line flag of an option.
enum class Flag {
  kPlain,         // the table, for `export`
  kPlainInspect,  // the table, for `export` and `inspect`
  kOwn,           // code, because the flag does not take exactly one value
};

struct OptionRow {
  std::string_view name;   // in JSON, Python, JavaScript and messages: that of the member, but for `max_seconds`
  std::string_view flag;   // the command's flag; empty: it has none
  std::string_view takes;  // the flag's argument, for its help; empty: it takes none
  std::string_view help;   // its effect, or the effect of its absence if it is on by default; no full stop at the end
  std::string_view since = "0.1.0";
  Flag by = Flag::kPlain;
  // It is a list: the flag takes several values, with commas between them. Else it takes one, and may be repeated.
  bool commas = false;
  // The report has it. Files and limits belong to the machine and the day, and are left out.
  bool reported = true;
};

template <auto kMember>
struct Option : OptionRow {
  static constexpr auto kField = kMember;
};

// They are in the order of the documentation and of the help.
inline constexpr std::tuple kExportOptions = {
    Option<&ExportOptions::opset>{
        {"opset", "--opset", "N",
         "The ONNX opset; the model has exactly this one. Default: 18, or the newest that the target takes", "0.1.0"}},
    Option<&ExportOptions::target>{{"target", "--target", "NAME",
                                    "The runtime that will run the model, such as ort-cpu (`exporter targets` lists "
                                    "them). A node that it cannot run "
                                    "is an error",
                                    "0.1.0"}},
    Option<&ExportOptions::target_notes>{{"target_notes", "--target-notes", "",
                                          "Report what would not run on the target, but write the model anyway",
                                          "0.1.0"}},
    Option<&ExportOptions::inputs>{
        {"inputs", "--input", "INPUT",
         "Describe an input as NAME=DTYPE[d0,d1,...]; repeat for each input. An axis without a name "
         "keeps the size in the file",
         "0.1.0", Flag::kPlainInspect}},
    Option<&ExportOptions::outputs>{{"outputs", "--output", "OUTPUT",
                                     "Promise the axes of an output: NAME=[d0,d1,...], as in y=[batch,classes] or "
                                     "y=[2*n + 1,?]. Free axes get these names; ? is any "
                                     "free axis. Repeat for each output",
                                     "0.1.0"}},
    Option<&ExportOptions::input_names>{{"input_names", "--input-names", "A,B,...",
                                         "Names for the first inputs, in order", "0.1.0", Flag::kPlain, true}},
    Option<&ExportOptions::output_names>{{"output_names", "--output-names", "A,B,...",
                                          "Names for the first outputs, in order", "0.1.0", Flag::kPlain, true}},
    Option<&ExportOptions::parameter_names>{
        {"parameter_names", "--parameter-names", "A,B,...",
         "Names for the first parameters and buffers, in order; ... as the last one counts on from learned_0", "0.1.0",
         Flag::kPlain, true}},
    Option<&ExportOptions::map>{
        {"map", "--map", "OP=NODE",
         "Turn calls of an operator into nodes of your own: NS::OP=DOMAIN.NODE. NS::OP(x,factor)=... also names the "
         "arguments",
         "0.1.0", Flag::kPlainInspect}},
    Option<&ExportOptions::fallthrough>{
        {"fallthrough", "--fallthrough", "",
         "Turn operators without a spec into nodes of the same name, in a domain named after the namespace", "0.1.0",
         Flag::kPlainInspect}},
    Option<&ExportOptions::domains>{
        {"domains", "--domain", "DOMAIN[=VERSION]",
         "Allow the operators of a domain: com.microsoft. The flag also takes DOMAIN=VERSION, which is the option "
         "`domain_versions`",
         "0.1.0", Flag::kOwn}},
    Option<&ExportOptions::domain_versions>{
        {"domain_versions", "--domain", "DOMAIN=VERSION",
         "The versions of domains that the model imports, for nodes without a schema", "0.1.0", Flag::kOwn}},
    Option<&ExportOptions::keep>{
        {"keep", "--keep", "OPERATOR",
         "Emit a larger operator of ONNX, such as Attention, wherever it is equivalent. Separate several by commas; "
         "`exporter ops --keep` lists them",
         "0.1.0", Flag::kPlainInspect, true}},
    Option<&ExportOptions::training>{
        {"training", "--training", "",
         "Keep dropout and batch norm in training mode. By default they are refused in that mode", "0.1.0",
         Flag::kPlainInspect}},
    Option<&ExportOptions::complex>{{"complex", "--complex", "HOW",
                                     "Choose what happens to complex inputs and outputs. as-real: split them into real "
                                     "and imaginary parts, along a last axis of 2; refused: refuse them",
                                     "0.1.0", Flag::kPlainInspect}},
    Option<&ExportOptions::weights>{
        {"weights", "--weights", "FILE",
         "Take the weights from this safetensors file or saved state_dict, not from the model", "0.1.0",
         Flag::kPlainInspect, false, false}},
    Option<&ExportOptions::weights_as_inputs>{{"weights_as_inputs", "--no-weights", "",
                                               "Make the weights inputs of the model, after its own, with their names",
                                               "0.1.0", Flag::kPlainInspect}},
    Option<&ExportOptions::keep_initializers_as_inputs>{
        {"keep_initializers_as_inputs", "--keep-initializers-as-inputs", "",
         "Make parameters and buffers inputs as well, with the weights as default values", "0.1.0"}},
    Option<&ExportOptions::weights_as>{{"weights_as", "--weights-as", "TYPE",
                                        "Store the weights of matrix products as int8, int4[:GROUP], int2[:GROUP], "
                                        "mxfp4 or nvfp4. ,asymmetric behind int4 "
                                        "or int2 gives each group a zero point: int4:64,asymmetric",
                                        "0.1.0"}},
    Option<&ExportOptions::weights_keep>{
        {"weights_keep", "--weights-keep", "PATTERN",
         "Keep this weight or module in float where weights are stored in fewer bits. Repeat for each; * matches any "
         "text: 'layers.*.gate'",
         "0.1.0"}},
    Option<&ExportOptions::state_as_io>{{"state_as_io", "--state-as-io", "",
                                         "Make each buffer that the model writes to (a static cache) an input, and its "
                                         "new value an output: k and k.next",
                                         "0.1.0"}},
    Option<&ExportOptions::compute_as>{
        {"compute_as", "--compute-as", "DTYPE",
         "Compute in float16 or bfloat16 where that is safe. ,io behind it: inputs and outputs have that dtype, too",
         "0.1.0"}},
    Option<&ExportOptions::float32>{{"float32", "--float32", "NAME",
                                     "Keep this ONNX operator or module in float32 where the model computes in 16 "
                                     "bits. Repeat for each; * matches any text",
                                     "0.1.0"}},
    Option<&ExportOptions::functions>{{"functions", "--functions", "CLASS,...",
                                       "Make each module class a function of the model, with the weights as its "
                                       "inputs; with a list, only these classes",
                                       "0.1.0", Flag::kOwn}},
    Option<&ExportOptions::metadata>{
        {"metadata", "--no-metadata", "",
         "Leave out the module, call and source line of each node, and the name of the source file", "0.1.0"}},
    Option<&ExportOptions::disabled_passes>{{"disabled_passes", "--no-fold", "",
                                             "Leave out all simplifications (\"all\"), so that the weights are those "
                                             "in the file, or some by their names (--disable-pass PASS)",
                                             "0.1.0", Flag::kOwn}},
    Option<&ExportOptions::method>{{"method", "--method", "NAME", "The method to export (.pt only). Default: forward",
                                    "0.1.0", Flag::kPlainInspect}},
    Option<&ExportOptions::trust_source>{
        {"trust_source", "--trust-source", "",
         "Accept a .pt with code that PyTorch would run while loading. The exporter interprets it and does not run it",
         "0.1.0", Flag::kPlainInspect, false, false}},
    Option<&ExportOptions::other_traces>{{"other_traces", "--and", "FILE",
                                          "Other traces of the same model at other sizes (traced .pt only). Axes that "
                                          "differ between the traces become free",
                                          "0.1.0", Flag::kOwn, false, false}},
    Option<&ExportOptions::traced_sizes>{{"traced_sizes", "--sizes", "A=2,...",
                                          "The sizes of the named axes in a trace without recorded inputs", "0.1.0",
                                          Flag::kOwn, false, false}},
    Option<&ExportOptions::memory_budget>{{"memory_budget", "--memory-budget", "BYTES",
                                           "The most memory that what the file describes may take. Default: 128 MiB "
                                           "and 32 bytes for each byte of the file, "
                                           "but at least 256 MiB",
                                           "0.1.0", Flag::kPlainInspect, false, false}},
};

// The options of another trace.
inline constexpr std::tuple kOtherTraceOptions = {
    Option<&OtherTrace::source>{{"source", "", "", "The trace"}},
    Option<&OtherTrace::sizes>{{"sizes", "", "", "The sizes of the named axes in it, where it has no recorded inputs"}},
};

// The options of writing a model, whether right after an export or alone.
inline constexpr std::tuple kSaveOptions = {
    Option<&SaveOptions::external_data>{
        {"external_data", "--external-data", "WHEN",
         "When to put the weights in a separate file beside the model. auto: above 1.8 GB; always; never; safetensors: "
         "always, in that format",
         "0.1.0"}},
    Option<&SaveOptions::sync>{{"sync", "--no-sync", "",
                                "Do not wait until the files are on the disk. This is faster, but a power cut soon "
                                "after may damage them",
                                "0.1.0"}},
    Option<&SaveOptions::deadline>{
        {"max_seconds", "--max-seconds", "SECONDS", "Give up if the work takes longer; 0: never", "0.1.0", Flag::kOwn}},
};

// Calls `visit(option)` for each row of a table.
template <typename Table, typename Visit>
constexpr void ForEachOption(const Table& table, const Visit& visit) {
  std::apply([&](const auto&... options) { (visit(options), ...); }, table);
}

// Returns the row of that name, or null.
inline const OptionRow* FindOption(std::string_view name) {
  const OptionRow* found = nullptr;
  const auto look = [&](const OptionRow& option) {
    if (option.name == name) found = &option;
  };
  ForEachOption(kExportOptions, look);
  ForEachOption(kSaveOptions, look);
  return found;
}

// ---- options as values, for printing

struct OptionInfo {
  std::string name;  // "other_traces.sizes" for a member of an object
  std::string form;  // the value in JSON: "flag", "number", "text", "texts", "path", "word", "numbers", "objects"
  std::vector<std::string_view> words;  // for a "word": its values
  std::string flag;
  std::string takes;
  std::string help;
  std::string since;
  bool on = false;  // for a "flag": its default
};
std::vector<OptionInfo> ListOptions();
// Returns an array of objects, one a line: [{"name": "opset", "form": "number", "flag": "--opset", "help": ...}, ...].
std::string ToJson(const std::vector<OptionInfo>& options);

}  // namespace onnxport

#endif  // ONNXPORT_OPTIONS_H_
