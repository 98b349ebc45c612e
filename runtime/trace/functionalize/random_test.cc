// Random programs of views and writes: what a machine with memory computes must be what the rewritten graph computes.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "gtest/gtest.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/testing/aten_program.h"

namespace onnxport::functionalize::random_test {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::ValueId;
using Sizes = std::vector<int64_t>;

int64_t Product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

Sizes Strides(const Sizes& sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

// Calls f with every index.
template <typename F>
void ForEach(const Sizes& sizes, const F& f) {
  Sizes index(sizes.size(), 0);
  for (int64_t n = 0; n < Product(sizes); ++n) {
    f(index);
    for (size_t i = sizes.size(); i-- > 0 && ++index[i] == sizes[i];) index[i] = 0;
  }
}

// ---- the machine with memory ----

struct View {
  std::shared_ptr<std::vector<int64_t>> memory;
  Sizes sizes;
  Sizes strides;
  int64_t offset = 0;

  int64_t& at(const Sizes& index) const {
    int64_t place = offset;
    for (size_t i = 0; i < index.size(); ++i) place += index[i] * strides[i];
    return (*memory)[static_cast<size_t>(place)];
  }
  std::vector<int64_t> Contents() const {
    std::vector<int64_t> contents;
    ForEach(sizes, [&](const Sizes& index) { contents.push_back(at(index)); });
    return contents;
  }
};

View Fresh(const Sizes& sizes, std::vector<int64_t> contents) {
  return {std::make_shared<std::vector<int64_t>>(std::move(contents)), sizes, Strides(sizes)};
}

// ---- the machine without memory: evaluates the rewritten graph ----

Sizes Ints(const Arg& arg) {
  Sizes ints;
  for (const Arg& element : *arg.list()) ints.push_back(std::get<int64_t>(element.v));
  return ints;
}

class Evaluator {
 public:
  std::map<ValueId, View> values;

  void Run(const ir::Graph& graph) {
    for (const ir::Node& node : graph.body.nodes) Step(node);
  }

 private:
  const View& In(const ir::Node& node, size_t i) const { return values.at(*node.inputs[i].value()); }
  static int64_t Int(const ir::Node& node, size_t i) { return std::get<int64_t>(node.inputs[i].v); }

  static View Slice(View v, int64_t dim, int64_t begin, int64_t end, int64_t step) {
    const auto d = static_cast<size_t>(dim);
    end = std::min(end, v.sizes[d]);
    v.offset += begin * v.strides[d];
    v.sizes[d] = (end - begin + step - 1) / step;
    v.strides[d] *= step;
    return v;
  }
  static View Select(View v, int64_t dim, int64_t index) {
    v.offset += index * v.strides[static_cast<size_t>(dim)];
    v.sizes.erase(v.sizes.begin() + dim);
    v.strides.erase(v.strides.begin() + dim);
    return v;
  }
  static View Copy(const View& v) { return Fresh(v.sizes, v.Contents()); }
  static View Reshaped(const View& v, Sizes sizes) {
    const int64_t known = -Product(sizes);
    for (int64_t& size : sizes) size = size == -1 ? Product(v.sizes) / known : size;
    return Fresh(sizes, v.Contents());
  }
  // A copy of the base with a view of it overwritten.
  template <typename F>
  static View Scatter(const View& base, const View& part, const F& view) {
    const View copy = Copy(base);
    const View target = view(copy);
    EXPECT_EQ(target.sizes, part.sizes);
    ForEach(part.sizes, [&](const Sizes& index) { target.at(index) = part.at(index); });
    return copy;
  }

  void Step(const ir::Node& node) {
    const std::string op = node.op.text().substr(6);  // without the namespace
    View result;
    if (op == "split_with_sizes") {
      int64_t begin = 0;
      const Sizes sizes = Ints(node.inputs[1]);
      for (size_t i = 0; i < sizes.size(); begin += sizes[i++]) {
        values[node.outputs[i]] = Copy(Slice(In(node, 0), Int(node, 2), begin, begin + sizes[i], 1));
      }
      return;
    }
    if (op == "view" || op == "reshape") {
      result = Reshaped(In(node, 0), Ints(node.inputs[1]));
    } else if (op == "select.int") {
      result = Copy(Select(In(node, 0), Int(node, 1), Int(node, 2)));
    } else if (op == "slice.Tensor") {
      result = Copy(Slice(In(node, 0), Int(node, 1), Int(node, 2), Int(node, 3), Int(node, 4)));
    } else if (op == "transpose.int") {
      View v = In(node, 0);
      std::swap(v.sizes[static_cast<size_t>(Int(node, 1))], v.sizes[static_cast<size_t>(Int(node, 2))]);
      std::swap(v.strides[static_cast<size_t>(Int(node, 1))], v.strides[static_cast<size_t>(Int(node, 2))]);
      result = Copy(v);
    } else if (op == "permute") {
      View v = In(node, 0);
      const View from = v;
      const Sizes dims = Ints(node.inputs[1]);
      for (size_t i = 0; i < dims.size(); ++i) {
        v.sizes[i] = from.sizes[static_cast<size_t>(dims[i])];
        v.strides[i] = from.strides[static_cast<size_t>(dims[i])];
      }
      result = Copy(v);
    } else if (op == "unsqueeze") {
      Sizes sizes = In(node, 0).sizes;
      sizes.insert(sizes.begin() + Int(node, 1), 1);
      result = Reshaped(In(node, 0), sizes);
    } else if (op == "squeeze.dim") {
      Sizes sizes = In(node, 0).sizes;
      sizes.erase(sizes.begin() + Int(node, 1));
      result = Reshaped(In(node, 0), sizes);
    } else if (op == "detach" || op == "contiguous" || op == "cast") {
      result = Copy(In(node, 0));
    } else if (op == "slice_scatter") {
      result = Scatter(In(node, 0), In(node, 1),
                       [&](const View& v) { return Slice(v, Int(node, 2), Int(node, 3), Int(node, 4), Int(node, 5)); });
    } else if (op == "select_scatter") {
      result = Scatter(In(node, 0), In(node, 1), [&](const View& v) { return Select(v, Int(node, 2), Int(node, 3)); });
    } else if (op == "copy") {
      result = Copy(In(node, 1));
    } else if (op == "fill.Scalar") {
      result =
          Fresh(In(node, 0).sizes, std::vector<int64_t>(static_cast<size_t>(Product(In(node, 0).sizes)), Int(node, 1)));
    } else if (op == "mul.Tensor" || op == "add.Tensor") {
      const bool add = op == "add.Tensor";
      const View other = node.inputs[1].value() != nullptr ? In(node, 1) : View();
      result = Copy(In(node, 0));
      ForEach(result.sizes, [&](const Sizes& index) {
        const int64_t by = other.memory ? other.at(index) : Int(node, 1);
        result.at(index) = add ? result.at(index) + by : result.at(index) * by;
      });
    } else {
      FAIL() << "the graph has " << node.op.text();
    }
    values[node.outputs[0]] = result;
  }
};

// ---- programs ----

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {
    const Sizes sizes = {2, 3, 4};
    std::vector<int64_t> contents(24);
    std::iota(contents.begin(), contents.end(), 1);
    input_ = Fresh(sizes, contents);
    const ValueId x = program_.Input("x", {2, 3, 4}, ir::DType::kInt64);
    inputs_ = Fresh(sizes, contents);
    tensors_.emplace_back(x, input_);
  }

  void Make(int steps) {
    for (int i = 0; i < steps; ++i) Below(5) < 3 ? AddView() : AddWrite();
  }

  // Compares all tensors at the end of both machines.
  void Check(const std::string& what) {
    for (const auto& [id, view] : tensors_) program_.Output({id});
    const auto tracer = pt2::Replay(program_.graph, 18);
    ASSERT_TRUE(tracer->findings().failures().empty()) << what << ": " << tracer->findings().failures()[0].reason.text;
    const ir::Graph& graph = tracer->source();
    Evaluator evaluator;
    evaluator.values[graph.body.inputs[0]] = inputs_;
    evaluator.Run(graph);
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const View& got = evaluator.values.at(*graph.body.outputs[i].value());
      ASSERT_EQ(got.sizes, tensors_[i].second.sizes) << what << " tensor " << i << "\n" << ir::ToText(graph);
      ASSERT_EQ(got.Contents(), tensors_[i].second.Contents()) << what << " tensor " << i << "\n" << ir::ToText(graph);
    }
  }

