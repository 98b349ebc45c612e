// Programs that are built with -fopenmp: threads of theirs that work on the run's tensors.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "onnxport/torch_export.h"
#include "tests/torch/against_eager.h"

namespace onnxport::tests {
namespace {

using at::Tensor;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using Function = std::function<Tensor(const Tensor&)>;

constexpr int64_t kRows = 4;

TorchProgram ProgramOf(const Function& function) {
  return {
      .run = [function](const std::vector<c10::IValue>& arguments) { return function(arguments.at(0).toTensor()); }};
}

Tensor RowsByParallelFor(const Tensor& x) {
  std::vector<Tensor> rows(kRows);
  at::parallel_for(0, kRows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) rows[static_cast<size_t>(i)] = at::sigmoid(x.select(0, i));
  });
  return at::stack(rows);
}

Tensor SlicesByParallelFor(const Tensor& x) {
  Tensor y = at::empty_like(x);
  at::parallel_for(0, kRows, 1,
                   [&](int64_t begin, int64_t end) { y.slice(0, begin, end).copy_(x.slice(0, begin, end) * 2); });
  return y;
}

Tensor RowsByPragma(const Tensor& x) {
  std::vector<Tensor> rows(kRows);
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int64_t i = 0; i < kRows; ++i) rows[static_cast<size_t>(i)] = at::tanh(x.select(0, i));
  return at::stack(rows);
}

// No operator is called: numbers are read and written.
Tensor MemoryByPragma(const Tensor& x) {
  Tensor y = at::zeros({kRows});
  float* to = y.data_ptr<float>();
  const float* from = x.data_ptr<float>();
#pragma omp parallel for num_threads(2)
  for (int64_t i = 0; i < kRows; ++i) to[i] = 2 * from[i * x.stride(0)];
  return y + x.select(1, 0);
}

TEST(OpenMp, WorkOfOtherThreadsOnTheRunsTensorsIsRefused) {
#ifndef _OPENMP
  FAIL() << "this test is built without -fopenmp";
#endif
  at::set_num_threads(2);
  const struct {
    Function program;
    const char* op;
    const char* text;  // a regular expression
  } kCases[] = {
      {RowsByParallelFor, "aten::", "E0117.*called by another thread"},
      // The scheduler decides whether the other thread's call is seen first, or the memory that it wrote.
      {SlicesByParallelFor,
       "aten::", "E0117.*called by another thread|E0116.*written to by something else than an operator"},
      {RowsByPragma, "aten::", "E0117.*called by another thread"},
      {MemoryByPragma, "constant_0", "read from their memory"},
  };
  ExportOptions free;
  free.inputs = {TensorInput("x", {kRows, Sym("n")})};
  for (const auto& test : kCases) {
    for (const ExportOptions& options : {ExportOptions(), free}) {
      const auto model = ExportProgram(ProgramOf(test.program), {at::rand({kRows, 3})}, options);
      ASSERT_FALSE(model) << test.text;
      if (options.inputs.empty()) {
        EXPECT_THAT(model.error().TextWithCodes(), AllOf(HasSubstr(test.op), ContainsRegex(test.text)));
      }
    }
  }
}

// One thread does it all, as without -fopenmp.
TEST(OpenMp, OneThreadIsRecorded) {
  at::set_num_threads(1);
  for (const Function& program : {Function(RowsByParallelFor), Function(SlicesByParallelFor)}) {
    EXPECT_EQ(Differs(ProgramOf(program), {.examples = {at::rand({kRows, 3})}}), "");
  }
}

}  // namespace
}  // namespace onnxport::tests
