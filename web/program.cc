// exporter.wasm: the library as a program without threads and signals, which program.mjs starts. Its command line is
// the name of a function and texts for it; what the function gives goes to stdout, that is JSON or, of `inspect` and
// `page`, the text. The exit status is the function's (c.h); of a failure stdout has the report, as JSON.

#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "onnxport/c.h"
#include "onnxport/exit_status.h"
#include "onnxport/inspect.h"
#include "onnxport/operators.h"
#include "onnxport/version.h"

// JavaScript's: how far the export is, as onnxport_request says. A result other than 0 ends it.
extern "C" __attribute__((import_module("onnxport"), import_name("progress"))) int onnxport_web_progress(
    const char* stage, double done, double total);

namespace {

using Texts = std::span<char* const>;

void Say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// Passes on the one of the two buffers that has data.
int SayBuffer(int status, onnxport_buffer* result, onnxport_buffer* report) {
  const onnxport_buffer& told = status == ONNXPORT_DONE && result->data != nullptr ? *result : *report;
  Say({told.data, told.size});
  onnxport_buffer_free(result);
  onnxport_buffer_free(report);
  return status;
}

int Tell(void* /*context*/, const char* stage, long long done, long long total) {
  return onnxport_web_progress(stage, static_cast<double>(done), static_cast<double>(total));
}

// An empty output: the export is only tried.
int Export(Texts texts) {
  onnxport_buffer nothing = {};
  onnxport_buffer report = {};
  onnxport_request request = {};
  request.size = sizeof request;
  request.model = texts[0];
  request.output = *texts[1] == '\0' ? nullptr : texts[1];
  request.options_json = texts[2];
  request.progress = Tell;
  return SayBuffer(onnxport_export(&request, nullptr, &report), &nothing, &report);
}

int ApplyWeights(Texts texts) {
  onnxport_buffer nothing = {};
  onnxport_buffer report = {};
  return SayBuffer(onnxport_apply_weights(texts[0], texts[1], texts[2], texts[3], &report), &nothing, &report);
}

int Inspect(Texts texts) {
  onnxport_buffer text = {};
  onnxport_buffer report = {};
  return SayBuffer(onnxport_inspect(texts[0], texts[1], &text, &report), &text, &report);
}

int InspectAsPage(Texts texts) {
  const auto page = onnxport::InspectAsHtml(onnxport::Source::File(texts[0]));
  Say(page ? *page : page.error().Json());
  return page ? ONNXPORT_DONE : onnxport::ExitStatus(page.error().kind());
}

int CheckAxes(Texts texts) {
  onnxport_buffer axes = {};
  onnxport_buffer report = {};
  return SayBuffer(onnxport_check_axes(texts[0], texts[1], &axes, &report), &axes, &report);
}

int Operators(Texts /*texts*/) {
  Say(onnxport::ToJson(onnxport::ListOperators()));
  return ONNXPORT_DONE;
}

int Targets(Texts /*texts*/) {
  Say(onnxport::ToJson(onnxport::ListTargets()));
  return ONNXPORT_DONE;
}

int Version(Texts /*texts*/) {
  const nlohmann::ordered_json json = {{"version", onnxport::kVersion},
                                       {"build", onnxport::BuildText()},
                                       {"onnx", onnxport::OnnxVersion()},
                                       {"first_opset", onnxport::SupportedOpsets().first},
                                       {"last_opset", onnxport::SupportedOpsets().last}};
  Say(json.dump());
  return ONNXPORT_DONE;
}

struct Function {
  std::string_view name;
  size_t texts;
  int (*call)(Texts);
};

constexpr Function kFunctions[] = {
    {"export", 3, Export},        {"apply_weights", 4, ApplyWeights},
    {"inspect", 2, Inspect},      {"page", 1, InspectAsPage},
    {"check_axes", 2, CheckAxes}, {"ops", 0, Operators},
    {"targets", 0, Targets},      {"version", 0, Version},
};

}  // namespace

int main(int argc, char** argv) {
  const Texts words(argv, static_cast<size_t>(argc));
  for (const Function& function : kFunctions) {
    if (words.size() == function.texts + 2 && words[1] == function.name) return function.call(words.subspan(2));
  }
  std::fputs("exporter.wasm: this is for exporter.mjs, and knows no such function\n", stderr);
  return ONNXPORT_USAGE;
}
