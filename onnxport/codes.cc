#include "onnxport/codes.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/base/nearest_name.h"

namespace onnxport {
namespace {

using enum Code;

constexpr ErrorKind kCannotExport = ErrorKind::kCannotExport;

constexpr CodeInfo kCodes[] = {
    {kUsage, "E0001", ErrorKind::kUsage, "What was asked for is not possible",
     "An option, an argument or a request does not fit the model, or fits nothing.",
     "exporter verify other.onnx --against model.pt2, where the model has other inputs than the program",
     "The message says what would work. `exporter --help` and docs/options.md list all options."},
    {kCommandLine, "E0002", ErrorKind::kUsage, "The command line cannot be read",
     "The command does not know a flag, or lacks one, or a flag has a value that it does not take.",
     "exporter export model.pt2 --opset new", "`exporter COMMAND --help` lists the flags of a command."},
    {kWrongOption, "E0003", ErrorKind::kUsage, "An option is unknown or has a wrong value",
     "Options are one JSON object. A key that is not in the table of options is refused, so that no typing mistake "
     "goes "
     "unseen. So is a value of another type.",
     R"({"opest": 18})",
     "docs/options.md has all keys with the values that they take; the message names the nearest key."},
    {kNoSuchName, "E0004", ErrorKind::kUsage, "There is nothing of that name",
     "An option names a pass, a target or a method that does not exist.",
     "exporter export model.pt2 --disable-pass maybe", "The message lists the names that there are."},
    {kOptionsConflict, "E0005", ErrorKind::kUsage, "Two options do not go together, or one lacks another",
     "Some options change what another one does, and mean nothing without it. Others exclude each other.",
     "exporter export model.pt2 --target-notes, without --target",
     "Give both options, or leave out the one that the message names."},
    {kInputText, "E0006", ErrorKind::kUsage, "The description of an input cannot be read",
     "An input is written as NAME=DTYPE[d0,d1,...]. Sizes are numbers, names, or names with a range.",
     "exporter export model.pt2 --input 'x=f33[1]'", "Write it like x=float32[batch=1..64,3,224,224]."},
    {kInputDoesNotFit, "E0007", ErrorKind::kUsage, "The description of an input does not fit the program",
     "The program has no input of that name, or its dtype, its rank or a size is another one.",
     "exporter export model.pt2 --input nothing=f32[1]",
     "`exporter inspect model.pt2` shows the inputs of the program."},
    {kInputsAreNeeded, "E0008", ErrorKind::kUsage, "Inputs of the program must be described",
     "A TorchScript file does not say which types and sizes its arguments have, so the exporter has to be told.",
     "exporter export scripted.pt", "Describe each argument with --input, as the message shows."},
    {kOutputDoesNotFit, "E0009", ErrorKind::kUsage, "What was promised of an output does not hold",
     "An output has another size, rank or name than the option says.",
     "exporter export model.pt2 --output 'y=[n,11]', where the axis has 10",
     "Promise only what the message says that the output has."},
    {kBadNames, "E0010", ErrorKind::kUsage, "Names for inputs, outputs or parameters do not fit",
     "There are more names than things, or two things would have one name, or a name is none.",
     "exporter export model.pt2 --input-names a,a", "Give each of them a name of its own, in the model's order."},
    {kOpsetIsNotSupported, "E0011", ErrorKind::kUsage, "The opset is not supported",
     "The exporter writes the opsets that its release of ONNX knows. A target may take fewer.",
     "exporter export model.pt2 --opset 99", "Choose an opset of the range that the message names."},
    {kCustomNodeOption, "E0012", ErrorKind::kUsage, "A mapping to a node of your own cannot be read or used",
     "--map, --domain and --fallthrough say which operators become nodes of other domains. Their texts have a form, "
     "and "
     "domains have versions.",
     "exporter export model.pt2 --map my::op", "Write NS::OP=DOMAIN.NODE and DOMAIN=VERSION; docs/rules.md has more."},
    {kTracesDoNotFit, "E0013", ErrorKind::kUsage, "The traces cannot be compared",
     "Axes become free by comparing traces of one model at several sizes. These traces do not have what that needs.",
     "exporter export small.pt --and scripted.pt",
     "Trace the same module with inputs of two sizes, and give --sizes where a trace has no inputs."},
    {kOutputIsInput, "E0014", ErrorKind::kUsage, "The output would replace a file that is read",
     "The model is written while its weights are read, so it cannot have the name of one of its sources.",
     "exporter export model.pt2 -o model.pt2", "Name another output."},
    {kNoVerifier, "E0015", ErrorKind::kUsage, "The program that compares cannot be started",
     "`exporter verify` runs exporter-verify, which is compiled with your LibTorch, as no two releases of LibTorch can "
     "stand in for each other.",
     "exporter verify model.onnx --against model.pt2 --verifier missing",
     "Compile it as the message shows, or name it with --verifier. In Python, export(...).verify() compares without "
     "it."},

    {kUnsupportedProgram, "E0100", kCannotExport, "Something in the program cannot be exported",
     "ONNX has no form for what the program does here, or the exporter does not know one.",
     "a weight of a type that ONNX does not store",
     "The message says what was seen and, where there is one, another way to write it."},
    {kProgramRaises, "E0101", kCannotExport, "The program fails for these inputs",
     "The program raises an exception on values that are known while it is exported. It would fail in PyTorch, too.",
     "raise ValueError(\"only square inputs\"), with x=float32[2,3]",
     "Describe inputs that the program takes, or mend the program."},
    {kNotDecided, "E0102", kCannotExport, "A decision needs a value that only the run knows",
     "The exporter has to know the result of a comparison, and it depends on the contents of a tensor or a free size.",
     "torch.cov(x[x[:, 0] > 0]), where only the run knows how many rows there are",
     "Fix the size that decides, or compute with tensors, as torch.where and torch.cond do."},
    {kTooManySteps, "E0103", kCannotExport, "The program takes too many steps to export",
     "Loops with known lengths are written out, and calls are followed. Both have limits, so that no file keeps the "
     "exporter busy for ever.",
     "while i > 0: i = i + 1, where i begins with 1", "Write the loop with tensors, or give it an end."},
    {kAxisIsFixed, "E0104", kCannotExport, "An axis that should be free has one size",
     "The program, or ONNX's rules for one of its operators, allow only one size of the axis.",
     "x.view(4, 3), where the first axis of x is to be free",
     "Use sizes of the tensor in place of numbers (x.shape[0]), or describe the axis with its size. `--check-axes` "
     "tells which are free."},
    {kAxisIsNarrowed, "E0105", kCannotExport, "torch.export narrowed an axis that was to have all sizes",
     "torch.export took the branch of its example, so the program holds for a part of the sizes only.",
     "if x.shape[0] > 5, exported with 7 rows and --input 'x=f32[n,3]'",
     "Describe the axis with the range, n=6.., or write the branch with torch.cond."},
    {kSizesDoNotFit, "E0106", kCannotExport, "Sizes of tensors do not fit each other",
     "Two sizes that must be equal are known to differ. PyTorch would refuse the call, too.",
     "x + y of shapes [2,3] and [4,3]", "Describe inputs whose sizes fit."},
    {kBranchesDiffer, "E0107", kCannotExport, "The branches of an `if` give different things",
     "The condition is decided in the run, so both branches become one ONNX If. Their results must be of one kind and "
     "dtype.",
     "if x.sum() > 0: y = x.unsqueeze(0) else: y = x", "Let both branches give tensors of one dtype and rank."},
    {kLoopDoesNotFit, "E0108", kCannotExport, "A loop cannot be an ONNX Loop",
     "The length of the loop is known only in the run. Each value that it carries must keep its kind and dtype from "
     "one iteration to the next.",
     "while x.sum() < 1: x = x.int()", "Let each iteration give what it was given, or let the length be known."},
    {kWriteIsNotFollowed, "E0109", kCannotExport, "A write in place cannot be followed",
     "ONNX has no writes, so each becomes a new tensor. Here it is not certain which elements are written, or the "
     "write changes a shape.",
     "x.as_strided((3, 3), (1, 1)).add_(1)",
     "Use the form without `_` and assign its result, or clone the tensor before."},
    {kStateIsNotKept, "E0110", kCannotExport, "State cannot be kept from call to call",
     "With state as inputs and outputs, each buffer needs one type, and memory of its own.",
     "a buffer that grows with each call", "Give the buffer its full size at the start, and write to a part of it."},
    {kBadOutput, "E0111", kCannotExport, "An output of the program cannot be one of a model",
     "Outputs of an ONNX model are tensors, and lists of them.", "return x, \"text\"",
     "Return tensors, numbers, or tuples, lists and dictionaries of them."},
    {kTracesDiffer, "E0112", kCannotExport, "Runs of the program at different sizes do not make the same calls",
     "The program decides something by its sizes, so a model of one run is wrong for the others.",
     "traces of a model that has `if x.shape[0] > 4`",
     "Export with torch.export or torch.jit.script, or fix the axis."},
    {kGraphOperator, "E0113", kCannotExport, "An operator that takes functions cannot be exported",
     "Some operators of torch.export call graphs, compiled code or kernels of the user, which no node does.",
     "higher_order::triton_kernel_wrapper_functional",
     "The message says what would work; run_decompositions() writes some of them out."},
    {kContradictsFile, "E0114", ErrorKind::kBadInput, "The result of a call is not what the file states",
     "A .pt2 states the type of each value, and ONNX's inference gives another one. One of the two is wrong, so no "
     "model is made.",
     "a call whose result is float32 in the file and float64 by its arguments",
     "Export the program again with a newer PyTorch; if it stays, please report it."},

    {kNotCaptured, "E0115", kCannotExport, "PyTorch cannot capture the module",
     "The Python package first has PyTorch make a program of the module. PyTorch refused that, with the reason in the "
     "message.",
     "onnxport.export(module, args), where forward calls a library that is not PyTorch",
     "Change the module as PyTorch says, or trace it with torch.jit.trace and export the trace."},
    {kOutsideOperators, "E0116", kCannotExport, "The program changes a tensor by something else than operators",
     "A C++ program is recorded operator by operator. The recording misses writes through a pointer, and "
     "memory that from_blob or set_data shares.",
     "x.relu().data_ptr<float>()[0] = 1, in the function that is exported",
     "Use operators and views, or give the result by onnxport::Custom."},
    {kOtherThread, "E0117", kCannotExport, "Another thread computes with tensors of the program",
     "The order of operators of two threads may change from run to run, so a model has those of the program's own "
     "thread.",
     "std::async([&] { return x.relu(); }).get()",
     "Call the operators in the function's own thread where onnxport::IsExporting()."},
    {kNoOnnxType, "E0118", kCannotExport, "ONNX has no such tensors",
     "ONNX's tensors are dense, and have the dtypes of its list.", "x.to_sparse(), in a C++ program",
     "Keep the tensor out of the program, or convert it to a dense one of another dtype."},
    {kValueIsTooLarge, "E0119", kCannotExport, "A list or text becomes too large",
     "Lists and texts of the program are computed while it is exported. They have limits, so that no file takes the "
     "exporter's memory.",
     "[0] * 10_000_000", "Compute with tensors (torch.arange), which the model makes when it runs."},

    {kUnsupportedCall, "E0200", kCannotExport, "The operator cannot be exported with these arguments",
     "There is a mapping for the operator, but not for this call of it.",
     "a list of tensors that is empty, so that the type of its elements is not known",
     "The message says which argument it is and what it may be."},
    {kUnsupportedOperator, "E0201", kCannotExport, "No spec says how to export the operator",
     "The operator has no mapping at any opset.", "my_ops::relu6",
     "Map it to a node of your own (--map, --fallthrough), or write an entry in YAML (docs/rules.md). In a .pt2, "
     "run_decompositions() may replace it."},
    {kNotAtThisOpset, "E0202", kCannotExport, "This opset cannot express the call",
     "The call needs an operator, a dtype or an input that ONNX has at other opsets.",
     "torch.linalg.cholesky below opset 11", "Export at the opset that the message names."},
    {kRefusedBySpec, "E0203", kCannotExport, "The mapping of the operator refuses the call",
     "The operator's entry says for which arguments ONNX has an equivalent. This call has others.",
     "torch.nn.functional.dropout with training=True, without --training", "The message says what can be exported."},
    {kArgumentIsNotKnown, "E0204", kCannotExport, "An argument must be known before the model runs",
     "ONNX takes it as an attribute, or it decides which nodes are made, so it cannot be computed by the model.",
     "x.sum(dim=int(y)), where y is an input",
     "Use a constant, or an opset at which it is an input. A parameter of a .pt gets a value with --input n=5."},
    {kDTypeIsNotTaken, "E0205", kCannotExport, "The operator does not take the dtype",
     "ONNX's operator of this opset has no form for the dtype of an input or result.",
     "torch.nn.functional.gelu of bfloat16 below opset 13",
     "Convert the tensor before the call, or choose a newer opset."},
    {kNoComplexForm, "E0206", kCannotExport, "The call has no form for complex numbers",
     "ONNX has no complex arithmetic. The exporter computes with real and imaginary parts, where it knows how.",
     "torch.fft.rfft(x) as an output, without --complex as-real",
     "Compute with torch.real and torch.imag, or return torch.view_as_real of the tensor."},
    {kNoQuantizedForm, "E0207", kCannotExport, "The call has no form for quantized tensors",
     "The exporter does not know the operator on quantized elements.", "torch.abs of a quint8 tensor",
     "Dequantize the tensor before the call."},
    {kCustomNodeDoesNotFit, "E0208", kCannotExport, "The call does not fit the node that it is mapped to",
     "The node's inputs, attributes or results are not certain from the call, or its schema has others.",
     "--map my::op=acme.Op, where my::op takes a list of tensors and numbers",
     "Name the arguments (--map 'my::op(x,factor)=acme.Op'), or write an entry in YAML (docs/rules.md)."},
    {kIndexIsOutside, "E0209", kCannotExport, "An axis or index is outside",
     "The tensor or list has fewer axes or elements. PyTorch would refuse the call, too.",
     "x.sum(4), where x has two axes", "Use an axis that the tensor has."},
    {kTypeIsNotKnown, "E0210", kCannotExport, "The rank or dtype of a tensor is not known",
     "The nodes that are made depend on it, and neither the file nor ONNX's inference says it.",
     "an operator of your own whose result has no stated rank, and sum(-1) of it",
     "Describe the inputs with more sizes, or export from a .pt2, which states all types."},
    {kBreaksOnnx, "E0211", kCannotExport, "ONNX's rules do not allow the node",
     "The node that the call becomes has other inputs than its operator takes.",
     "an entry of your own that gives ONNX Relu two inputs",
     "Mend the entry. If it is not yours and PyTorch takes the call, please report it."},
    {kNotOnTarget, "E0212", kCannotExport, "The model would not run on the target",
     "--target names a program that runs models. It has no kernel for a node with these dtypes, or does not take the "
     "opset.",
     "exporter export model.pt2 --target ort-cpu, with Conv of bfloat16",
     "Change the program or the opset, or write the model anyway with --target-notes."},
    {kNotInAModel, "E0213", kCannotExport, "The call does something that no model does",
     "A model computes tensors of its inputs. It has no files, no clock and no random state, and does not know its "
     "machine, or how its tensors lie in memory.",
     "x.stride(0)", "Leave the call out of what is exported, or do it before or behind the model."},

    {kBadInput, "E0300", ErrorKind::kBadInput, "The file is damaged, or not what it should be",
     "Something in the file does not have the form that PyTorch gives it. Nothing of it is trusted.",
     "a tensor whose shape needs more bytes than there are",
     "Save the model again. If PyTorch loads the file, please report it."},
    {kCannotRead, "E0301", ErrorKind::kBadInput, "The file cannot be read",
     "There is no such file, it may not be read, or it is a folder, a pipe or a device.", "exporter export missing.pt2",
     "Check the path and its permissions; a pipe has to be written to a file first."},
    {kFileChanged, "E0302", ErrorKind::kBadInput, "The file changed while it was read",
     "Weights are read while the model is written. Another program wrote to the file in between.",
     "saving model.pt2 again during an export", "Export once more when the file is complete."},
    {kDamagedArchive, "E0303", ErrorKind::kBadInput, "The archive is damaged",
     "A .pt2 or .pt is a ZIP archive with certain records. A record is missing, cut off, or has other contents.",
     "a file whose download was not finished", "Copy or save the file again."},
    {kUnknownFormat, "E0304", ErrorKind::kBadInput, "The file is of no known format or version",
     "The exporter reads .pt2 of torch.export, .pt of TorchScript, and ONNX. This is something else, or of a newer "
     "PyTorch.",
     "exporter inspect notes.txt",
     "Save the program with torch.export.save or torch.jit.save; docs/start.md shows how."},
    {kBadPickle, "E0305", ErrorKind::kBadInput, "A pickle in the archive is not one of TorchScript",
     "Pickles are read by a machine that knows a few functions only, and runs nothing.",
     "a data.pkl that calls os.system", "Do not use the file unless you know who made it. Save the model again."},
    {kBadScript, "E0306", ErrorKind::kBadInput, "The code in the archive cannot be read",
     "A .pt holds its program as text in a part of Python. This text is not in that language.",
     "a .py in the archive that was edited", "Save the model again with torch.jit.save."},
    {kBadOnnxFile, "E0307", ErrorKind::kBadInput, "The ONNX file is damaged or breaks a rule of ONNX",
     "The file cannot be parsed, or a node of it does not fit its operator's schema.", "exporter check cut.onnx",
     "Make the file again; the message says where it is wrong."},
    {kWouldRunCode, "E0308", ErrorKind::kBadInput, "The archive has code that PyTorch would run while loading it",
     "Such code can do anything with the rights of the user. The exporter does not run it, but other programs would.",
     "a .pt with a __setstate__ that calls torch.save", "If you trust the source, say so with --trust-source."},
    {kBadSafetensors, "E0309", ErrorKind::kBadInput, "The safetensors file is damaged",
     "Its header does not describe the bytes that follow.", "a file that was cut off", "Write the file again."},
    {kNoProgram, "E0310", kCannotExport, "The file holds weights and no program",
     "torch.save writes Python objects. They need Python to be a model, and reading them could run code. torch::save "
     "in C++ writes tensors and their names.",
     "torch.save(model.state_dict(), \"model.pt\"), given as the model",
     "In Python, build the model, load the weights into it, and save it with torch.export.save or torch.jit.save. In "
     "C++, export it with onnxport/torch.h. --weights takes the file for the weights of another model."},

    {kCannotWrite, "E0400", ErrorKind::kCannotWrite, "The output cannot be written",
     "The disk is full, a folder is missing, there is no permission, or the name is that of a folder or a device.",
     "exporter export model.pt2 -o missing/model.onnx",
     "Make room or the folder, or name another output. Nothing half written is left."},
    {kMemoryBudget, "E0401", ErrorKind::kMemoryBudget, "The file needs more memory than it is given",
     "A small file can describe something huge. So an export gets 32 bytes for each byte of the file, and at least 256 "
     "MiB.",
     "exporter export model.pt2 --memory-budget 1000", "If you trust the file, give more: --memory-budget BYTES."},
    {kDeadline, "E0402", ErrorKind::kDeadline, "The export takes more time than it is given",
     "The caller's deadline, or --max-seconds, is over.", "exporter export model.pt2 --max-seconds 1",
     "Give more time, or 0 for no limit."},
    {kCancelled, "E0403", ErrorKind::kCancelled, "The caller ended the export",
     "A stop token, a sink or a callback of the calling program asked for it, or threw an exception.",
     "a progress function that raises KeyboardInterrupt", "Nothing has to be mended. Nothing half written is left."},
    {kModelIsTooLarge, "E0404", ErrorKind::kUsage, "The model does not fit one file",
     "An ONNX file has at most 2 GiB. Larger models keep their weights in a second file.",
     "exporter export large.pt2 --external-data never", "Use --external-data auto, and write to a path."},
    {kWeightsDiffer, "E0405", kCannotExport, "The weights are not those of the model",
     "The file of --weights must have each parameter and buffer of the model, with its dtype and shape.",
     "exporter export model.pt2 --weights other.safetensors",
     "Save the state_dict of a module of the same class and sizes."},
    {kNotCompared, "E0406", kCannotExport, "The model and the program cannot be compared",
     "One of the two did not run, so nothing is said about the model. The exit status is not that of a difference.",
     "exporter verify model.onnx --against model.pt2, with an ONNX Runtime that has no kernel for a node",
     "The message has the reason of ONNX Runtime or LibTorch. A newer ONNX Runtime, or an export at a lower opset, may "
     "do."},

    {kInternal, "E0500", kCannotExport, "A mistake of this program",
     "The exporter found that something of its own is wrong, and makes no model rather than a wrong one.",
     "internal error, please report it", "Please report it, with the message and, if you can, the model."},

    {kOtherSizes, "W0600", kCannotExport, "For other sizes the model may be wrong",
     "torch.export followed the code for the sizes of its example, and noted conditions on them. The model holds where "
     "they hold.",
     "torch.export made this program for sizes with s0 > 4; for others the model may be wrong",
     "Export with an example of the other sizes, describe the axis with its range, or write the branch with "
     "torch.cond."},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kCodes); ++i) {
    if (static_cast<size_t>(kCodes[i].code) != i) return false;
  }
  return std::size(kCodes) == static_cast<size_t>(kOtherSizes) + 1;
}
static_assert(InOrder(), "a row for each code, in the order of the enumerators");

}  // namespace

