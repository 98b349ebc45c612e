// Internal to op_facts.cc: operators that move elements or change the shape.
#ifndef ONNXPORT_RUNTIME_ONNX_ROWS_MOVEMENT_H_
#define ONNXPORT_RUNTIME_ONNX_ROWS_MOVEMENT_H_

#include "runtime/onnx/content_rules.h"
#include "runtime/onnx/evaluate_rules.h"
#include "runtime/onnx/fit_rules.h"
#include "runtime/onnx/noop_rules.h"
#include "runtime/onnx/op_facts.h"
#include "runtime/onnx/size_rules.h"

namespace onnxport::onnx_ops {

inline constexpr OpFacts kViewRows[] = {
    {.op = "Flatten", .sizes = sizes::Flatten},
    {.op = "Reshape",
     .sizes = sizes::Reshape,
     .fit = fit::Reshape,
     .contents = contents::Keep,
     .evaluate = Any(evaluate::Reshape),
     .complex = ComplexForm::kShape},
    {.op = "Squeeze",
     .fit = fit::Squeeze,
     .contents = contents::Keep,
     .evaluate = Any(evaluate::Squeeze),
     .complex = ComplexForm::kAxes},
    {.op = "Unsqueeze",
     .contents = contents::Keep,
     .evaluate = Any(evaluate::Unsqueeze),
     .complex = ComplexForm::kNewAxes},
};

// Slice has nearly all facts: sizes of parts, elements of a part of a shape, parts of known tensors, and when it cuts
// nothing. If the numbers are complex, its axes must count from the front. It has no `fit`: any bounds are allowed, as
// in Python.
inline constexpr OpFacts kMovementRows[] = {
    {.op = "CenterCropPad"},
    {.op = "Col2Im", .sizes = sizes::Col2Im},
    {.op = "Compress", .sizes = sizes::Compress},
    {.op = "Concat",
     .sizes = sizes::Concat,
     .fit = fit::Concat,
     .contents = contents::Concat,
     .evaluate = Any(evaluate::Concat),
     .is_noop = noops::OneInput,
     .complex = ComplexForm::kAxis},
    {.op = "DepthToSpace"},
    {.op = "Expand",
     .grammar = fit::ExpandGrammar,
     .sizes = sizes::Expand,
     .fit = fit::Expand,
     .evaluate = Any(evaluate::Expand),
     .is_noop = noops::SameSizes,
     .complex = ComplexForm::kShape},
    {.op = "Gather", .contents = contents::Gather, .evaluate = Any(evaluate::Gather), .complex = ComplexForm::kAxis},
    {.op = "GatherElements", .evaluate = Any(evaluate::GatherElements)},
    {.op = "GatherND", .evaluate = Any(evaluate::GatherND), .complex = ComplexForm::kSame},
    {.op = "OneHot"},
    {.op = "Pad", .sizes = sizes::Pad},
    {.op = "Resize", .sizes = sizes::Resize},
    {.op = "ReverseSequence", .fit = fit::ReverseSequence},
    {.op = "Scatter", .fit = fit::Scatter},
    {.op = "ScatterElements", .fit = fit::Scatter},
    {.op = "ScatterND", .fit = fit::ScatterNd, .complex = ComplexForm::kSame},
    {.op = "Slice",
     .sizes = sizes::Slice,
     .contents = contents::Slice,
     .evaluate = Any(evaluate::Slice),
     .is_noop = noops::Whole,
     .states_wrong_symbols = true,
     .complex = ComplexForm::kSlicedAxes},
    {.op = "SpaceToDepth"},
    {.op = "Split", .sizes = sizes::Split, .fit = fit::Split, .complex = ComplexForm::kAxis},
    {.op = "TensorScatter"},
    {.op = "Tile", .sizes = sizes::Tile, .is_noop = noops::SameSizes, .complex = ComplexForm::kRepeats},
    {.op = "TopK", .sizes = sizes::TopK},
    {.op = "Transpose",
     .evaluate = Any(evaluate::Transpose),
     .is_noop = noops::InOrder,
     .complex = ComplexForm::kOrder},
    {.op = "Trilu", .evaluate = Any(evaluate::Trilu)},
    {.op = "Unique"},
    {.op = "Upsample"},
};

}  // namespace onnxport::onnx_ops

#endif  // ONNXPORT_RUNTIME_ONNX_ROWS_MOVEMENT_H_
