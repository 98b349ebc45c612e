// Part of the Emitter: constants of the model.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/lowering/build/complex.h"
#include "runtime/lowering/build/constants.h"
#include "runtime/lowering/build/emitter.h"

namespace onnxport::lowering {

using ir::DType;
using ir::ValueId;

ValueId Emitter::Constant(DType dtype, std::vector<int64_t> shape, std::string bytes) {
  if (ir::IsComplex(dtype)) {
    shape.push_back(2);
    return AsComplex(Constant(PartDType(dtype), std::move(shape), std::move(bytes)));
  }
  // All uses share one constant. It is in the outermost block, which every block sees, wherever it was first needed.
  std::string key(1, static_cast<char>(dtype));
  for (const int64_t dim : shape) key += fmt::format("{},", dim);
  key += ';';
  key += bytes;
  const auto [found, is_new] = constants_.try_emplace(std::move(key), ValueId::kNone);
  if (!is_new) return found->second;
  ir::Dims dims(shape.begin(), shape.end());
  const ValueId id = blocks_.AddValue({.name = {},
                                       .kind = ir::ValueKind::kTensor,
                                       .dtype = dtype,
                                       .dims = std::move(dims),
                                       .contents = ContentsOf(dtype, shape, bytes),
                                       .strides = {}},
                                      0);
  auto data = ir::MakeTensor(dtype, std::move(shape), std::move(bytes));
  graph_.body.nodes.push_back({.op = "Constant",
                               .inputs = {},
                               .attributes = {{"value", {data}}},
                               .outputs = {id},
                               .blocks = {},
                               .location = location_,
                               .name = {}});
  facts_.SetData(id, std::move(data));
  return found->second = id;
}

ValueId Emitter::Constant(const Val& value, DType dtype) {
  std::vector<int64_t> shape;
  if (value.is_list()) shape.push_back(static_cast<int64_t>(value.AsList().size()));
  return Constant(dtype, std::move(shape), ElementBytes(value, dtype));
}

}  // namespace onnxport::lowering
