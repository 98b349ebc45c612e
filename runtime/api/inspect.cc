#include "onnxport/inspect.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "onnxport/text.h"
#include "runtime/api/border/border.h"
#include "runtime/api/session.h"
#include "runtime/base/error.h"
#include "runtime/base/option_names.h"
#include "runtime/inputs/inputs.h"
#include "runtime/model/onnx_file/check.h"
#include "runtime/model/onnx_file/onnx_page.h"
#include "runtime/model/onnx_file/onnx_text.h"
#include "runtime/sources/torchscript/torchscript.h"

namespace onnxport {
namespace {

// The archives of torch.export and torch.jit.save are ZIP files, whatever their name.
bool IsZip(const archive::ByteSource& source) {
  constexpr std::array kMagic = {std::byte{'P'}, std::byte{'K'}, std::byte{3}, std::byte{4}};
  std::array<std::byte, kMagic.size()> begin = {};
  if (source.size() < begin.size()) return false;
  source.ReadAt(0, begin);
  return begin == kMagic;
}

std::string Lines(std::string_view kind, const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts)
    lines += fmt::format("{}: {}\n", kind, VisibleName(WithOptionNames(text, OptionAsKey)));
  return lines;
}

std::vector<std::string> TextsOf(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(warning.text);
  return texts;
}

// The calls that the method makes; its code when that cannot be told.
std::string TorchScriptText(const LoadedModel& loaded, const ExportOptions& options) {
  try {
    const trace::Traced traced = loaded.Trace();
    return ir::ToText(traced.source) + Lines("note", traced.remarks);
  } catch (const Error& error) {
    // Without types of its inputs a program cannot be traced, and its code is still worth showing. But whoever did say
    // types and was wrong should hear of it, and a damaged file is one either way.
    const bool told_wrong = error.kind() == ErrorKind::kUsage && !options.inputs.empty();
    if (told_wrong || (error.kind() != ErrorKind::kUsage && error.kind() != ErrorKind::kCannotExport)) throw;
    return torchscript::Describe(*loaded.torchscript()) + Lines("note", {error.report().With(OptionAsKey).Text()});
  }
}

std::string Text(const Source& source, const ExportOptions& options) {
  inputs::Check(options.inputs);
  const Session session(source, options);
  // A file that is no ZIP can only be ONNX; if it is neither, the reader of ONNX says so.
  if (!IsZip(*session.bytes())) return onnx_file::OnnxToText(*session.bytes());
  LoadedModel loaded(archive::Archive::Open(session.bytes()), options);
  loaded.DescribeWithTraces(options.inputs);
  if (loaded.torchscript() != nullptr) return TorchScriptText(loaded, options);
  return ir::ToText(*loaded.pt2()) + Lines("warning", TextsOf(loaded.warnings())) + Lines("note", loaded.remarks());
}

std::string Html(const Source& source, const ExportOptions& options, std::vector<std::string>* data_files) {
  const Session session(source, options);
  if (IsZip(*session.bytes())) {
    throw Error(ErrorKind::kUsage, session.bytes()->name() + ": pages are made of ONNX files; export it first");
  }
  return Visible(onnx_file::OnnxToHtml(*session.bytes(), data_files));
}

}  // namespace

Result<std::string> Inspect(const Source& source, const ExportOptions& options) {
  return AtBorder([&] { return Visible(Text(source, options)); });
}

Result<std::string> InspectAsHtml(const Source& source, const ExportOptions& options,
                                  std::vector<std::string>* data_files) {
  return AtBorder([&] { return Html(source, options, data_files); });
}

std::optional<Report> CheckOnnx(const std::string& file, const ExportOptions& options) {
  const auto checked = AtBorder([&] {
    const Session session(Source::File(file), options);
    onnx_file::CheckModel(file, *session.bytes());
    return true;
  });
  return checked ? std::nullopt : std::optional(checked.error());
}

}  // namespace onnxport