 private:
  int64_t Below(int64_t end) { return std::uniform_int_distribution<int64_t>(0, end - 1)(random_); }
  std::string Name() { return "t" + std::to_string(next_++); }
  const std::pair<ValueId, View>& Any() {
    return tensors_[static_cast<size_t>(Below(static_cast<int64_t>(tensors_.size())))];
  }

  static ir::Dims DimsOf(const Sizes& sizes) { return {sizes.begin(), sizes.end()}; }
  static Arg ListOf(const Sizes& sizes) {
    ArgList list;
    for (const int64_t size : sizes) list.push_back({size});
    return {list};
  }

  void Add(const std::string& op, std::vector<Arg> args, const View& view) {
    const ValueId id =
        program_.Call(op, std::move(args), DimsOf(view.sizes), Name(), ir::DType::kInt64, DimsOf(view.strides));
    tensors_.emplace_back(id, view);
  }

  void AddView() {
    const auto [base, from] = Any();
    View v = from;
    const auto rank = static_cast<int64_t>(from.sizes.size());
    if (rank == 0) return;
    const int64_t dim = Below(rank);
    const auto d = static_cast<size_t>(dim);
    switch (Below(9)) {
      case 0: {
        const int64_t index = Below(v.sizes[d]);
        v.offset += index * v.strides[d];
        v.sizes.erase(v.sizes.begin() + dim);
        v.strides.erase(v.strides.begin() + dim);
        return Add("aten::select.int", {{base}, {dim}, {index}}, v);
      }
      case 1: {
        const int64_t begin = Below(v.sizes[d]);
        const int64_t step = 1 + Below(2);
        v.offset += begin * v.strides[d];
        v.sizes[d] = (v.sizes[d] - begin + step - 1) / step;
        v.strides[d] *= step;
        return Add("aten::slice.Tensor", {{base}, {dim}, {begin}, {INT64_MAX}, {step}}, v);
      }
      case 2: {
        const int64_t other = Below(rank);
        std::swap(v.sizes[d], v.sizes[static_cast<size_t>(other)]);
        std::swap(v.strides[d], v.strides[static_cast<size_t>(other)]);
        return Add("aten::transpose.int", {{base}, {dim}, {other}}, v);
      }
      case 3: {
        Sizes order(from.sizes.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random_);
        for (size_t i = 0; i < order.size(); ++i) {
          v.sizes[i] = from.sizes[static_cast<size_t>(order[i])];
          v.strides[i] = from.strides[static_cast<size_t>(order[i])];
        }
        return Add("aten::permute", {{base}, ListOf(order)}, v);
      }
      case 4: {
        v.sizes.insert(v.sizes.begin() + dim, 1);
        v.strides.insert(v.strides.begin() + dim, 1);
        return Add("aten::unsqueeze", {{base}, {dim}}, v);
      }
      case 5:
        return Add("aten::detach", {{base}}, v);
      case 6: {  // a view where the layout allows it, else a copy
        const bool row_major = from.strides == Strides(from.sizes);
        const Sizes flat = {Product(from.sizes)};
        if (row_major) {
          v.sizes = flat;
          v.strides = {1};
        } else {
          v = Fresh(flat, from.Contents());
        }
        // Other layouts that allow a view (a stepped row) are left to the strides test.
        if (!row_major &&
            (rank == 1 || std::count(from.sizes.begin(), from.sizes.end(), 1) > 0 || Product(from.sizes) < 4))
          return;
        if (!row_major && Mergeable(from)) return;
        return Add("aten::reshape", {{base}, ListOf({-1})}, v);
      }
      case 7: {
        const bool row_major = from.strides == Strides(from.sizes);
        if (std::count(from.sizes.begin(), from.sizes.end(), 1) > 0) return;
        return Add("aten::contiguous", {{base}, {ir::Word{"contiguous_format"}}},
                   row_major ? from : Fresh(from.sizes, from.Contents()));
      }
      default: {
        const int64_t first = Below(v.sizes[d] + 1);
        if (first == 0 || first == v.sizes[d]) return;
        View rest = v;
        rest.offset += first * v.strides[d];
        rest.sizes[d] -= first;
        v.sizes[d] = first;
        const std::vector<ValueId> ids =
            program_.CallMany("aten::split_with_sizes", {{base}, ListOf({first, rest.sizes[d]}), {dim}},
                              {DimsOf(v.sizes), DimsOf(rest.sizes)}, Name());
        for (size_t i = 0; i < 2; ++i) {
          const View& piece = i == 0 ? v : rest;
          program_.graph.value(ids[i]).strides = DimsOf(piece.strides);
          program_.graph.value(ids[i]).dtype = ir::DType::kInt64;
          tensors_.emplace_back(ids[i], piece);
        }
      }
    }
  }

