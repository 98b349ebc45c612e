#include "tests/conformance/cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <utility>

#include "codegen/model/result_names.h"
#include "runtime/model/passes/passes.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"
#include "tests/conformance/difference.h"
#include "tests/conformance/eager.h"
#include "tests/conformance/model_bytes.h"
#include "tests/conformance/relation.h"
#include "tests/conformance/tensors.h"
#include "tests/ort/client.h"
#include "tests/ort/distribution.h"
#include "tests/ort/missing_kernel.h"

namespace onnxport::conformance {
namespace {

using Kind = Outcome::Kind;

constexpr size_t kShownValues = 12;
constexpr int kMostSeconds = 20;  // for a model to run
constexpr double kTiny = 1e-20;   // what cancels leaves more in every dtype

bool SameStructure(const std::vector<StatedResult>& a, const std::vector<StatedResult>& b) {
  return std::ranges::equal(a, b, [](const StatedResult& x, const StatedResult& y) {
    return x.is_list == y.is_list && x.is_none == y.is_none &&
           std::ranges::equal(x.tensors, y.tensors, [](const ort::Tensor& s, const ort::Tensor& t) {
             return s.dtype == t.dtype && s.shape.size() == t.shape.size();
           });
  });
}

// A size that depends on the values is stated as any size.
void LeaveOpen(const ort::Tensor& other, ort::Tensor* tensor) {
  for (size_t i = 0; i < tensor->shape.size(); ++i) {
    if (tensor->shape[i] != other.shape[i]) tensor->shape[i] = kAnySize;
  }
}

// A result that a spec gives as `none` is refused when it is used. Models use the first one.
// Null when `reason` names no result but the first as missing.
StatedResult* MissingResult(const std::string& reason, std::vector<StatedResult>* results) {
  for (size_t i = 1; i < results->size(); ++i) {
    const bool named = reason.find(fmt::format("result `out{}` of ", i)) != std::string::npos;
    if (named && !(*results)[i].is_none) return &(*results)[i];
  }
  return nullptr;
}

std::vector<ort::Tensor> InputsOf(const Call& call) {
  std::vector<ort::Tensor> inputs;
  for (const ort::Tensor& tensor : call.tensors) inputs.push_back(PartsOf(tensor));
  return inputs;
}

Outcome OfError(const std::string& error) {
  if (auto op = ort::MissingKernel(error)) return {Kind::kNoKernel, *op};
  if (IsNoAnswer(error)) return {Kind::kNotRun, error};
  return {Kind::kError, error, KindOfError(error)};
}

Outcome OfDifference(const std::string& difference) { return {Kind::kWrong, difference, KindOfDifference(difference)}; }

bool HasEmpty(const Call& call, const std::vector<StatedResult>& results) {
  const auto is_empty = [](const ort::Tensor& tensor) { return tensor.bytes.empty(); };
  return std::ranges::any_of(call.tensors, is_empty) || std::ranges::any_of(results, [&](const StatedResult& result) {
           return std::ranges::any_of(result.tensors, is_empty);
         });
}

std::string ValuesText(const Call& call) {
  std::string text;
  for (const ort::Tensor& tensor : call.tensors) {
    text += fmt::format("\n  {} = {}", tensor.name, ort::ToText(tensor, kShownValues));
  }
  return text;
}

// PyTorch's results, as a program states them. Throws what PyTorch throws.
std::vector<StatedResult> Eager(const Call& call, uint64_t seed = 0) {
  std::vector<StatedResult> results;
  for (const EagerResult& result : RunEagerly(call.schema->name, call.args, call.tensors, seed)) {
    results.push_back({.is_list = result.kind == EagerResult::Kind::kTensorList,
                       .is_none = result.kind == EagerResult::Kind::kNone,
                       .tensors = result.tensors});
  }
  return results;
}

bool HasFloat64(const Value& value) {
  if (value.kind == Value::kTensor) return value.dtype == DType::kFloat64;
  return value.kind == Value::kList && std::ranges::any_of(value.items, HasFloat64);
}

// Per element: what the rounding of the dtype does to its magnitude, and what ordinary values leave when they cancel.
// A test's tolerance, and whether it is strict, is meant for the dtype that it was written with. A test that was
// written for float32 may pass with that tolerance in float64, where its form, or PyTorch's, has no more digits.
ort::Tolerance ToleranceOf(const Case& test, DType dtype) {
  const auto of = [](double relative, double absolute) {
    return ort::Tolerance{.relative = relative, .absolute = absolute, .tiny = kTiny};
  };
  const bool for_float64 = std::ranges::any_of(test.args, [](const Arg& arg) { return HasFloat64(arg.value); });
  // Units in the last place, as measured: kernels of float16 round intermediate results, those of bfloat16 do not.
  if (dtype == DType::kFloat16 || dtype == DType::kBFloat16) {
    const double half = dtype == DType::kFloat16 ? 4 * 0x1p-10 : 2 * 0x1p-7;
    return of(std::max(half, test.tolerance), std::max(half, test.tolerance));
  }
  if (dtype == DType::kFloat64) {
    if (test.tolerance >= 0) return of(test.tolerance, test.tolerance);
    return for_float64 ? of(1e-12, 1e-12) : of(1e-7, 1e-8);
  }
  const double stated = for_float64 ? -1 : test.tolerance;
  return stated >= 0 ? of(stated, stated) : of(1e-4, 1e-5);
}

// The output of a model: of complex numbers it has the parts.
ort::Tensor LikePytorch(ort::Tensor output, const ort::Tensor& pytorch) {
  if (!ir::IsComplex(pytorch.dtype)) return output;
  output.dtype = pytorch.dtype;
  output.shape.pop_back();
  return output;
}

// Returns whether each element of the results is an element of the inputs, except for its sign. A single one proves
// nothing.
bool OnlyMoves(const Call& call, const std::vector<StatedResult>& results) {
  std::set<double> magnitudes;
  for (const ort::Tensor& tensor : call.tensors) magnitudes.merge(ort::Magnitudes(tensor));
  const bool several = std::ranges::any_of(results, [](const StatedResult& result) {
    return std::ranges::any_of(result.tensors, [](const ort::Tensor& tensor) {
      return std::ranges::any_of(tensor.shape, [](int64_t size) { return size > 1; });
    });
  });
  if (!several) return false;
  return std::ranges::all_of(results, [&](const StatedResult& result) {
    return std::ranges::all_of(result.tensors, [&](const ort::Tensor& tensor) {
      return std::ranges::includes(magnitudes, ort::Magnitudes(tensor));
    });
  });
}

}  // namespace

Cell::Cell(const Case& test, const Variation& variation, int rounds) : test_(test) {
  for (int number = 0; number < rounds; ++number) {
    Variation varied = variation;
    varied.round = number;
    try {
      Round round{.number = number, .call = MakeCall(test, varied), .results = {}};
      const auto same = [&](const Round& other) {
        return std::ranges::equal(round.call.tensors, other.call.tensors, {}, &ort::Tensor::bytes, &ort::Tensor::bytes);
      };
      if (std::ranges::any_of(runs_, same)) continue;
      round.results = Eager(round.call);
      if (runs_.empty() || SameStructure(round.results, runs_[0].results)) runs_.push_back(std::move(round));
    } catch (const std::exception& error) {
      if (number > 0) continue;  // values of other rounds may be beyond what the operator takes
      const std::string text = error.what();
      refusal_ = text.substr(0, text.find('\n'));  // PyTorch's has its stack behind it
      return;
    }
  }
  if (runs_.empty()) return;
  // A sum of nothing and a bias looks like a move, too.
  moves_ = OnlyMoves(runs_[0].call, runs_[0].results) && !HasEmpty(runs_[0].call, {});
  const bool changed = variation.emptied >= 0 || !variation.replaced.empty();
  made_empty_ = changed && HasEmpty(runs_[0].call, runs_[0].results);
}

std::vector<StatedResult> Cell::Stated() const {
  std::vector<StatedResult> stated = runs_[0].results;
  for (const Round& round : runs_) {
    for (size_t i = 0; i < stated.size(); ++i) {
      for (size_t k = 0; k < stated[i].tensors.size(); ++k) {
        LeaveOpen(round.results[i].tensors[k], &stated[i].tensors[k]);
      }
    }
  }
  return stated;
}

std::set<int> OpsetsOf(const Case& test) {
  std::set<int> opsets = test.opsets;
  const int newest = std::min(test.until, ort::kNewestOpset);
  if (newest >= (opsets.empty() ? 1 : *opsets.begin())) opsets.insert(newest);
  return opsets;
}

Exported Cell::Export(int opset, Sizes sizes, const std::vector<size_t>& run_ints) const {
  Exported exported = Lower(opset, sizes, run_ints);
  if (exported.refused.empty()) passes::Run(&exported.graph);
  return exported;
}

Exported Cell::Lower(int opset, Sizes sizes, const std::vector<size_t>& run_ints) const {
  const Call call = WithRunInts(runs_[0].call, run_ints);
  std::vector<StatedResult> results = Stated();
  std::string lacking;
  while (true) {
    const auto tracer = pt2::Replay(MakeGraph(call, results, sizes), opset, OptionsOf(test_));
    if (tracer->findings().failures().empty()) {
      Exported exported{.refused = {},
                        .graph = tracer->TakeGraph(),
                        .left_out = {},
                        .lacking = std::move(lacking),
                        .run_ints = run_ints};
      for (const StatedResult& result : results) exported.left_out.push_back(result.is_none);
      return exported;
    }
    const std::string& reason = tracer->findings().failures().front().reason.text;
    StatedResult* missing = MissingResult(reason, &results);
    if (missing == nullptr) {
      return {.refused = tracer->contradicted() ? "internal error: " + reason : reason,
              .graph = {},
              .left_out = {},
              .lacking = {},
              .run_ints = {}};
    }
    lacking += fmt::format("{}out{}", lacking.empty() ? "" : ", ", missing - results.data());
    *missing = {.is_list = false, .is_none = true, .tensors = {}};
  }
}

bool Cell::IsRandom() const {
  const auto same = [](const StatedResult& a, const StatedResult& b) {
    return std::ranges::equal(a.tensors, b.tensors, {}, &ort::Tensor::bytes, &ort::Tensor::bytes);
  };
  // Rare differences need many seeds: dropout by p=0.001 of six elements shows with one seed of 170.
  const uint64_t seeds = MayDraw(std::string(test_.overload)) ? 2000 : 1;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    if (!std::ranges::equal(Eager(call(), seed), runs_[0].results, same)) return true;
  }
  return false;
}

