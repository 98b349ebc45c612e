#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"
#include "runtime/model/passes/passes.h"
#include "runtime/model/serializer/serializer.h"
#include "runtime/trace/tracer.h"
#include "tests/ort/client.h"

namespace onnxport::trace {
namespace {

using ir::Arg;
using ir::ValueId;
using Sizes = std::vector<int64_t>;

// ---- programs ----

// A variable has one shape throughout.
const std::vector<Sizes> kShapes = {{2, 3}, {2, 3}, {2, 3}, {3}, {3}, {3, 2}, {6}, {2}, {2, 2}, {2, 2}};
constexpr int kConditions = 3;
constexpr int kCounts = 2;

struct Stmt {
  enum class Kind {
    kName,       // v = u
    kScale,      // v = u * number
    kAdd,        // v = u + w
    kSelect,     // v = u[:, number] or u[number]
    kTranspose,  // v = u.t()
    kReshape,    // v = u.reshape(shape of v)
    kSlice,      // v = u[:, ::2] or u[::2]
    kSelectAt,   // v = u[:, i] or u[i], where the size is 3 and i counts the iterations
    kClone,      // v = u.clone()
    kDense,      // v = u.contiguous()
    kAddTo,      // u.add_(number)
    kMultiply,   // u.mul_(w)
    kFill,       // u.fill_(number)
    kCopyTo,     // u.copy_(w)
    kIf,         // on condition `number`
    kLoop,       // count `number` times
  };
  Kind kind = Kind::kName;
  size_t v = 0;
  size_t u = 0;
  size_t w = 0;
  int64_t axis = 0;
  int64_t number = 0;
  std::vector<Stmt> body = {};
  std::vector<Stmt> orelse = {};
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::vector<Stmt> Make(int count, int depth, bool looping = false) {
    std::vector<Stmt> all;
    for (int i = 0; i < count; ++i) all.push_back(One(depth, looping));
    return all;
  }

 private:
  int64_t Pick(int64_t below) { return static_cast<int64_t>(random_() % static_cast<unsigned>(below)); }
  size_t Variable() { return static_cast<size_t>(Pick(static_cast<int64_t>(kShapes.size()))); }
  // Another variable of the shape.
  size_t Like(const Sizes& shape) {
    while (true) {
      const size_t variable = Variable();
      if (kShapes[variable] == shape) return variable;
    }
  }

  Stmt One(int depth, bool looping) {
    using K = Stmt::Kind;
    constexpr K kPlain[] = {K::kName,  K::kScale, K::kAdd,    K::kClone,  K::kDense,   K::kAddTo,
                            K::kAddTo, K::kFill,  K::kCopyTo, K::kCopyTo, K::kMultiply};
    constexpr int64_t kPlainCount = std::size(kPlain);
    constexpr int64_t kViews = 5;
    Stmt stmt;
    stmt.u = Variable();
    const Sizes& shape = kShapes[stmt.u];
    stmt.number = Pick(3) + 1;
    stmt.v = Like(shape);
    stmt.w = Like(shape);
    const int64_t what = Pick(kPlainCount + kViews + (depth > 0 ? 4 : 0));
    if (what < kPlainCount) {
      stmt.kind = kPlain[what];
    } else if (what < kPlainCount + kViews) {
      View(&stmt, looping);
    } else if (what % 2 == 0) {
      stmt.kind = K::kIf;
      stmt.number = Pick(kConditions);
      stmt.body = Make(static_cast<int>(Pick(4)), depth - 1, looping);
      stmt.orelse = Make(static_cast<int>(Pick(4)), depth - 1, looping);
    } else {
      stmt.kind = K::kLoop;
      stmt.number = Pick(kCounts);
      stmt.body = Make(static_cast<int>(Pick(4)) + 1, depth - 1, true);
    }
    return stmt;
  }

