// Internal to op_facts.cc: what computes element by element, and broadcasts. PRelu does not: its slope is spread over its
// input, but not the other way round.
#ifndef ONNXPORT_RUNTIME_ONNX_ROWS_ELEMENTWISE_H_
#define ONNXPORT_RUNTIME_ONNX_ROWS_ELEMENTWISE_H_

#include "runtime/onnx/content_rules.h"
#include "runtime/onnx/evaluate_rules.h"
#include "runtime/onnx/noop_rules.h"
#include "runtime/onnx/op_facts.h"

namespace onnxport::onnx_ops {

inline constexpr OpFacts kElementwiseRows[] = {
    {.op = "Abs", .evaluate = {integers::Abs, floats::Abs}},
    {.op = "Acos"},
    {.op = "Acosh"},
    {.op = "Add", .contents = contents::Add, .evaluate = {integers::Add, floats::Add}, .neutral = 0, .commutes = true},
    {.op = "And", .evaluate = {.integers = integers::And}, .commutes = true},
    {.op = "Asin"},
    {.op = "Asinh"},
    {.op = "Atan"},
    {.op = "Atanh"},
    {.op = "BitCast"},
    {.op = "BitShift"},
    {.op = "BitwiseAnd", .commutes = true},
    {.op = "BitwiseNot", .undoes_itself = true},
    {.op = "BitwiseOr", .commutes = true},
    {.op = "BitwiseXor", .commutes = true},
    {.op = "Cast", .contents = contents::Keep, .evaluate = {integers::Cast, floats::Cast}, .is_noop = noops::SameDType},
    {.op = "Ceil", .evaluate = {.floats = floats::Ceil}},
    {.op = "Celu"},
    {.op = "Clip"},
    {.op = "Cos", .evaluate = {.floats = floats::Cos}},
    {.op = "Cosh"},
    {.op = "Div", .contents = contents::Div, .evaluate = {integers::Div, floats::Div}, .neutral = 1},
    {.op = "Elu"},
    {.op = "Equal", .evaluate = {integers::Equal, floats::Equal}, .commutes = true},
    {.op = "Erf"},
    {.op = "Exp", .evaluate = {.floats = floats::Exp}},
    {.op = "Floor", .evaluate = {.floats = floats::Floor}},
    {.op = "Gelu"},
    {.op = "Greater", .evaluate = {integers::Greater, floats::Greater}},
    {.op = "GreaterOrEqual", .evaluate = {integers::GreaterOrEqual, floats::GreaterOrEqual}},
    {.op = "HardSigmoid"},
    {.op = "HardSwish"},
    {.op = "Identity", .contents = contents::Keep, .evaluate = Any(evaluate::Identity), .is_noop = noops::Always},
    {.op = "IsInf"},
    {.op = "IsNaN"},
    {.op = "LeakyRelu"},
    {.op = "Less", .evaluate = {integers::Less, floats::Less}},
    {.op = "LessOrEqual", .evaluate = {integers::LessOrEqual, floats::LessOrEqual}},
    {.op = "Log", .evaluate = {.floats = floats::Log}},
    {.op = "Max", .contents = contents::Max, .evaluate = {.integers = integers::Max}, .commutes = true},
    {.op = "Mean", .commutes = true},
    {.op = "Min", .contents = contents::Min, .evaluate = {.integers = integers::Min}, .commutes = true},
    {.op = "Mish"},
    {.op = "Mod", .contents = contents::Mod, .evaluate = {.integers = integers::Mod}},
    {.op = "Mul", .contents = contents::Mul, .evaluate = {integers::Mul, floats::Mul}, .neutral = 1, .commutes = true},
    {.op = "Neg", .contents = contents::Neg, .evaluate = {integers::Neg, floats::Neg}, .undoes_itself = true},
    {.op = "Not", .evaluate = {.integers = integers::Not}, .undoes_itself = true},
    {.op = "Or", .evaluate = {.integers = integers::Or}, .commutes = true},
    {.op = "Pow", .evaluate = {.floats = floats::Pow}},
    {.op = "Reciprocal", .evaluate = {.floats = floats::Reciprocal}},
    {.op = "Relu"},
    {.op = "Round"},
    {.op = "Selu"},
    {.op = "Shrink"},
    {.op = "Sigmoid"},
    {.op = "Sign"},
    {.op = "Sin", .evaluate = {.floats = floats::Sin}},
    {.op = "Sinh"},
    {.op = "Softplus"},
    {.op = "Softsign"},
    {.op = "Sqrt", .evaluate = {.floats = floats::Sqrt}},
    {.op = "Sub", .contents = contents::Sub, .evaluate = {integers::Sub, floats::Sub}, .neutral = 0},
    {.op = "Sum", .commutes = true},
    {.op = "Swish"},
    {.op = "Tan"},
    {.op = "Tanh"},
    {.op = "ThresholdedRelu"},
    {.op = "Where", .evaluate = Any(evaluate::Where)},
    {.op = "Xor", .evaluate = {.integers = integers::Xor}, .commutes = true},
};

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ROWS_ELEMENTWISE_H_
