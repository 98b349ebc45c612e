#include "runtime/lowering/build/value_facts.h"

#include <cstdint>
#include <string>
#include <utility>

#include "runtime/ir/dtype.h"
#include "runtime/lowering/build/constants.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;

std::shared_ptr<const ir::TensorData> ValueFacts::DataOf(ValueId id) const {
  const auto found = data_.find(id);
  return found == data_.end() ? nullptr : found->second;
}

void ValueFacts::SetData(ValueId id, std::shared_ptr<const ir::TensorData> data) {
  inference_.SetData(id, data);
  data_[id] = std::move(data);
}

void ValueFacts::ReadContents(ValueId id) {
  constexpr int64_t kFew = 16;
  const auto data = DataOf(id);
  if (data->shape.size() > 1 || (data->dtype != DType::kInt64 && data->dtype != DType::kInt32)) return;
  if (!data->shape.empty() && data->shape[0] > kFew) return;
  const std::string bytes = ir::BytesOf(*data->bytes);
  graph_.value(id).contents = ContentsOf(data->dtype, data->shape, bytes);
}

}  // namespace onnxport::lowering