  void View(Stmt* stmt, bool looping) {
    const Sizes& shape = kShapes[stmt->u];
    const size_t rank = shape.size();
    stmt->axis = Pick(static_cast<int64_t>(rank));
    const int64_t size = shape[static_cast<size_t>(stmt->axis)];
    const int64_t form = rank == 2 ? Pick(4) : 3;
    Sizes left = shape;
    if (form == 0 && looping && size == 3) {
      stmt->kind = Stmt::Kind::kSelectAt;
      left.erase(left.begin() + stmt->axis);
    } else if (form == 0) {
      stmt->kind = Stmt::Kind::kSelect;
      stmt->number = Pick(size);
      left.erase(left.begin() + stmt->axis);
    } else if (form == 1) {
      stmt->kind = Stmt::Kind::kTranspose;
      std::swap(left[0], left[1]);
    } else if (form == 2 && size == 3) {
      stmt->kind = Stmt::Kind::kSlice;
      left[static_cast<size_t>(stmt->axis)] = 2;
    } else {
      stmt->kind = Stmt::Kind::kReshape;
      const Sizes six[] = {{6}, {2, 3}, {3, 2}};
      if (shape == Sizes{6} || (rank == 2 && shape != Sizes{2, 2})) left = six[Pick(3)];
    }
    stmt->v = Like(left);
  }

  std::mt19937 random_;
};

// ---- the machine with memory ----

struct Tensor {
  std::shared_ptr<std::vector<float>> memory;
  Sizes sizes;
  Sizes strides;
  int64_t offset = 0;

  std::vector<float*> Elements() const {
    std::vector<float*> elements;
    const int64_t rows = sizes.size() == 2 ? sizes[0] : 1;
    const int64_t row = sizes.size() == 2 ? strides[0] : 0;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < sizes.back(); ++j) {
        elements.push_back(&(*memory)[static_cast<size_t>(offset + i * row + j * strides.back())]);
      }
    }
    return elements;
  }
  bool row_major() const { return strides.back() == 1 && (sizes.size() == 1 || strides[0] == sizes[1]); }
};

Sizes RowMajor(const Sizes& sizes) { return sizes.size() == 2 ? Sizes{sizes[1], 1} : Sizes{1}; }

Tensor Fresh(const Sizes& sizes, const std::function<float(size_t)>& element) {
  Tensor tensor{std::make_shared<std::vector<float>>(), sizes, RowMajor(sizes)};
  const size_t count = static_cast<size_t>(sizes.size() == 2 ? sizes[0] * sizes[1] : sizes[0]);
  for (size_t i = 0; i < count; ++i) tensor.memory->push_back(element(i));
  return tensor;
}

struct Choices {
  std::vector<bool> conditions;
  std::vector<int64_t> counts;
};

class Machine {
 public:
  explicit Machine(const Choices& run) : run_(run) {}
  std::vector<Tensor> variables;

  void Execute(const std::vector<Stmt>& body) {
    for (const Stmt& stmt : body) Execute(stmt);
  }

 private:
  static Tensor Select(const Tensor& u, size_t axis, int64_t index) {
    Tensor view = u;
    view.offset += index * u.strides[axis];
    view.sizes.erase(view.sizes.begin() + static_cast<std::ptrdiff_t>(axis));
    view.strides.erase(view.strides.begin() + static_cast<std::ptrdiff_t>(axis));
    return view;
  }