std::string_view Name(ErrorKind kind) {
  switch (kind) {
    case kCannotExport:
      return "cannot_export";
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kBadInput:
      return "bad_input";
    case ErrorKind::kCannotWrite:
      return "cannot_write";
    case ErrorKind::kMemoryBudget:
      return "memory_budget";
    case ErrorKind::kDeadline:
      return "deadline";
    case ErrorKind::kCancelled:
      return "cancelled";
  }
  return "";
}

std::span<const CodeInfo> AllCodes() { return kCodes; }
const CodeInfo& InfoOf(Code code) { return kCodes[static_cast<size_t>(code)]; }
std::string_view Number(Code code) { return InfoOf(code).number; }

const CodeInfo* FindCode(std::string_view number) {
  const auto same = [](char a, char b) { return a == std::toupper(static_cast<unsigned char>(b)); };
  const auto* found =
      std::ranges::find_if(kCodes, [&](const CodeInfo& row) { return std::ranges::equal(row.number, number, same); });
  return found == std::end(kCodes) ? nullptr : found;
}

std::string_view NearestCode(std::string_view number) {
  std::vector<std::string_view> numbers;
  for (const CodeInfo& row : kCodes) numbers.push_back(row.number);
  return NearestName(number, numbers);
}

std::string ToJson(std::span<const CodeInfo> codes) {
  std::string text;
  for (const CodeInfo& row : codes) {
    const nlohmann::ordered_json json = {{"code", row.number},
                                         {"title", row.title},
                                         {"explanation", row.explanation},
                                         {"example", row.example},
                                         {"way_out", row.way_out}};
    text += (text.empty() ? "[\n" : ",\n") + json.dump();
  }
  return text + "\n]\n";
}

}  // namespace onnxport
