#include "runtime/lowering/types/elementwise.h"

#include <string_view>

namespace onnxport::lowering {
namespace {

constexpr std::string_view kElementwise =
    " Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor "
    "Cast Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid "
    "HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or "
    "Pow Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Tan Tanh "
    "ThresholdedRelu Where Xor ";

}  // namespace

bool IsElementwise(const std::string& op) { return kElementwise.find(" " + op + " ") != std::string_view::npos; }

}  // namespace onnxport::lowering