  void Execute(const Stmt& stmt) {
    const Tensor u = variables[stmt.u];
    const auto axis = static_cast<size_t>(stmt.axis);
    const auto from = u.Elements();
    const auto with = variables[stmt.w].Elements();
    const auto number = static_cast<float>(stmt.number);
    switch (stmt.kind) {
      case Stmt::Kind::kName:
        variables[stmt.v] = u;
        return;
      case Stmt::Kind::kScale:
        variables[stmt.v] = Elementwise(u, [&](size_t i) { return *from[i] * number; });
        return;
      case Stmt::Kind::kAdd:
        variables[stmt.v] = Elementwise(u, [&](size_t i) { return *from[i] + *with[i]; });
        return;
      case Stmt::Kind::kSelect:
        variables[stmt.v] = Select(u, axis, stmt.number);
        return;
      case Stmt::Kind::kSelectAt:
        variables[stmt.v] = Select(u, axis, iteration_);
        return;
      case Stmt::Kind::kSlice: {
        Tensor view = u;
        view.sizes[axis] = 2;
        view.strides[axis] *= 2;
        variables[stmt.v] = view;
        return;
      }
      case Stmt::Kind::kClone:
        variables[stmt.v] = Elementwise(u, [&](size_t i) { return *from[i]; });
        return;
      case Stmt::Kind::kDense:
        variables[stmt.v] = u.row_major() ? u : Fresh(u.sizes, [&](size_t i) { return *from[i]; });
        return;
      case Stmt::Kind::kTranspose: {
        Tensor view = u;
        std::swap(view.sizes[0], view.sizes[1]);
        std::swap(view.strides[0], view.strides[1]);
        variables[stmt.v] = view;
        return;
      }
      case Stmt::Kind::kReshape:
        Reshape(stmt, u);
        return;
      case Stmt::Kind::kAddTo:
        for (float* element : from) *element += number;
        return;
      case Stmt::Kind::kFill:
        for (float* element : from) *element = number;
        return;
      case Stmt::Kind::kMultiply: {
        std::vector<float> product;
        for (size_t i = 0; i < from.size(); ++i) product.push_back(*from[i] * *with[i]);
        for (size_t i = 0; i < from.size(); ++i) *from[i] = product[i];
        return;
      }
      case Stmt::Kind::kCopyTo: {
        std::vector<float> copy;
        for (const float* element : with) copy.push_back(*element);
        for (size_t i = 0; i < from.size(); ++i) *from[i] = copy[i];
        return;
      }
      case Stmt::Kind::kIf:
        return Execute(run_.conditions[static_cast<size_t>(stmt.number)] ? stmt.body : stmt.orelse);
      case Stmt::Kind::kLoop: {
        const int64_t outer = iteration_;
        for (int64_t i = 0; i < run_.counts[static_cast<size_t>(stmt.number)]; ++i) {
          iteration_ = i;
          Execute(stmt.body);
        }
        iteration_ = outer;
        return;
      }
    }
  }

  // Results keep the order of the first argument's axes in memory.
  static Tensor Elementwise(const Tensor& a, const std::function<float(size_t)>& element) {
    Tensor result = Fresh(a.sizes, element);
    if (a.sizes.size() < 2 || a.strides[0] >= a.strides[1]) return result;
    Tensor turned = result;
    turned.memory = std::make_shared<std::vector<float>>(*result.memory);
    turned.strides = {1, a.sizes[0]};
    const auto to = turned.Elements();
    const auto from = result.Elements();
    for (size_t i = 0; i < to.size(); ++i) *to[i] = *from[i];
    return turned;
  }

  // A view of what is row-major or keeps its shape, else a copy.
  void Reshape(const Stmt& stmt, const Tensor& u) {
    const Sizes& shape = kShapes[stmt.v];
    Tensor result = u;
    if (shape != u.sizes) {
      const auto from = u.Elements();
      if (!u.row_major()) result = Fresh(shape, [&](size_t i) { return *from[i]; });
      result.sizes = shape;
      result.strides = RowMajor(shape);
    }
    variables[stmt.v] = result;
  }

  const Choices& run_;
  int64_t iteration_ = 0;
};

// ---- the same through the tracer ----

class Walker {
 public:
  explicit Walker(Tracer* tracer) : tracer_(*tracer) {}
  std::vector<ValueId> variables;
  std::vector<ValueId> conditions;
  std::vector<ValueId> counts;

  void Execute(const std::vector<Stmt>& body) {
    for (const Stmt& stmt : body) Execute(stmt);
  }

 private:
  ValueId Call(const std::string& op, std::vector<Arg> args) { return *tracer_.Call(op, std::move(args))[0].value(); }

