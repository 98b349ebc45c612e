// Internal to op_facts.cc: control flow, sequences, texts, and operators that make tensors from nothing.
#ifndef ONNXPORT_RUNTIME_ONNX_ROWS_OTHER_H_
#define ONNXPORT_RUNTIME_ONNX_ROWS_OTHER_H_

#include <string_view>

#include "runtime/onnx/content_rules.h"
#include "runtime/onnx/evaluate_rules.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops {

inline constexpr std::string_view kIfBlocks[] = {"then_branch", "else_branch"};
inline constexpr std::string_view kBody[] = {"body"};

inline constexpr OpFacts kOtherRows[] = {
    {.op = "Bernoulli", .random = true},
    {.op = "BlackmanWindow"},
    {.op = "CastLike"},
    {.op = "ConcatFromSequence"},
    {.op = "Constant"},
    {.op = "ConstantOfShape", .sizes = sizes::ConstantOfShape, .evaluate = Any(evaluate::ConstantOfShape)},
    {.op = "EyeLike"},
    {.op = "HammingWindow"},
    {.op = "HannWindow"},
    {.op = "If", .blocks = kIfBlocks},
    {.op = "ImageDecoder"},
    {.op = "Loop", .blocks = kBody},
    {.op = "MelWeightMatrix"},
    {.op = "Multinomial", .random = true},
    {.op = "NonZero"},
    {.op = "Optional"},
    {.op = "OptionalGetElement"},
    {.op = "OptionalHasElement"},
    {.op = "RandomNormal", .random = true},
    {.op = "RandomNormalLike", .random = true},
    {.op = "RandomUniform", .random = true},
    {.op = "RandomUniformLike", .random = true},
    {.op = "Range", .sizes = sizes::Range, .contents = contents::Range, .evaluate = Any(evaluate::Range)},
    {.op = "RegexFullMatch"},
    {.op = "Scan", .blocks = kBody},
    {.op = "SequenceAt"},
    {.op = "SequenceConstruct"},
    {.op = "SequenceEmpty"},
    {.op = "SequenceErase"},
    {.op = "SequenceInsert"},
    {.op = "SequenceLength"},
    {.op = "SequenceMap", .blocks = kBody},
    {.op = "Shape", .contents = contents::Shape, .evaluate = Any(evaluate::Shape), .complex = ComplexForm::kSizes},
    {.op = "Size", .contents = contents::Size, .evaluate = Any(evaluate::Size)},
    {.op = "SplitToSequence", .sizes = sizes::SplitToSequence},
    {.op = "StringConcat"},
    {.op = "StringNormalizer"},
    {.op = "StringSplit"},
    {.op = "TfIdfVectorizer"},
};

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ROWS_OTHER_H_
