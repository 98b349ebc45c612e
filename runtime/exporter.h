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

#include "runtime/base/error.h"
#include "runtime/ir/graph.h"
#include "runtime/serializer/serializer.h"

namespace onnxport {

using serializer::ExternalData;

// Every runtime since early 2023 reads it, and it has the reductions and pooling attributes that older ones lack;
// newer opsets say little that matters to most models, and deployed runtimes are slow to follow.
inline constexpr int kDefaultOpset = 18;

struct ExportOptions {
  // From 7 to the newest of the ONNX that is linked in. The file says exactly this, with the IR version of its release.
  int opset = kDefaultOpset;

  // What an input is, one text each (inputs/input_spec.h): `x=f32[batch,3,224,224]`; a dimension is a number or a
  // name. A named axis is a promise: it stays free, or the export fails and says what fixed it. A TorchScript file
  // takes values (`n=5`, `flag=true`, `opt=none`), lists (`xs=list[f32[n,4]]`) and elements (`d.key=f32[4]`) as well.
  std::vector<std::string> inputs = {};

  // All names in order, or empty: the model's own.
  std::vector<std::string> input_names = {};
  std::vector<std::string> output_names = {};

  ExternalData external_data = ExternalData::kAuto;  // one data file beside the model, see serializer.h
  std::vector<std::string> disabled_passes = {};     // see passes.h

  // Of a TorchScript file: the method that is exported, and whether code that PyTorch would run when it loads the file
  // (`__setstate__` beyond moving data) is taken. It is interpreted, never run.
  std::string method = "forward";
  bool trust_source = false;

  // Called once when the graph is made, before anything is written.
  std::function<void()> converted = {};
  // Called now and then while weights are written, with bytes done and in all.
  std::function<void(int64_t done, int64_t total)> progress = {};
};

struct ExportReport {
  struct Stage {
    std::string_view name;  // "read", "trace" ...
    double milliseconds;
  };
  std::vector<std::string> remarks;  // what the exported model does differently from the source program
  std::vector<Stage> stages;
  int64_t nodes = 0;
  int64_t weights = 0;
  serializer::WriteReport files;
};

// Reads `model` (a `.pt2` archive of torch.export, or a TorchScript archive) and writes `out`, an ONNX file. `out`
// appears complete or not at all. Throws Error:
//   kCannotExport  the model; the text lists every unsupported call, each with its source line and what would do
//   kUsage         an option does not fit the model
//   kBadInput      the file is damaged or no such archive
//   kCannotWrite   the output
// Several exports may run in one process at a time.
ExportReport Export(const std::string& model, const std::string& out, const ExportOptions& options = {});

// The same without writing: the ONNX graph, named and ready for `serializer::Write`. `report` may be null.
ir::Graph Convert(const std::string& model, const ExportOptions& options = {}, ExportReport* report = nullptr);

// Whether an axis of an input can be free.
struct AxisReport {
  std::string input;
  size_t axis = 0;
  std::string size;  // in the file, or the name it has already
  bool free = false;
  std::string together;  // free when these axes have the same name: "h0 axis 1, c0 axis 1"; else empty
  std::string fixed_by;  // the operation that needs the number, with its source line; empty for a free axis
};

// Tries every axis of every tensor input: `inputs` that name it are taken as they are. Throws Error as `Convert` does
// when the model cannot be exported at all.
std::vector<AxisReport> CheckAxes(const std::string& model, const ExportOptions& options = {});

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_EXPORTER_H_