  void Execute(const Stmt& stmt) {
    ir::Location location;
    location.at = ir::MakeLine("p", ++line_);
    tracer_.places().Set(location);
    const ValueId u = variables[stmt.u];
    const ValueId w = variables[stmt.w];
    const Arg number{static_cast<double>(stmt.number)};
    switch (stmt.kind) {
      case Stmt::Kind::kName:
        variables[stmt.v] = u;
        return;
      case Stmt::Kind::kScale:
        variables[stmt.v] = Call("aten::mul.Scalar", {{u}, number});
        return;
      case Stmt::Kind::kAdd:
        variables[stmt.v] = Call("aten::add.Tensor", {{u}, {w}, {1}});
        return;
      case Stmt::Kind::kSelect:
        variables[stmt.v] = Call("aten::select.int", {{u}, {stmt.axis}, {stmt.number}});
        return;
      case Stmt::Kind::kSelectAt:
        variables[stmt.v] = Call("aten::select.int", {{u}, {stmt.axis}, {iteration_}});
        return;
      case Stmt::Kind::kSlice:
        variables[stmt.v] = Call("aten::slice.Tensor", {{u}, {stmt.axis}, {0}, {3}, {2}});
        return;
      case Stmt::Kind::kClone:
        variables[stmt.v] = Call("aten::clone", {{u}, {}});
        return;
      case Stmt::Kind::kDense:
        variables[stmt.v] = Call("aten::contiguous", {{u}, {}});
        return;
      case Stmt::Kind::kMultiply:
        EXPECT_EQ(Call("aten::mul_.Tensor", {{u}, {w}}), u);
        return;
      case Stmt::Kind::kTranspose:
        variables[stmt.v] = Call("aten::transpose.int", {{u}, {0}, {1}});
        return;
      case Stmt::Kind::kReshape: {
        ir::ArgList shape;
        for (const int64_t size : kShapes[stmt.v]) shape.push_back({size});
        variables[stmt.v] = Call("aten::reshape", {{u}, {shape}});
        return;
      }
      case Stmt::Kind::kAddTo:
        EXPECT_EQ(Call("aten::add_.Scalar", {{u}, number, {1}}), u);
        return;
      case Stmt::Kind::kFill:
        EXPECT_EQ(Call("aten::fill_.Scalar", {{u}, number}), u);
        return;
      case Stmt::Kind::kCopyTo:
        EXPECT_EQ(Call("aten::copy_", {{u}, {w}, {false}}), u);
        return;
      case Stmt::Kind::kIf:
        return Branch(stmt);
      case Stmt::Kind::kLoop:
        return Loop(stmt);
    }
  }

  Region Side(const std::vector<Stmt>& body, std::vector<ValueId>* after) {
    const std::vector<ValueId> before = variables;
    tracer_.regions().Begin();
    Execute(body);
    *after = variables;
    variables = before;
    return tracer_.regions().End();
  }

  void Branch(const Stmt& stmt) {
    std::vector<ValueId> then;
    std::vector<ValueId> otherwise;
    Region yes = Side(stmt.body, &then);
    Region no = Side(stmt.orelse, &otherwise);
    std::vector<size_t> changed;
    ir::IfSpec spec{.condition = {conditions[static_cast<size_t>(stmt.number)]}};
    for (size_t i = 0; i < variables.size(); ++i) {
      if (then[i] == variables[i] && otherwise[i] == variables[i]) continue;
      changed.push_back(i);
      spec.results.push_back({{then[i]}, {otherwise[i]}});
    }
    const auto results = tracer_.regions().If(std::move(spec), std::move(yes), std::move(no));
    for (size_t i = 0; i < changed.size(); ++i) variables[changed[i]] = *results[i].value();
  }

