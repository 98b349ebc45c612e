#include "tests/arguments/mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"
#include "tests/arguments/changes.h"
#include "tests/conformance/tensors.h"
#include "tests/conformance/variation.h"

namespace onnxport::arguments {
namespace {

using conformance::Call;
using conformance::TensorPlan;
using ir::Arg;
using ir::AtenKind;
using ir::DType;

constexpr int64_t kFar = 100;  // beyond each axis, class and index of a test

bool IsInteger(AtenKind kind) { return kind == AtenKind::kInt || kind == AtenKind::kSymInt; }

bool HoldsTensor(const Arg& arg) { return arg.value() != nullptr; }

void AddLists(const ir::ArgList& list, std::vector<Arg>* values) {
  for (const int64_t far : {kFar, -kFar}) {
    for (size_t i = 0; i < list.size(); ++i) {
      ir::ArgList changed = list;
      changed[i] = {far};
      values->push_back({std::move(changed)});
    }
  }
  if (list.empty()) return;
  for (const Arg& more : {list.front(), list.back()}) {
    ir::ArgList longer = list;
    longer.push_back(more);
    values->push_back({longer});
    longer.push_back(more);
    longer.push_back(more);
    values->push_back({std::move(longer)});
  }
  if (list.size() > 1) values->push_back({ir::ArgList(list.size(), list.front())});
}

// Values that changes.h does not have, because PyTorch hardly ever accepts them.
std::vector<Arg> FarValuesOf(const ir::AtenType& type, const Arg& given) {
  std::vector<Arg> values;
  const ir::ArgList* list = given.list();
  if (type.list && list != nullptr && std::ranges::any_of(*list, HoldsTensor)) {
    values.push_back({ir::ArgList()});
    values.push_back({ir::ArgList{list->front()}});
  } else if (type.list && list != nullptr && IsInteger(type.kind)) {
    AddLists(*list, &values);
  } else if (!type.list && IsInteger(type.kind)) {
    for (const int64_t far : {kFar, -kFar, int64_t{-3}, int64_t{7}}) values.push_back({far});
  } else if (!type.list && type.kind == AtenKind::kString) {
    values.push_back({std::string("unheard of")});
    values.push_back({std::string()});
  }
  return values;
}

std::string NameOf(const Call& call, size_t tensor) {
  const auto is_it = [&](const Arg& arg) {
    const ir::ValueId* id = arg.value();
    return id != nullptr && static_cast<size_t>(*id) == tensor;
  };
  for (size_t i = 0; i < call.args.size(); ++i) {
    const std::string& name = call.schema->arguments[i].name;
    if (is_it(call.args[i])) return name;
    const ir::ArgList* list = call.args[i].list();
    if (list == nullptr) continue;
    const auto item = std::ranges::find_if(*list, is_it);
    if (item != list->end()) return fmt::format("{}[{}]", name, item - list->begin());
  }
  return call.tensors[tensor].name;
}

std::vector<std::vector<int64_t>> ShapesOf(const std::vector<int64_t>& shape) {
  std::vector<std::vector<int64_t>> shapes;
  std::vector<int64_t> more = shape;
  more.insert(more.begin(), 2);
  shapes.push_back(more);
  if (shape.empty()) return shapes;
  more.insert(more.begin(), 2);
  shapes.push_back(more);
  shapes.emplace_back();
  shapes.emplace_back(shape.begin() + 1, shape.end());
  shapes.emplace_back(shape.begin(), shape.end() - 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    for (const int64_t size : {shape[i] + 1, int64_t{0}}) {
      std::vector<int64_t> changed = shape;
      changed[i] = size;
      shapes.push_back(std::move(changed));
    }
  }
  std::ranges::sort(shapes);
  shapes.erase(std::ranges::unique(shapes).begin(), shapes.end());
  std::erase(shapes, shape);
  return shapes;
}

TensorPlan PlanWith(const ort::Tensor& tensor, std::vector<int64_t> shape) {
  return {.dtype = tensor.dtype,
          .shape = std::move(shape),
          .bounded = ir::IsInt(tensor.dtype),  // whatever it is an index of
          .low = 0,
          .high = 1,
          .evenly = false,
          .contents = {}};
}

std::vector<TensorPlan> PlansOf(const ort::Tensor& tensor) {
  std::vector<TensorPlan> plans;
  for (std::vector<int64_t>& shape : ShapesOf(tensor.shape)) plans.push_back(PlanWith(tensor, std::move(shape)));
  for (const DType dtype : {DType::kFloat32, DType::kInt64, DType::kBool}) {
    if (dtype == tensor.dtype) continue;
    plans.push_back(PlanWith(tensor, tensor.shape));
    plans.back().dtype = dtype;
    plans.back().bounded = true;
  }
  if (!ir::IsInt(tensor.dtype)) return plans;
  for (const double far : {-100.0, 100.0}) {
    plans.push_back(PlanWith(tensor, tensor.shape));
    plans.back().low = plans.back().high = far;
  }
  return plans;
}

void AddOfTensor(const Call& call, size_t tensor, std::vector<Mistake>* mistakes) {
  const std::string name = NameOf(call, tensor);
  for (const TensorPlan& plan : PlansOf(call.tensors[tensor])) {
    Mistake mistake{.text = fmt::format("{}={}[{}]", name, ir::ShortName(plan.dtype), fmt::join(plan.shape, ",")),
                    .call = call};
    if (plan.high >= kFar || plan.low <= -kFar) mistake.text += fmt::format(" of {}", plan.low);
    std::mt19937 random{20260101};
    mistake.call.tensors[tensor] = conformance::MakeTensor(plan, 0, static_cast<int>(tensor), &random);
    mistakes->push_back(std::move(mistake));
  }
}

}  // namespace

std::vector<Mistake> MistakesOf(const Call& call) {
  std::vector<Change> changes = ChangesOf(call);
  std::erase_if(changes, [](const Change& change) { return change.category == "word"; });  // one that is wrong will do
  for (size_t i = 0; i < call.args.size(); ++i) {
    for (Arg& value : FarValuesOf(call.schema->arguments[i].type, call.args[i]))
      changes.push_back({"far", {{i, std::move(value)}}});
  }
  std::vector<Mistake> mistakes;
  for (const Change& change : changes) {
    Mistake mistake{.text = ToText(change, call), .call = call};
    for (const conformance::Replacement& replaced : change.values)
      mistake.call.args[replaced.argument] = replaced.value;
    mistakes.push_back(std::move(mistake));
  }
  for (size_t i = 0; i < call.tensors.size(); ++i) AddOfTensor(call, i, &mistakes);
  return mistakes;
}

}  // namespace onnxport::arguments