  // All of it lies at equal steps.
  static bool Mergeable(const View& v) {
    for (size_t i = 1; i < v.sizes.size(); ++i) {
      if (v.strides[i - 1] != v.strides[i] * v.sizes[i]) return false;
    }
    return true;
  }

  void AddWrite() {
    const auto [target, view] = Any();
    switch (Below(4)) {
      case 0:
        ForEach(view.sizes, [&, v = view](const Sizes& index) { v.at(index) *= 3; });
        return Add("aten::mul_.Tensor", {{target}, {3}}, view);
      case 1:
        ForEach(view.sizes, [&, v = view](const Sizes& index) { v.at(index) = 7; });
        return Add("aten::fill_.Scalar", {{target}, {7}}, view);
      case 2: {
        const auto [source, from] = Any();
        if (from.sizes != view.sizes) return;
        const View before = Fresh(from.sizes, from.Contents());
        if (from.memory == view.memory && !(from.offset == view.offset && from.strides == view.strides))
          return;  // overlap is undefined
        ForEach(view.sizes, [&, v = view](const Sizes& index) { v.at(index) = before.at(index); });
        return Add("aten::copy_", {{target}, {source}, {false}}, view);
      }
      default: {
        const auto [other, from] = Any();
        if (from.sizes != view.sizes || from.memory == view.memory) return;
        ForEach(view.sizes, [&, v = view, f = from](const Sizes& index) { v.at(index) += f.at(index); });
        return Add("aten::add.out", {{target}, {other}, {1}, {target}}, view);
      }
    }
  }

  std::mt19937 random_;
  AtenProgram program_;
  View input_;   // changes
  View inputs_;  // as given
  std::vector<std::pair<ValueId, View>> tensors_;
  int next_ = 0;
};

TEST(FunctionalizeRandomly, ComputesWhatMemoryWould) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    generator.Make(static_cast<int>(4 + seed % 20));
    generator.Check("seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace onnxport::functionalize::random_test