  void Loop(const Stmt& stmt) {
    ir::Value number;
    number.kind = ir::ValueKind::kInt;
    number.dtype = ir::DType::kInt64;
    number.dims = ir::Dims();
    std::vector<bool> carried(variables.size());
    std::vector<Region::Write> writes;
    for (int round = 0; round < 20; ++round) {
      const std::vector<ValueId> before = variables;
      std::vector<ValueId> inside = before;
      tracer_.regions().Begin();
      const ValueId iteration = tracer_.regions().BlockInput(number);
      const ValueId outer = std::exchange(iteration_, iteration);
      for (size_t i = 0; i < before.size(); ++i) {
        if (carried[i]) inside[i] = tracer_.regions().BlockInput(tracer_.TypeOf(before[i]), {before[i]});
      }
      tracer_.regions().CarryWrites(writes);
      variables = inside;
      Execute(stmt.body);
      iteration_ = outer;
      const std::vector<ValueId> after = variables;
      variables = before;
      Region body = tracer_.regions().End();
      bool again = body.writes.size() != writes.size();
      writes = body.writes;
      for (size_t i = 0; i < before.size(); ++i) {
        if (carried[i] || after[i] == before[i]) continue;
        carried[i] = true;
        again = true;
      }
      if (again && !body.failed) continue;
      ir::LoopSpec spec{.trip_count = {counts[static_cast<size_t>(stmt.number)]}, .iteration = iteration};
      for (size_t i = 0; i < before.size(); ++i) {
        if (carried[i]) spec.carried.push_back({{before[i]}, inside[i], {after[i]}});
      }
      std::vector<ir::Value> joined;
      const auto results = tracer_.regions().Loop(spec, std::move(body), &joined);
      if (!results) continue;  // it assumed of the values what no iteration keeps
      size_t next = 0;
      for (size_t i = 0; i < before.size(); ++i) {
        if (carried[i]) variables[i] = *(*results)[next++].value();
      }
      return;
    }
    FAIL() << "the loop does not settle";
  }

  Tracer& tracer_;
  ValueId iteration_ = ValueId::kNone;
  int line_ = 0;
};

// ---- both ----

ir::Value Typed(ir::ValueKind kind, ir::DType dtype, const Sizes& sizes) {
  ir::Value value;
  value.kind = kind;
  value.dtype = dtype;
  value.dims = ir::Dims(sizes.begin(), sizes.end());
  return value;
}

