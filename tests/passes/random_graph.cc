#include "tests/passes/random_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/onnx/known_tensor.h"
#include "runtime/testing/graph_builder.h"

namespace onnxport::tests {
namespace {

using ir::ValueId;
using Shape = std::vector<int64_t>;

constexpr int kAxesInputOpset = 18;  // of ReduceL2

ir::Dims ToDims(const Shape& shape) { return {shape.begin(), shape.end()}; }

int64_t Count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

struct Tensor {
  ValueId id;
  Shape shape;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed), b_(std::vector<int>{9, 13, 15, 18, 20, 23}[seed % 6]) {}

  RandomGraph Run() {
    Shape shape(static_cast<size_t>(Draw(3, 4)));
    for (int64_t& size : shape) size = Draw(1, 4);
    tensors_.push_back({b_.Input("x", ToDims(shape)), shape});
    for (int left = Draw(3, 14); left > 0; --left) Step();
    for (int left = Draw(0, 2); left > 0; --left) b_.Output(Any().id);
    b_.Output(tensors_.back().id);
    return {.graph = std::move(b_.graph), .rounds = rounds_};
  }

 private:
  int Draw(int least, int most) { return tests::Draw(least, most, &random_); }
  std::string Name(const char* prefix) { return prefix + std::to_string(++names_); }
  // Rather what came last, so that chains grow.
  const Tensor& Any() { return tensors_[tensors_.size() - 1 - static_cast<size_t>(Draw(0, Draw(0, last_)))]; }

  void Step() {
    last_ = static_cast<int>(tensors_.size()) - 1;
    const Tensor x = Any();
    switch (Draw(0, 14)) {
      case 0:
      case 1:
        return Unary(x);
      case 2:
        return Binary(x);
      case 3:
      case 4:
        return Transpose(x);
      case 5:
        return Reshape(x);
      case 6:
        return Product(x);
      case 7:
      case 8:
        return Convolution(x);
      case 9:
        return Positions(x);
      case 10:
        return Mask(x);
      case 11:
        return Split(x);
      case 12:
        return Shuffle(x);
      case 13:
        return SpellOut(x);
      default:
        return AddWeight(x);
    }
  }

  Tensor Add(const char* op, const std::vector<ValueId>& inputs, const Shape& shape,
             std::vector<ir::Attribute> attributes = {}) {
    const ValueId id = b_.Node(op, inputs, Name("v"), ToDims(shape), ir::DType::kFloat32, std::move(attributes));
    tensors_.push_back({id, shape});
    return tensors_.back();
  }
  Tensor Weight(const Shape& shape) { return {b_.Weight(Name("w"), shape, Floats(Count(shape))), shape}; }
  std::string Floats(int64_t count) { return RandomFloats(count, false, &random_); }

  void Unary(const Tensor& x) {
    const char* const ops[] = {"Neg", "Relu", "Abs", "Identity", "Sigmoid"};
    Add(ops[Draw(0, 4)], {x.id}, x.shape);
  }

  void Binary(const Tensor& x) {
    const char* const ops[] = {"Add", "Sub", "Mul"};
    const Tensor& y = Any();
    Add(ops[Draw(0, 2)], {x.id, y.shape == x.shape ? y.id : x.id}, x.shape);
  }

