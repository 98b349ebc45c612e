#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"

namespace onnxport::ir::printer_test {
namespace {

template <typename T>
std::string Bytes(std::initializer_list<T> elements) {
  std::string bytes(elements.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), std::data(elements), bytes.size());
  return bytes;
}

TEST(Printer, PrintsEveryPart) {
  Graph graph;
  graph.opset = 18;
  graph.ranges["batch"] = {.min = 2, .max = std::nullopt};
  const Dim batch = Dim::Symbol("batch");
  const auto add = [&](std::string name, ValueKind kind, DType dtype, std::optional<Dims> dims) {
    Value value;
    value.name = std::move(name);
    value.kind = kind;
    value.dtype = dtype;
    value.dims = std::move(dims);
    return graph.AddValue(std::move(value));
  };
  const ValueId x = add("x", ValueKind::kTensor, DType::kFloat32, Dims{batch, 10});
  const ValueId w = add("w", ValueKind::kTensor, DType::kFloat16, Dims{2});
  const ValueId n = add("n", ValueKind::kInt, DType::kInt64, Dims{});
  graph.value(n).contents = Dims{batch};
  const ValueId y = add("y z", ValueKind::kTensor, DType::kFloat32, std::nullopt);
  graph.inputs = {{"x", {x}}};
  graph.body.inputs = {x};
  graph.weights = {{w, "fc.weight", MakeTensor(DType::kFloat16, {2}, "abcd")}};
  const LocationId here =
      graph.AddLocation({.at = MakeLine("dir/model.py", 12), .module = std::make_shared<const ModuleCall>("fc")});
  graph.body.nodes.push_back({.op = "aten::sym_size.int",
                              .inputs = {{x}, {int64_t{0}}},
                              .attributes = {},
                              .outputs = {n},
                              .blocks = {},
                              .name = ""});
  graph.body.nodes.push_back(
      {.op = "acme.Made",
       .inputs = {{x}, {None{}}, {ArgList{{n}, {2.0}, {true}}}},
       .attributes = {{"value", {MakeTensor(DType::kInt64, {2}, Bytes<int64_t>({1, -2}))}},
                      {"half", {MakeTensor(DType::kFloat16, {2}, Bytes<uint16_t>({0x3c00, 0xfc00}))}},
                      {"big", {MakeTensor(DType::kInt8, {1000}, std::string(1000, 'x'))}},
                      {"mode", {std::string("a\n")}},
                      {"to", {DType::kInt32}}},
       .outputs = {ValueId::kNone, y},
       .blocks = {Block{.inputs = {w}, .nodes = {}, .outputs = {{w}}}},
       .location = here,
       .name = ""});
  graph.outputs = {{"out", {y}}, {"nothing", {None{}}}};
  EXPECT_EQ(ToText(graph),
            "opset 18\n"
            "symbol batch in 2..\n"
            "input x = %x: float32[batch, 10]\n"
            "weight fc.weight = %w: float16[2]\n"
            "%n: int {batch} = aten::sym_size.int(%x, 0)\n"
            "_, %\"y z\": float32[*] = acme.Made(%x, None, [%n, 2.0, True], value=int64[2]{1, -2}, "
            "half=float16[2]{1, -inf}, big=int8[1000]{...}, mode=\"a\\x0a\", to=int32)"
            "  # fc model.py:12\n"
            "  block(%w: float16[2])\n"
            "  yield %w\n"
            "output out = %\"y z\"\n"
            "output nothing = None\n");
}

}  // namespace
}  // namespace onnxport::ir::printer_test
