// Exports PyTorch models to ONNX.
//
//   #include "runtime/exporter.h"
//
//   onnxport::ExportOptions options;
//   options.opset = 17;
//   options.inputs = {"x=f32[batch,3,224,224]"};
//   const onnxport::ExportReport report = onnxport::Export("model.pt2", "model.onnx", options);
//   for (const std::string& remark : report.remarks) std::cerr << remark << "\n";
#ifndef ONNXPORT_RUNTIME_EXPORTER_H_
#define ONNXPORT_RUNTIME_EXPORTER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/error.h"
#include "runtime/ir/graph.h"
#include "runtime/serializer/serializer.h"

namespace onnxport {

using serializer::ExternalData;

// Every runtime since early 2023 reads it, and it has the reductions and pooling attributes that older ones lack;
// newer opsets say little that matters to most models, and deployed runtimes are slow to follow.
inline constexpr int kDefaultOpset = 18;

struct ExportOptions {
  int opset = kDefaultOpset;  // 7 to 25: the file says exactly this, with the IR version of its release

  // `NAME=DTYPE[d0,d1,...]`, one per input that is to be described; a dimension is a number or a name. A named axis is
  // a promise: it stays free, or the export fails and says what fixed it.
  std::vector<std::string> inputs = {};

  // All names in order, or empty: the model's own.
  std::vector<std::string> input_names = {};
  std::vector<std::string> output_names = {};

  ExternalData external_data = ExternalData::kAuto;  // one data file beside the model, see serializer.h
  std::vector<std::string> disabled_passes = {};     // see passes.h

  // Called now and then while weights are written, with bytes done and in all.
  std::function<void(int64_t done, int64_t total)> progress = {};
};

struct ExportReport {
  struct Stage {
    std::string_view name;  // "read", "lower" ...
    double milliseconds;
  };
  std::vector<std::string> remarks;  // what the exported model does differently from the source program
  std::vector<Stage> stages;
  int64_t nodes = 0;
  int64_t weights = 0;
  serializer::WriteReport files;
};

// Reads `model` (a `.pt2` archive of torch.export) and writes `out`, an ONNX file. `out` appears complete or not at
// all. Throws Error:
//   kCannotExport  the model; the text lists every unsupported call, each with its source line and what would do
//   kUsage         an option does not fit the model
//   kBadInput      the file is damaged or no such archive
//   kCannotWrite   the output
// Several exports may run in one process at a time.
ExportReport Export(const std::string& model, const std::string& out, const ExportOptions& options = {});

// The same without writing: the ONNX graph, named and ready for `serializer::Write`. `report` may be null.
ir::Graph Convert(const std::string& model, const ExportOptions& options = {}, ExportReport* report = nullptr);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_EXPORTER_H_