std::vector<Stmt> WithPrologue(std::vector<Stmt> body) {
  using K = Stmt::Kind;
  std::vector<Stmt> all = {
      {.kind = K::kScale, .v = 2, .u = 0, .number = 2},
      {.kind = K::kSelect, .v = 3, .u = 0, .axis = 0, .number = 0},
      {.kind = K::kSelect, .v = 4, .u = 1, .axis = 0, .number = 1},
      {.kind = K::kTranspose, .v = 5, .u = 2},
      {.kind = K::kReshape, .v = 6, .u = 1},
      {.kind = K::kSelect, .v = 7, .u = 2, .axis = 1, .number = 1},
      {.kind = K::kSlice, .v = 8, .u = 1, .axis = 1},
      {.kind = K::kSlice, .v = 9, .u = 5, .axis = 0},
  };
  all.insert(all.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
  return all;
}

template <typename T>
ort::Tensor Scalar(const std::string& name, ir::DType dtype, T value) {
  ort::Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.bytes.assign(reinterpret_cast<const char*>(&value), sizeof value);
  return tensor;
}

ort::Tensor Input(const std::string& name, float first) {
  ort::Tensor tensor;
  tensor.name = name;
  tensor.dtype = ir::DType::kFloat32;
  tensor.shape = {2, 3};
  for (int i = 0; i < 6; ++i) {
    const float value = first + static_cast<float>(i);
    tensor.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return tensor;
}

std::vector<float> Floats(const ort::Tensor& tensor) {
  std::vector<float> floats(tensor.bytes.size() / sizeof(float));
  std::memcpy(floats.data(), tensor.bytes.data(), tensor.bytes.size());
  return floats;
}

// Why a program of these may be refused.
constexpr const char* kReasons[] = {"may share memory with the one written by", "that has another name as well",
                                    "writes to another tensor than the one before"};

// Nothing when the program is refused.
std::optional<ir::Graph> Trace(const std::vector<Stmt>& program, std::string* source) {
  Tracer tracer(17);
  Walker walker(&tracer);
  walker.variables.resize(kShapes.size());
  walker.variables[0] = tracer.AddInput("x", Typed(ir::ValueKind::kTensor, ir::DType::kFloat32, {2, 3}));
  walker.variables[1] = tracer.AddInput("y", Typed(ir::ValueKind::kTensor, ir::DType::kFloat32, {2, 3}));
  for (int i = 0; i < kConditions; ++i) {
    walker.conditions.push_back(
        tracer.AddInput("c" + std::to_string(i), Typed(ir::ValueKind::kBool, ir::DType::kBool, {})));
  }
  for (int i = 0; i < kCounts; ++i) {
    walker.counts.push_back(
        tracer.AddInput("n" + std::to_string(i), Typed(ir::ValueKind::kInt, ir::DType::kInt64, {})));
  }
  for (size_t i = 2; i < kShapes.size(); ++i) walker.variables[i] = walker.variables[0];
  walker.Execute(program);
  for (size_t i = 0; i < kShapes.size(); ++i) tracer.AddOutput("o" + std::to_string(i), {walker.variables[i]});
  *source = ir::ToText(tracer.source());
  for (const record::Failure& failure : tracer.findings().failures()) {
    const bool known = std::ranges::any_of(
        kReasons, [&](const char* reason) { return failure.reason.text.find(reason) != std::string::npos; });
    EXPECT_TRUE(known) << failure.op.text() << ": " << failure.reason.text << "\n" << *source;
    *source += failure.op.text() + ": " + failure.reason.text + "\n";
  }
  if (!tracer.findings().failures().empty()) return std::nullopt;
  return tracer.TakeGraph();
}

TEST(RandomPrograms, ComputeWhatAMachineWithMemoryComputes) {
  constexpr unsigned kPrograms = 1500;
  const Choices runs[] = {{{true, false, true}, {0, 3}}, {{false, true, false}, {2, 1}}, {{true, true, false}, {1, 0}}};
  const std::string path = testing::TempDir() + "/trace." + std::to_string(getpid()) + ".onnx";
  int kept = 0;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const std::vector<Stmt> program = WithPrologue(Maker(seed).Make(3 + static_cast<int>(seed % 6), 2));
    std::string source;
    auto graph = Trace(program, &source);
    if (!graph) continue;
    ++kept;
    passes::Run(&*graph);
    serializer::Write(*graph, path);
    for (const Choices& run : runs) {
      Machine machine(run);
      const ort::Tensor x = Input("x", 1);
      const ort::Tensor y = Input("y", 100);
      machine.variables.resize(kShapes.size());
      machine.variables[0] = Fresh({2, 3}, [](size_t i) { return 1 + static_cast<float>(i); });
      machine.variables[1] = Fresh({2, 3}, [](size_t i) { return 100 + static_cast<float>(i); });
      for (size_t i = 2; i < kShapes.size(); ++i) machine.variables[i] = machine.variables[0];
      machine.Execute(program);
      ort::Request request;
      request.model_path = path;
      request.inputs = {x, y};
      for (size_t i = 0; i < run.conditions.size(); ++i) {
        request.inputs.push_back(Scalar<bool>("c" + std::to_string(i), ir::DType::kBool, run.conditions[i]));
      }
      for (size_t i = 0; i < run.counts.size(); ++i) {
        request.inputs.push_back(Scalar<int64_t>("n" + std::to_string(i), ir::DType::kInt64, run.counts[i]));
      }
      const ort::Response response = ort::ClientFor(17).Run(request);
      ASSERT_EQ(response.error, "") << "seed " << seed << "\n" << source << ir::ToText(*graph);
      ASSERT_EQ(response.outputs.size(), kShapes.size());
      for (size_t i = 0; i < kShapes.size(); ++i) {
        std::vector<float> expected;
        for (const float* element : machine.variables[i].Elements()) expected.push_back(*element);
        EXPECT_EQ(Floats(response.outputs[i]), expected) << "seed " << seed << ", variable " << i << "\n"
                                                         << source << ir::ToText(*graph);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
  std::filesystem::remove(path);
  // Programs that cannot be followed are refused; most can.
  RecordProperty("kept", kept);
  EXPECT_GT(kept, static_cast<int>(kPrograms) / 2) << "of " << kPrograms;
}

}  // namespace
}  // namespace onnxport::trace