  Tensor Transposed(const Tensor& x) {
    std::vector<int64_t> perm(x.shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::ranges::shuffle(perm, random_);
    Shape shape;
    for (const int64_t axis : perm) shape.push_back(x.shape[static_cast<size_t>(axis)]);
    const ValueId id =
        b_.Node("Transpose", {x.id}, Name("t"), ToDims(shape), ir::DType::kFloat32, {{"perm", passes::IntList(perm)}});
    return {id, shape};
  }
  void Transpose(const Tensor& x) { tensors_.push_back(Transposed(x)); }

  void Reshape(const Tensor& x) {
    Shape shape = x.shape;
    if (shape.size() > 2 && Draw(0, 1) == 0) {
      shape[1] *= shape[0];
      shape.erase(shape.begin());
    } else {
      shape.insert(shape.begin() + Draw(0, static_cast<int>(shape.size())), 1);
    }
    if (shape.size() > 5) return;
    Add("Reshape", {x.id, b_.Ints(Name("shape"), shape)}, shape);
  }

  // Axes become two, and are moved.
  void Split(const Tensor& x) {
    const Shape sizes = {2, 3, x.shape.back() * Draw(1, 2)};
    Shape wide = x.shape;
    wide.back() = sizes[0] * sizes[1] * sizes[2];
    Tensor y = x;
    for (int64_t copies = wide.back() / x.shape.back(); copies > 1; copies = 1) {
      const std::vector<ValueId> inputs(static_cast<size_t>(copies), x.id);
      y = Add("Concat", inputs, wide, {{"axis", {std::ssize(wide) - 1}}});
    }
    wide.pop_back();
    wide.insert(wide.end(), sizes.begin(), sizes.end());
    if (wide.size() > 6) return;
    y = Add("Reshape", {y.id, b_.Ints(Name("shape"), wide)}, wide);
    y = Transposed(y);
    while (y.shape.size() > 4) {
      const auto at = y.shape.begin() + Draw(0, static_cast<int>(y.shape.size()) - 2);
      *at *= *(at + 1);
      y.shape.erase(at + 1);
    }
    Add("Reshape", {y.id, b_.Ints(Name("shape"), y.shape)}, y.shape);
  }

  // As pixel_shuffle does it, in some order of axes.
  void Shuffle(const Tensor& x) {
    if (x.shape.size() != 4) return;
    const bool last = Draw(0, 1) == 0;  // where the blocks are among the channels
    Shape deep = x.shape;
    deep[1] *= 4;
    Tensor y = Add("Concat", {x.id, x.id, x.id, x.id}, deep, {{"axis", {int64_t{1}}}});
    const int64_t c = x.shape[1];
    const Shape split = last ? Shape{deep[0], c, 2, 2, deep[2], deep[3]} : Shape{deep[0], 2, 2, c, deep[2], deep[3]};
    y = Add("Reshape", {y.id, b_.Ints(Name("shape"), split)}, split);
    const Shape perm = last ? Shape{0, 1, 4, 2, 5, 3} : Shape{0, 3, 4, 1, 5, 2};
    Shape turned;
    for (const int64_t axis : perm) turned.push_back(split[static_cast<size_t>(axis)]);
    y = Add("Transpose", {y.id}, turned, {{"perm", passes::IntList(perm)}});
    const Shape wide = {deep[0], c, 2 * deep[2], 2 * deep[3]};
    Add("Reshape", {y.id, b_.Ints(Name("shape"), wide)}, wide);
  }

  // As `linear` does it.
  void Product(const Tensor& x) {
    const Tensor weight = Weight({Draw(1, 4), x.shape.back()});
    const ValueId turned = b_.Node("Transpose", {weight.id}, Name("t"), {weight.shape[1], weight.shape[0]},
                                   ir::DType::kFloat32, {{"perm", passes::IntList({1, 0})}});
    Shape shape = x.shape;
    shape.back() = weight.shape[0];
    Add("MatMul", {x.id, turned}, shape);
  }

  void Convolution(const Tensor& x) {
    if (x.shape.size() != 3 && x.shape.size() != 4) return;
    const int64_t groups = Draw(0, 1) == 0 ? x.shape[1] : 1;
    const int64_t channels = groups * Draw(1, 3);
    Shape kernel(x.shape.size(), 1);
    kernel[0] = channels;
    kernel[1] = x.shape[1] / groups;
    Shape shape = x.shape;
    shape[1] = channels;
    std::vector<ValueId> inputs = {x.id, Weight(kernel).id};
    if (Draw(0, 1) == 0) inputs.push_back(Weight({channels}).id);
    if (Draw(0, 2) == 0) inputs[1] = Normed(kernel);
    const Tensor y = Add("Conv", inputs, shape, {{"group", {groups}}});
    if (Draw(0, 3) == 0) return;
    rounds_ = true;
    Add("BatchNormalization",
        {y.id, Weight({channels}).id, Weight({channels}).id, Weight({channels}).id, Variance(channels)}, shape,
        {{"epsilon", {1e-3}}});
  }

  // As weight_norm does it.
  ValueId Normed(const Shape& shape) {
    rounds_ = true;
    Shape sizes(shape.size(), 1);
    sizes[0] = shape[0];
    std::vector<int64_t> axes(shape.size() - 1);
    std::iota(axes.begin(), axes.end(), 1);
    const Tensor v = Weight(shape);
    const ir::Dims dims = ToDims(sizes);
    std::vector<ValueId> inputs = {v.id};
    std::vector<ir::Attribute> attributes;
    if (b_.graph.opset >= kAxesInputOpset) {
      inputs.push_back(b_.Ints(Name("axes"), axes));
    } else {
      attributes.push_back({"axes", passes::IntList(axes)});
    }
    const ValueId norm = b_.Node("ReduceL2", inputs, Name("n"), dims, ir::DType::kFloat32, std::move(attributes));
    const ValueId ratio = b_.Node("Div", {Weight(sizes).id, norm}, Name("r"), dims);
    return b_.Node("Mul", {v.id, ratio}, Name("m"), ToDims(shape));
  }

  // Expressions that a program may write instead of an operator.
  void SpellOut(const Tensor& x) {
    rounds_ = true;
    const ir::Dims dims = ToDims(x.shape);
    const auto node = [&](const char* op, const std::vector<ValueId>& inputs) {
      return b_.Node(op, inputs, Name("s"), dims);
    };
    if (Draw(0, 2) == 0) {
      const ValueId erf = node("Erf", {node("Div", {x.id, Number(1.4142135623730951)})});
      Add("Mul", {node("Mul", {Number(0.5), x.id}), node("Add", {erf, Number(1)})}, x.shape);
      return;
    }
    Shape sizes = x.shape;
    sizes.back() = 1;
    const auto small = [&](const char* op, const std::vector<ValueId>& inputs) {
      return b_.Node(op, inputs, Name("s"), ToDims(sizes));
    };
    const bool centred = Draw(0, 1) == 0;
    const ValueId d = centred ? node("Sub", {x.id, Mean(x.id, sizes)}) : x.id;
    const ValueId root = small("Sqrt", {small("Add", {Mean(node("Mul", {d, d}), sizes), Number(0.25)})});
    const ValueId scaled = node("Mul", {node("Div", {d, root}), Weight({x.shape.back()}).id});
    if (centred) return static_cast<void>(Add("Add", {scaled, Weight({x.shape.back()}).id}, x.shape));
    tensors_.push_back({scaled, x.shape});
  }

  ValueId Number(double number) {
    return b_.Constant(Name("c"), {ir::DType::kFloat32, {}, {onnx_ops::FromFloat(static_cast<float>(number))}});
  }

  // Over the last axis.
  ValueId Mean(ValueId x, const Shape& sizes) {
    std::vector<ValueId> inputs = {x};
    std::vector<ir::Attribute> attributes;
    if (opset() >= kAxesInputOpset) {
      inputs.push_back(b_.Ints(Name("axes"), {-1}));
      b_.graph.value(inputs[1]).contents = ir::Dims{ir::Dim(-1)};
    } else {
      attributes.push_back({"axes", passes::IntList({-1})});
    }
    return b_.Node("ReduceMean", inputs, Name("s"), ToDims(sizes), ir::DType::kFloat32, std::move(attributes));
  }

  ValueId Variance(int64_t channels) {
    std::vector<float> elements(static_cast<size_t>(channels));
    for (float& element : elements) element = static_cast<float>(Draw(1, 8)) / 4;
    return b_.Weight(Name("w"), {channels},
                     {reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(float)});
  }

  // A weight in another form, or as it is.
  void AddWeight(const Tensor& x) {
    Tensor weight = Weight(x.shape);
    const char* const ops[] = {"Add", "Mul", "Sub"};
    if (std::ranges::all_of(x.shape, [&](int64_t size) { return size == x.shape[0]; })) weight = Transposed(weight);
    Add(ops[Draw(0, 2)], {x.id, weight.id}, x.shape);
  }

  // A number for each place of the last axis, computed of nothing else.
  void Positions(const Tensor& x) {
    const ir::Dims dims = {x.shape.back()};
    const std::vector<ValueId> limits = {b_.Scalar(Name("c"), 0), b_.Scalar(Name("c"), x.shape.back()),
                                         b_.Scalar(Name("c"), 1)};
    const ValueId range = opset() < 11 ? b_.Ints(Name("c"), Shape(static_cast<size_t>(x.shape.back()), 3))
                                       : b_.Node("Range", limits, Name("p"), dims, ir::DType::kInt64);
    ValueId y = b_.Node("Cast", {range}, Name("p"), dims, ir::DType::kFloat32,
                        {{"to", {static_cast<int64_t>(ir::DType::kFloat32)}}});
    const char* const ops[] = {"Neg", "Floor", "Sqrt", "Cos", "Sin", "Exp"};
    for (int left = Draw(0, 3); left > 0; --left) {
      const char* const binary[] = {"Add", "Mul", "Div"};
      y = b_.Node(binary[Draw(0, 2)], {y, Number(0.3 * Draw(1, 9))}, Name("p"), dims);
      const int op = Draw(0, 5);
      rounds_ |= op > 2;
      y = b_.Node(ops[op == 2 && left < 3 ? 1 : op], {y}, Name("p"), dims);
    }
    Add(Draw(0, 1) == 0 ? "Add" : "Mul", {x.id, y}, x.shape);
  }

  // As a causal mask is made.
  void Mask(const Tensor& x) {
    if (x.shape.size() < 2 || opset() < 14) return;
    const Shape shape = {x.shape[x.shape.size() - 2], x.shape.back()};
    const ValueId yes = b_.Constant(Name("c"), {ir::DType::kBool, {}, {1}});
    const ValueId ones =
        b_.Node("Expand", {yes, b_.Ints(Name("c"), shape)}, Name("m"), ToDims(shape), ir::DType::kBool);
    const ValueId mask = b_.Node("Trilu", {ones, b_.Scalar(Name("c"), Draw(-1, 2))}, Name("m"), ToDims(shape),
                                 ir::DType::kBool, {{"upper", {int64_t{Draw(0, 1)}}}});
    Add("Where", {mask, x.id, Number(-1.5)}, x.shape);
  }

  int opset() const { return b_.graph.opset; }

  Random random_;
  passes::GraphBuilder b_;
  std::vector<Tensor> tensors_;
  int names_ = 0;
  int last_ = 0;
  bool rounds_ = false;
};

}  // namespace

int Draw(int least, int most, Random* random) { return std::uniform_int_distribution(least, most)(*random); }

std::string RandomFloats(int64_t count, bool special, Random* random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float specials[] = {NAN, kInfinity, -kInfinity, 0.0F, -0.0F};
  std::normal_distribution<float> normal;
  std::string bytes;
  for (int64_t i = 0; i < count; ++i) {
    const float number = special && Draw(0, 3, random) == 0 ? specials[Draw(0, 4, random)] : normal(*random);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  return bytes;
}

RandomGraph MakeRandomGraph(unsigned seed) { return Maker(seed).Run(); }

}  // namespace onnxport::tests
