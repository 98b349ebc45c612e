#include "runtime/api/session.h"

#include <fmt/format.h>

#include <deque>
#include <string>
#include <utility>

#include "runtime/api/border/opener.h"
#include "runtime/api/options/lowering_options.h"
#include "runtime/api/options/target_options.h"
#include "runtime/api/weights.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/sources/pt2/guards.h"
#include "runtime/sources/pt2/pt2.h"
#include "runtime/sources/pt2/replay/free_axes.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/sources/torchscript/compare/compare_traces.h"
#include "runtime/sources/torchscript/compare/traced_axes.h"
#include "runtime/sources/torchscript/torchscript.h"

namespace onnxport {

Session::Session(const Source& source, const ExportOptions& options)
    : interruption_(options.stop, options.deadline),
      bytes_(source.opener().Open()),
      budget_(bytes_->name(), bytes_->size(), options.memory_budget) {}

LoadedModel::LoadedModel(const std::shared_ptr<const archive::Archive>& archive, const ExportOptions& options)
    : archive_(archive), options_(options), opset_(OpsetOf(options)), lowering_(LoweringOptions(options)) {
  // By what the archive has in it: both kinds are ZIP files, and a file's name says nothing that could be relied on.
  if (torchscript::IsTorchScript(*archive)) {
    program_ = torchscript::ReadProgram(archive, {.trust_source = options.trust_source});
  } else if (options.method != ExportOptions().method) {
    throw Error(Code::kNoSuchName, fmt::format("a .pt2 has one program, and no method '{}'", options.method));
  } else {
    program_ = pt2::ReadPt2(archive, &remarks_, &guards_, options.state_as_io ? &writes_ : nullptr);
  }
  // Before anyone has traced: nothing on the way to the model has seen a value that the model will not have.
  std::visit([&](auto& program) { ReplaceWeights(options, &program, &remarks_); }, program_);
  for (std::string& remark : remarks_) remark = VisibleLine(remark);
}

std::vector<std::string> LoadedModel::StateNames() const {
  if (const torchscript::Program* program = torchscript()) return torchscript::StateNames(*program);
  std::vector<std::string> names;
  for (const ir::Weight& weight : pt2()->weights) {
    if (!weight.constant) names.push_back(weight.name);
  }
  return names;
}

void LoadedModel::Describe(std::vector<Input> inputs) {
  if (auto* graph = std::get_if<ir::Graph>(&program_)) {
    const Described described = DescribePt2(inputs, graph);
    // After the inputs: guards of the file that they settle need no warning.
    if (!described.freed.empty()) remarks_.push_back(VisibleLine(pt2::FreedRemark(described.freed)));
    for (const pt2::NarrowedAxis& axis : described.narrowed) warnings_.push_back(pt2::NarrowedWarning(axis));
    if (auto warning = pt2::GuardWarning(guards_, *graph, described.freed)) warnings_.push_back(*std::move(warning));
  }
  inputs_ = std::move(inputs);
}

LoadedModel::Described LoadedModel::DescribePt2(const std::vector<Input>& inputs, ir::Graph* graph) const {
  Described described;
  described.narrowed = pt2::UnaskedAxes(pt2::NarrowedAxes(guards_, *graph), inputs, *graph);
  if (!inputs.empty()) described.freed = inputs::ApplyInputs(graph, inputs);
  if (!described.freed.empty()) pt2::FreeAxes(described.freed, opset_, lowering_, graph);
  return described;
}

void LoadedModel::Try(const std::vector<Input>& inputs) const {
  if (const ir::Graph* graph = pt2()) {
    // A copy, as describing changes a .pt2's graph for good. Its weights are not copied with it: they stay in the file.
    ir::Graph tried = *graph;
    DescribePt2(inputs, &tried);
  } else {
    Interpret(inputs, trace::Survey::kNone);  // what another opset takes is no answer
  }
}

void LoadedModel::DescribeWithTraces(std::vector<Input> inputs) {
  if (pt2() != nullptr && !(options_.other_traces.empty() && options_.traced_sizes.empty()))
    throw Error(Code::kTracesDoNotFit, "a .pt2 says itself which axes are free; traces are .pt files");
  if (options_.other_traces.empty()) return Describe(std::move(inputs));
  // A deque, because `traces` points into it while it grows.
  std::deque<torchscript::Program> others;
  std::vector<torchscript::TracedProgram> traces = {{torchscript(), options_.traced_sizes}};
  for (const OtherTrace& other : options_.other_traces) {
    const auto archive = archive::Archive::Open(other.source.opener().Open());
    if (!torchscript::IsTorchScript(*archive)) {
      throw Error(Code::kTracesDoNotFit,
                  archive->name() + " is no TorchScript archive; traces come from torch.jit.trace");
    }
    others.push_back(torchscript::ReadProgram(archive, {.trust_source = options_.trust_source}));
    traces.push_back({&others.back(), other.sizes});
  }
  // The axes come first, because they give the sizes of each trace. Only with the sizes does a number that differs
  // between two traces (3 in one, 5 in the other) become an expression of sizes.
  torchscript::TracedAxes axes = torchscript::FindTracedAxes(&traces, options_.method, std::move(inputs));
  traced_.emplace();
  traced_->numbers = torchscript::CompareTraces(traces);
  for (const torchscript::TracedProgram& trace : traces) {
    traced_->sizes.push_back(trace.sizes);
    traced_->files.push_back(trace.program->archive->name());
  }
  for (const std::string& remark : axes.remarks) remarks_.push_back(VisibleLine(remark));
  Describe(std::move(axes.inputs));
}

trace::Traced LoadedModel::Trace(trace::Survey survey) const& {
  const ir::Graph* graph = pt2();
  return graph == nullptr ? Interpret(inputs_, survey) : TracePt2([graph] { return *graph; }, survey);
}

trace::Traced LoadedModel::Trace() && {
  auto* graph = std::get_if<ir::Graph>(&program_);
  if (graph == nullptr) return Interpret(inputs_, trace::Survey::kLaterOpsets);
  // Most programs are walked over once. Where calls fail, or state becomes inputs, more walks follow.
  bool taken = false;
  std::optional<LoadedModel> again;
  const auto program = [&] {
    if (!std::exchange(taken, true)) return std::move(*graph);
    if (!again) again.emplace(archive_, options_).Describe(inputs_);
    return *again->pt2();
  };
  return TracePt2(program, trace::Survey::kLaterOpsets);
}

trace::Traced LoadedModel::TracePt2(const std::function<ir::Graph()>& program, trace::Survey survey) const {
  const auto walk = [&](int opset, const trace::ProgramState& state) {
    return pt2::Replay(program(), opset, lowering_, {}, lowering::FreeSizes::kAsExported,
                       {.state = state, .writes = writes_});
  };
  return trace::Trace(walk, opset_, {.survey = survey, .keep_state = options_.state_as_io});
}

trace::Traced LoadedModel::Interpret(const std::vector<Input>& inputs, trace::Survey survey) const {
  return torchscript::Interpret(*torchscript(), {.opset = opset_,
                                                 .method = options_.method,
                                                 .inputs = inputs,
                                                 .traced_sizes = options_.traced_sizes,
                                                 .lowering = lowering_,
                                                 .traced = traced_ ? &*traced_ : nullptr,
                                                 .trace = {.survey = survey, .keep_state = options_.state_as_io}});
}

}  // namespace onnxport
