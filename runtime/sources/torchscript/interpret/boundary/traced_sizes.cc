#include "runtime/sources/torchscript/interpret/boundary/traced_sizes.h"

#include <fmt/format.h>

#include <variant>

#include "runtime/base/error.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/boundary/input_forms.h"

namespace onnxport::torchscript {

void TracedSizes::Note(const Input& spec, const PickledPtr& example) {
  const std::optional<ir::Dims> dims = SpecDims(spec);
  if (!dims) return;
  const auto* tensor = example && !spec.list ? std::get_if<Pickled::Tensor>(&example->v) : nullptr;
  const bool recorded = tensor != nullptr && tensor->data->shape.size() == dims->size();
  for (size_t i = 0; i < dims->size(); ++i) {
    const bool single = (*dims)[i].symbol().has_value();  // a sum of axes does not tell the size of each
    for (const std::string& name : (*dims)[i].symbols())
      NoteSize(name, recorded && single ? std::optional(tensor->data->shape[i]) : std::nullopt);
  }
}

void TracedSizes::NoteSize(const std::string& name, std::optional<int64_t> recorded) {
  names_.insert(name);
  const auto stated = stated_.find(name);
  if (stated != stated_.end() && recorded && stated->second != *recorded) {
    throw Error(Code::kTracesDoNotFit,
                fmt::format("the axis `{}` was {} when the model was traced, and not {}: the file has recorded it",
                            name, *recorded, stated->second));
  }
  loops_.NoteSize(name, stated == stated_.end() ? recorded : std::optional(stated->second));
}

void TracedSizes::CheckStated() const {
  for (const auto& [name, size] : stated_) {
    if (!names_.contains(name)) FailNoSuchAxis(name);
  }
}

}  // namespace onnxport::torchscript