Outcome Cell::Run(const Exported& exported) const {
  if (exported.refused.starts_with("internal error")) return OfError(exported.refused);
  if (!exported.refused.empty()) return {Kind::kRefused, exported.refused};
  if (made_empty_) return JudgeEmpty(exported);
  return RunWith(&ort::ClientFor(exported.graph.opset), exported);
}

Outcome Cell::RunInReference(const Exported& exported) const { return RunWith(&ort::ReferenceClient(), exported); }

// The evaluator lacks some operators of empty tensors, and fails in others.
Outcome Cell::JudgeEmpty(const Exported& exported) const {
  Outcome outcome = RunInReference(exported);
  const bool judged = outcome.kind == Kind::kOk || outcome.kind == Kind::kPartly || outcome.kind == Kind::kWrong;
  return judged ? outcome : Outcome{Kind::kNotRun, outcome.text};
}

Outcome Cell::RunWith(ort::Client* client, const Exported& exported) const {
  const std::string model = ModelBytes(exported.graph);
  for (const Round& round : runs_) {
    // Later rounds use the model of the first.
    const auto response = client->Run({.model_path = {},
                                       .model_bytes = round.number == 0 ? model : "",
                                       .inputs = InputsOf(WithRunInts(round.call, exported.run_ints))},
                                      kMostSeconds);
    Outcome outcome = OfError(response.error);
    if (response.error.empty()) outcome = OfDifference(Compare(round, exported, response.outputs));
    if (outcome.text.empty()) continue;
    outcome.graph = HashOf(exported.graph);
    if (outcome.kind != Kind::kNoKernel) {
      outcome.text +=
          fmt::format("\nround {}:{}\n{}", round.number, ValuesText(round.call), ir::ToText(exported.graph));
    }
    return outcome;
  }
  return exported.lacking.empty() ? Outcome{} : Outcome{Kind::kPartly, exported.lacking};
}

