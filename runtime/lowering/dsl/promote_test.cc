// Type promotion, against what torch.result_type answers.
#include <gtest/gtest.h>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::promote_test {
namespace {

using enum DType;

struct Operand {
  DType dtype;  // kUndefined: a host number
  int rank = 0;
  Val number = {};
};

struct Case {
  Operand a, b;
  DType standard;
  DType floating;  // with PromoteKind::kFloat
};

const Case kCases[] = {
    {{kFloat32, 1}, {kFloat64, 0}, kFloat32, kFloat32},
    {{kFloat32, 1}, {kFloat64, 1}, kFloat64, kFloat64},
    {{kInt32, 1}, {kInt64, 0}, kInt32, kFloat32},
    {{kInt32, 1}, {kFloat64, 0}, kFloat64, kFloat64},
    {{kInt32, 0}, {kInt64, 0}, kInt64, kFloat32},
    {{kUInt8, 1}, {kInt8, 1}, kInt16, kFloat32},
    {{kFloat16, 1}, {kBFloat16, 1}, kFloat32, kFloat32},
    {{kFloat16, 1}, {kUndefined, 0, 2.5}, kFloat16, kFloat16},
    {{kInt64, 1}, {kUndefined, 0, 2.5}, kFloat32, kFloat32},
    {{kUInt8, 1}, {kUndefined, 0, 3}, kUInt8, kFloat32},
    {{kBool, 1}, {kUndefined, 0, 3}, kInt64, kFloat32},
    {{kBool, 1}, {kUndefined, 0, true}, kBool, kFloat32},
    {{kBool, 1}, {kUndefined, 0, 0.5}, kFloat32, kFloat32},
    {{kFloat64, 0}, {kUndefined, 0, 0.5}, kFloat64, kFloat64},
    {{kInt32, 0}, {kUndefined, 0, 3}, kInt32, kFloat32},
    {{kBool, 0}, {kInt16, 1}, kInt16, kFloat32},
    {{kFloat32, 0}, {kInt64, 1}, kFloat32, kFloat32},
    {{kFloat64, 0}, {kFloat16, 1}, kFloat16, kFloat16},
    {{kInt64, 0}, {kBool, 1}, kInt64, kFloat32},
};

Val Make(TestGraph* test, const Operand& operand, const char* name) {
  if (operand.dtype == kUndefined) return operand.number;
  return operand.rank ? test->Input(name, operand.dtype, {"2"}) : test->Input(name, operand.dtype, {});
}

DType Promoted(const Case& c, PromoteKind kind, bool swapped) {
  TestGraph test(17);
  Val a = Make(&test, swapped ? c.b : c.a, "a");
  Val b = Make(&test, swapped ? c.a : c.b, "b");
  test.context.promote({&a, &b}, kind);
  return dtype(a.is_tensor() ? a : b).AsDType();
}

TEST(Promote, AsTorchResultType) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message() << ir::Name(c.a.dtype) << " " << ir::Name(c.b.dtype));
    for (const bool swapped : {false, true}) {
      EXPECT_EQ(Promoted(c, PromoteKind::kDefault, swapped), c.standard);
      EXPECT_EQ(Promoted(c, PromoteKind::kBool, swapped), c.standard);
      EXPECT_EQ(Promoted(c, PromoteKind::kFloat, swapped), c.floating);
    }
  }
}

TEST(Promote, KeepsNoneAndTurnsNumbers) {
  TestGraph test(17);
  Val x = test.Input("x", kFloat32, {"2"});
  Val number = 3;
  Val none;
  test.context.promote({&x, &number, &none}, PromoteKind::kDefault);
  EXPECT_TRUE(none.is_none());
  EXPECT_TRUE(number.is_float());
}

TEST(Promote, NumbersWrapInNarrowIntegers) {
  for (const auto& [dtype, number, expected] :
       {std::tuple{kUInt8, -2, 254}, {kUInt8, 300, 44}, {kInt8, 200, -56}, {kInt32, -2, -2}}) {
    TestGraph test(17);
    Val x = test.Input("x", dtype, {"2"});
    Val value = number;
    test.context.promote({&x, &value}, PromoteKind::kDefault);
    EXPECT_EQ(value.AsInt(), expected) << ir::Name(dtype) << " " << number;
  }
}

TEST(Promote, HostNumbersAloneStay) {
  TestGraph test(17);
  Val a = 1;
  Val b = 2.5;
  test.context.promote({&a, &b}, PromoteKind::kDefault);
  EXPECT_TRUE(a.is_int());
}

TEST(Promote, SizesCountAsNumbers) {
  TestGraph test(17);
  Val x = test.Input("x", kInt32, {"s"});
  Val size = dim(x, 0);
  test.context.promote({&x, &size}, PromoteKind::kDefault);
  EXPECT_EQ(dtype(size).AsDType(), kInt32);
}

TEST(Promote, RefusesWhatPyTorchDoes) {
  TestGraph test(17);
  Val a = test.Input("a", kUInt16, {"2"});
  Val b = test.Input("b", kInt32, {"2"});
  EXPECT_NE(RefusalOf([&] { test.context.promote({&a, &b}, PromoteKind::kDefault); }), "");
}

}  // namespace
}  // namespace onnxport::lowering::promote_test
