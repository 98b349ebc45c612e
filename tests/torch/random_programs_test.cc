// Random programs with views, writes in place, broadcasting and sizes computed of shapes, with free axes: right, or
// refused. PROGRAMS says how many, FIRST with which seed they begin.
//
// A program asks whether two tensors have the same sizes. An export sees the answer at the sizes that it tries; where
// tensors are alike at others by chance, the program does something else, and that run says nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "tests/torch/against_eager.h"
#include "tests/torch/net_differs.h"

namespace onnxport::tests {
namespace {

using torch::Tensor;
using torch::indexing::Slice;

// The same steps for the same seed, whatever the sizes.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : seed_(seed), alike_(std::make_shared<std::vector<bool>>()) {}

  std::vector<Tensor> operator()(const Tensor& x, const Tensor& y) const {
    std::mt19937 random(seed_);
    alike_->clear();
    std::vector<Tensor> pool = {x * 1, y * 1};
    const auto steps = 3 + random() % 8;
    for (size_t i = 0; i < steps; ++i) Step(&random, &pool);
    std::vector<Tensor> results;
    for (size_t i = pool.size() > 3 ? pool.size() - 3 : 0; i < pool.size(); ++i) results.push_back(pool[i] * 1);
    return results;
  }

  // The answers at these sizes to each question of the program if two tensors are alike. Nothing if it raises.
  std::optional<std::vector<bool>> AlikeWith(const std::vector<c10::IValue>& inputs) const {
    try {
      (*this)(inputs[0].toTensor().clone(), inputs[1].toTensor().clone());
    } catch (const c10::Error&) {
      return std::nullopt;
    }
    return *alike_;
  }

 private:
  void Step(std::mt19937* random, std::vector<Tensor>* pool) const {
    const auto pick = [&](uint32_t count) { return static_cast<int64_t>((*random)() % count); };
    Tensor t = (*pool)[static_cast<size_t>(pick(static_cast<uint32_t>(pool->size())))];
    const Tensor other = (*pool)[static_cast<size_t>(pick(static_cast<uint32_t>(pool->size())))];
    const int64_t kind = pick(26);
    const int64_t number = 1 + pick(3);
    const int64_t axis_pick = pick(60);
    if (t.dim() == 0 || t.dim() > 4) return pool->push_back(t.reshape({-1}));
    const int64_t axis = axis_pick % t.dim();
    const int64_t size = t.size(axis);
    const auto add = [&](const Tensor& made) { pool->push_back(made); };
    switch (kind) {
      case 0:
        return add(torch::tanh(t));
      case 1:
        return add(t.transpose(0, axis));
      case 2:
        return add(t.reshape({t.size(0), -1}));
      case 3:
        return add(t.contiguous().view({-1}));
      case 4:
        return add(t.narrow(axis, 0, size / 2));
      case 5:
        return add(t.slice(axis, size / 2));
      case 6:
        return add(t.slice(axis, 0, size, 2));
      case 7:
        return add(torch::cat({t, t * number}, axis));
      case 8:
        return add(t - t.mean({axis}, true));
      case 9:
        return add(t.sum(axis) / static_cast<double>(size));
      case 10:
        return add(t + torch::arange(t.size(-1)));
      case 11:
        return add(t * (size / 2 + number));
      case 12:
        return add(torch::zeros({size + number, t.size(-1)}, t.options()).slice(0, 0, size) + t.amax());
      case 13:
        return add(torch::where(t > 0, t, t * number));
      case 14:
        return add(t.index_select(axis, torch::arange(size / 2) * 2));
      case 15:
        return add(t.unsqueeze(axis));
      case 16:
        return add(torch::constant_pad_nd(t, {number, size % 3}, 0.5));
      case 17:
        TORCH_CHECK(t.size(0) > 0, "a quotient by the size 0");
        return add(t.reshape({t.numel() / t.size(0), t.size(0)}));
      case 18:
        return add(torch::stack({t, t.flip({axis})}, axis).flatten());
      case 19:
        t.select(axis, 0).add_(number);
        return;
      case 20:
        t.slice(axis, 0, size / 2).mul_(number);
        return;
      case 21:
        t.slice(axis, size / 2).fill_(static_cast<double>(number) / 4);
        return;
      case 22:
        t.copy_(torch::sigmoid(t));
        return;
      case 23:
        t.index_put_({Slice()}, t.neg());
        return;
      case 24:
        return add(t.chunk(2, axis)[0]);
      default:
        alike_->push_back(t.sizes() == other.sizes());
        return add(alike_->back() ? t + other : t.sum() + other);
    }
  }

  uint32_t seed_;
  std::shared_ptr<std::vector<bool>> alike_;  // of the last run; copies of a program share it
};

// Float64: what is left of a difference of nearly equal float32 numbers is rounding.
std::vector<c10::IValue> Inputs(int64_t a, int64_t b) {
  return {torch::randn({a, b, 6}, torch::kDouble), torch::randn({b, a}, torch::kDouble)};
}

uint32_t NumberIn(const char* variable, uint32_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? static_cast<uint32_t>(std::stoul(text)) : otherwise;
}

TEST(RandomPrograms, AreRightOrRefused) {
  const uint32_t count = NumberIn("PROGRAMS", 100);
  const uint32_t first = NumberIn("FIRST", 0);
  uint32_t right = 0;
  uint32_t raising = 0;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    torch::manual_seed(seed);
    const RandomProgram program(seed);
    tests::Run run = {.examples = Inputs(4, 6)};
    const auto alike = program.AlikeWith(run.examples);
    if (!alike) {
      ++raising;
      continue;
    }
    for (const auto& [a, b] : {std::pair{2, 3}, {3, 8}, {5, 5}, {7, 12}, {19, 10}}) {
      auto inputs = Inputs(a, b);
      if (program.AlikeWith(inputs) == alike) run.others.push_back(std::move(inputs));
    }
    run.options.inputs = {TensorInput("x", {Sym("a"), Sym("b"), 6}), TensorInput("y", {Sym("b"), Sym("a")})};
    const std::string differs = NetDiffers(program, run);
    right += differs.empty() ? 1 : 0;
    EXPECT_TRUE(differs.empty() || differs.starts_with("refused: ")) << differs;
    if (!differs.empty()) std::cout << "seed " << seed << ": " << differs << "\n";
  }
  std::cout << right << " of " << count << " programs are right, " << raising << " raise\n";
  EXPECT_GT(right, count * 3 / 4);
}

}  // namespace
}  // namespace onnxport::tests
