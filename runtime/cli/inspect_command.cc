#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/watchdog.h"
#include "runtime/inputs/input_spec.h"
#include "runtime/pt2/pt2.h"
#include "runtime/serializer/onnx_text.h"
#include "runtime/torchscript/archive/program.h"
#include "runtime/torchscript/torchscript.h"

namespace onnxport::cli {
namespace {

// Or nothing: opening a pipe would wait for its writer, and Archive::Open says what is wrong with one.
bool IsFile(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

// The archives of torch.export and torch.jit.save are ZIP files, whatever their name.
bool IsZip(const std::string& path) {
  char magic[4] = {};
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  const size_t count = std::fread(magic, 1, sizeof magic, file);
  std::fclose(file);
  return count == sizeof magic && std::string_view(magic, sizeof magic) == "PK\3\4";
}

std::string Notes(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += "note: " + remark + "\n";
  return text;
}

std::string Pt2Text(const std::shared_ptr<const archive::Archive>& archive) {
  pt2::Remarks remarks;
  std::string text = ir::ToText(pt2::ReadPt2(archive, &remarks));
  return text + Notes(remarks);
}

// The calls that the method makes; its code when that cannot be told.
std::string TorchScriptText(const std::shared_ptr<const archive::Archive>& archive, const ExportOptions& options) {
  const torchscript::Program program = torchscript::ReadProgram(archive, {.trust_source = options.trust_source});
  torchscript::InterpretOptions wanted{.opset = options.opset, .method = options.method, .inputs = {}};
  for (const std::string& text : options.inputs) wanted.inputs.push_back(inputs::ParseInputSpec(text));
  try {
    const trace::Traced traced = torchscript::Interpret(program, wanted);
    return ir::ToText(traced.source) + Notes(traced.remarks);
  } catch (const Error& error) {
    const bool told_wrong = error.kind() == ErrorKind::kUsage && !options.inputs.empty();
    if (told_wrong || error.kind() == ErrorKind::kBadInput) throw;
    return torchscript::Describe(program) + Notes({error.what()});
  }
}

}  // namespace

void RunInspect(const ExportArguments& arguments) {
  const Watchdog watchdog(arguments.max_seconds);
  const std::string& file = arguments.model;
  if (IsFile(file) && !IsZip(file)) return Say(serializer::OnnxToText(file));
  const auto archive = archive::Archive::Open(file);
  const MemoryBudget budget(file, archive->size());
  Say(torchscript::IsTorchScript(*archive) ? TorchScriptText(archive, arguments.options) : Pt2Text(archive));
}

}  // namespace onnxport::cli