Outcome Cell::At(int opset, Sizes sizes, const std::vector<size_t>& run_ints) const {
  try {
    return Run(Export(opset, sizes, run_ints));
  } catch (const std::exception& e) {
    return {Kind::kError, e.what(), KindOfError(e.what())};
  }
}

std::string Cell::Compare(const Round& round, const Exported& exported, const std::vector<ort::Tensor>& outputs) const {
  const bool values = test_.compared == Compared::kValues;
  std::vector<ort::Tensor> expected;
  for (size_t i = 0; i < round.results.size(); ++i) {
    if (exported.left_out[i]) continue;
    for (const ort::Tensor& tensor : round.results[i].tensors) expected.push_back(PartsOf(tensor));
  }
  if (outputs.size() != expected.size()) {
    return fmt::format("{} outputs, PyTorch gives {}", outputs.size(), expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    ort::Tolerance tolerance = ToleranceOf(test_, expected[i].dtype);
    tolerance.zero_sign = moves_;
    const bool draws = test_.compared == Compared::kDistribution && !expected[i].bytes.empty();
    const std::string difference = draws ? ort::DistributionDifference(outputs[i], expected[i])
                                         : ort::Difference(outputs[i], expected[i], tolerance, values);
    if (!difference.empty()) return fmt::format("result {}: {}", i, difference);
  }
  return BrokenRelation(round, exported, outputs);
}

// The first of the test's relations that does not hold; empty when all do.
std::string Cell::BrokenRelation(const Round& round, const Exported& exported,
                                 const std::vector<ort::Tensor>& outputs) const {
  if (test_.holds.size() == 0) return "";
  const ir::AtenSchema& schema = *round.call.schema;
  Related related;
  for (size_t i = 0; i < round.call.args.size(); ++i)
    if (const ir::ValueId* id = round.call.args[i].value())
      related.values[schema.arguments[i].name] = round.call.tensors[static_cast<size_t>(*id)];
  size_t output = 0;
  for (size_t i = 0; i < round.results.size(); ++i) {
    if (round.results[i].is_none || round.results[i].is_list) return "relations are between single tensors";
    const std::string name = codegen::ResultName(schema, i);
    const ort::Tensor& pytorch = round.results[i].tensors[0];
    related.pytorch[name] = pytorch;
    if (!exported.left_out[i]) related.values[name] = LikePytorch(outputs[output++], pytorch);
  }
  for (const Term& relation : test_.holds) {
    if (NeedsMissing(relation, related)) continue;
    const auto [left, right] = SidesOf(relation, related);
    const std::string difference =
        ort::Difference(left, right, ToleranceOf(test_, related.pytorch.begin()->second.dtype));
    if (!difference.empty()) return fmt::format("`{}` does not hold: {}", ToText(relation), difference);
  }
  return "";
}

}  // namespace onnxport::conformance
