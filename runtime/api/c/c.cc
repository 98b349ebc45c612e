// The C API: each function turns its arguments into those of the C++ API, calls it, and hands over a text and perhaps
// bytes. Three rules hold for all. No exception leaves a function, since callers may have no C++ to catch it (Answer).
// A buffer is cleared before anything can fail, so that freeing it is right after every call. And what the caller gets
// is his: nothing of it lies in the library's own memory, but for the version.
#include "onnxport/c.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "onnxport/apply_weights.h"
#include "onnxport/check_axes.h"
#include "onnxport/exit_status.h"
#include "onnxport/export.h"
#include "onnxport/export_report.h"
#include "onnxport/files.h"
#include "onnxport/inspect.h"
#include "onnxport/text.h"
#include "onnxport/version.h"
#include "runtime/api/border/border.h"
#include "runtime/api/options/options_json.h"
#include "runtime/api/reports/save_report_json.h"
#include "runtime/base/error.h"

namespace onnxport {
namespace {

// An onnxport_buffer owns one of the two.
struct Contents {
  std::string text = {};
  std::vector<std::byte> bytes = {};
};

// The result of a function, for its caller.
struct Given {
  std::string report;
  Contents contents = {};
};

void Hand(std::unique_ptr<Contents> contents, onnxport_buffer* buffer) {
  if (buffer == nullptr) return;
  const bool is_text = contents->bytes.empty();
  buffer->data = is_text ? contents->text.c_str() : reinterpret_cast<const char*>(contents->bytes.data());
  buffer->size = is_text ? contents->text.size() : contents->bytes.size();
  buffer->owner = contents.release();
}

void Clear(onnxport_buffer* buffer) {
  if (buffer != nullptr) *buffer = {};
}

// Calls `work`, which gives a Given or throws; fills the buffers, of which either may be null. The status.
template <typename Work>
int Answer(onnxport_buffer* result, onnxport_buffer* report, const Work& work) noexcept {
  Clear(result);
  Clear(report);
  try {
    Result<Given> given = AtBorder(work);
    // Both are made before either is handed over: where memory ends here, the buffers are still empty and nothing
    // leaks.
    auto told = std::make_unique<Contents>(Contents{.text = given ? given->report : given.error().Json()});
    if (given && result != nullptr) Hand(std::make_unique<Contents>(std::move(given->contents)), result);
    Hand(std::move(told), report);
    return given ? ONNXPORT_DONE : ExitStatus(given.error().kind());
  } catch (...) {  // no memory, not even for the report
    return ONNXPORT_BAD_INPUT;
  }
}

struct Argument {
  const char* name;
  const void* value;
};

// Throws Error where one is null.
void Need(std::initializer_list<Argument> arguments) {
  std::string missing;
  for (const Argument& argument : arguments) {
    if (argument.value == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(argument.name);
  }
  if (!missing.empty()) throw Error(ErrorKind::kUsage, "arguments that are NULL: " + missing);
}

std::string_view TextOrNothing(const char* text) { return text == nullptr ? "" : text; }

// Throws Error where there is none.
template <typename T>
T Take(Result<T> result) {
  if (!result) throw Error(std::move(result).error());
  return *std::move(result);
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string RecordOf(std::string source, const ExportOptions& options, const Model& model,
                     std::optional<SaveReport> files) {
  return TextOf({.source = std::move(source), .options = options, .model = &model, .files = std::move(files)},
                ReportFormat::kJson);
}

Given ExportToFile(const Source& source, std::string name, const std::string& output, const JsonOptions& options) {
  const Model model = Take(Export(source, options.exporting));
  SaveReport files = Take(model.Save(output, options.saving));
  return {.report = RecordOf(std::move(name), options.exporting, model, std::move(files))};
}

Given ExportToBytes(const Source& source, std::string name, const JsonOptions& options) {
  // Before the export, which may take minutes, rather than after it.
  const ExternalData place = options.saving.external_data;
  if (place == ExternalData::kAlways || place == ExternalData::kSafetensors) {
    throw Error(ErrorKind::kUsage, "\"external_data\": there is no data file beside a model that goes into a buffer");
  }
  const Model model = Take(Export(source, options.exporting));
  std::vector<std::byte> bytes = Take(model.Bytes(options.saving));
  const SaveReport files{.model_bytes = static_cast<int64_t>(bytes.size())};
  return {.report = RecordOf(std::move(name), options.exporting, model, files),
          .contents = {.bytes = std::move(bytes)}};
}

// A caller of an older version has fewer fields; those that it does not know are zero.
onnxport_request Known(const onnxport_request& given) {
  onnxport_request request = {};
  // Fields are only ever added at the end, so a caller's size says which of them he knows. The first version had them
  // up to `context`; less than that is a struct that nobody has set up.
  if (given.size < offsetof(onnxport_request, context) + sizeof request.context) {
    throw Error(ErrorKind::kUsage, "\"size\" of the request is not sizeof(onnxport_request)");
  }
  std::memcpy(&request, &given, std::min(given.size, sizeof request));
  return request;
}

Source SourceOf(const onnxport_request& request, const std::string& name) {
  if ((request.model != nullptr) == (request.pieces != nullptr)) {
    throw Error(ErrorKind::kUsage, "a request has either \"model\" or \"pieces\"");
  }
  if (request.model != nullptr) return Source::File(request.model);
  std::vector<Source::Piece> pieces;
  pieces.reserve(request.piece_count);
  for (const onnxport_piece& piece : std::span(request.pieces, request.piece_count)) {
    pieces.push_back({static_cast<const std::byte*>(piece.data), piece.size});
  }
  Source::PieceReader read;
  if (request.read != nullptr) {
    read = [call = request.read, context = request.context](size_t piece, uint64_t offset, std::span<std::byte> out) {
      return call(context, piece, offset, out.size(), out.data()) == 0;
    };
  }
  return Source::Pieces(pieces, std::move(read), nullptr, name);
}

Progress ProgressOf(const onnxport_request& request) {
  if (request.progress == nullptr) return {};
  return [call = request.progress, context = request.context](std::string_view stage, int64_t done, int64_t total) {
    // A C function cannot throw; what it returns is its way to ask for an end.
    if (call(context, std::string(stage).c_str(), done, total) == 0) return;
    throw Error(ErrorKind::kCancelled, "as it was asked to");
  };
}

Given ExportRequest(const onnxport_request& request, bool into_buffer) {
  JsonOptions options = ReadOptions(TextOrNothing(request.options_json));
  options.exporting.progress = options.saving.progress = ProgressOf(request);
  std::string name = "model";
  if (request.model != nullptr) name = FileName(request.model);
  if (request.name != nullptr) name = request.name;
  const Source source = SourceOf(request, name);
  // A path wins over a buffer, and with neither the export is only tried: its report says whether it would do.
  if (request.output != nullptr) return ExportToFile(source, std::move(name), request.output, options);
  if (into_buffer) return ExportToBytes(source, std::move(name), options);
  const Model model = Take(Export(source, options.exporting));
  return {.report = RecordOf(std::move(name), options.exporting, model, std::nullopt)};
}

Given ApplyToFile(const std::string& model, const std::string& weights, const std::string& output,
                  const SaveOptions& options) {
  const AppliedWeights applied = Take(ApplyWeights(model, Source::File(weights), output, options));
  const nlohmann::ordered_json report = {{"remarks", applied.remarks}, {"files", JsonOf(applied.files)}};
  return {.report = Visible(report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n"};
}

}  // namespace
}  // namespace onnxport

void onnxport_buffer_free(onnxport_buffer* buffer) {
  if (buffer == nullptr) return;
  delete static_cast<onnxport::Contents*>(buffer->owner);
  *buffer = {};
}

const char* onnxport_version(void) { return onnxport::kVersion; }

int onnxport_export_file(const char* model, const char* output, const char* options_json, onnxport_buffer* report) {
  return onnxport::Answer(nullptr, report, [&] {
    onnxport::Need({{"model", model}, {"output", output}});
    return onnxport::ExportToFile(onnxport::Source::File(model), onnxport::FileName(model), output,
                                  onnxport::ReadOptions(onnxport::TextOrNothing(options_json)));
  });
}

int onnxport_export_file_to_bytes(const char* model, const char* options_json, onnxport_buffer* onnx,
                                  onnxport_buffer* report) {
  return onnxport::Answer(onnx, report, [&] {
    onnxport::Need({{"model", model}, {"onnx", onnx}});
    return onnxport::ExportToBytes(onnxport::Source::File(model), onnxport::FileName(model),
                                   onnxport::ReadOptions(onnxport::TextOrNothing(options_json)));
  });
}

int onnxport_export_bytes(const void* model, size_t model_size, const char* options_json, onnxport_buffer* onnx,
                          onnxport_buffer* report) {
  return onnxport::Answer(onnx, report, [&] {
    onnxport::Need({{"model", model}, {"onnx", onnx}});
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(model), model_size);
    return onnxport::ExportToBytes(onnxport::Source::Bytes(bytes), "model",
                                   onnxport::ReadOptions(onnxport::TextOrNothing(options_json)));
  });
}

int onnxport_export(const onnxport_request* request, onnxport_buffer* onnx, onnxport_buffer* report) {
  return onnxport::Answer(onnx, report, [&] {
    onnxport::Need({{"request", request}});
    return onnxport::ExportRequest(onnxport::Known(*request), onnx != nullptr);
  });
}

int onnxport_apply_weights(const char* model, const char* weights, const char* output, const char* options_json,
                           onnxport_buffer* report) {
  return onnxport::Answer(nullptr, report, [&] {
    onnxport::Need({{"model", model}, {"weights", weights}, {"output", output}});
    return onnxport::ApplyToFile(model, weights, output,
                                 onnxport::ReadSaveOptions(onnxport::TextOrNothing(options_json)));
  });
}

int onnxport_inspect(const char* model, const char* options_json, onnxport_buffer* text, onnxport_buffer* report) {
  return onnxport::Answer(text, report, [&] {
    onnxport::Need({{"model", model}, {"text", text}});
    const onnxport::JsonOptions options = onnxport::ReadOptions(onnxport::TextOrNothing(options_json));
    std::string shown = onnxport::Take(onnxport::Inspect(onnxport::Source::File(model), options.exporting));
    return onnxport::Given{.report = "{}", .contents = {.text = std::move(shown)}};
  });
}

int onnxport_check_axes(const char* model, const char* options_json, onnxport_buffer* axes, onnxport_buffer* report) {
  return onnxport::Answer(axes, report, [&] {
    onnxport::Need({{"model", model}, {"axes", axes}});
    const onnxport::JsonOptions options = onnxport::ReadOptions(onnxport::TextOrNothing(options_json));
    const auto found = onnxport::Take(onnxport::CheckAxes(onnxport::Source::File(model), options.exporting));
    return onnxport::Given{.report = "{}", .contents = {.text = onnxport::ToJson(found)}};
  });
}

int onnxport_write_file(const char* path, const void* data, size_t size, const char* const* others, size_t other_count,
                        onnxport_buffer* report) {
  return onnxport::Answer(nullptr, report, [&] {
    // Empty data may be null.
    onnxport::Need({{"path", path}, {"data", size == 0 ? path : data}});
    if (other_count > 0) onnxport::Need({{"others", others}});
    std::vector<std::string> names;
    for (const char* other : std::span(others, other_count)) names.emplace_back(other == nullptr ? "" : other);
    const auto mistake = onnxport::WriteOutput(path, {static_cast<const char*>(data), size}, names);
    if (mistake) throw onnxport::Error(*mistake);
    return onnxport::Given{.report = "{}"};
  });
}
