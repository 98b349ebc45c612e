// The table of functions of the spec language, for the checks, code and documentation of the generator, and for the
// runtime.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_BUILTIN_TABLE_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_BUILTIN_TABLE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/lowering/dsl/kinds.h"

namespace onnxport::lowering {

enum class Builtin {
  kRank,
  kDim,
  kDims,
  kStaticDims,
  kNumel,
  kDType,
  kAsDType,
  kIsStatic,
  kPresent,
  kIsInt,
  kIsFloat,
  kIsBool,
  kIsComplex,
  kIsSequence,
  kStaticallyTrue,
  kDecided,
  kAsComplex,
  kAsReal,
  kSized,
  kCast,
  kConst,
  kShapeTensor,
  kRange,
  kLen,
  kSplit,
  kCodes,
  kSwap,
  kRepeatTo,
  kInversePerm,
  kWithout,
  kMoveLast,
  kSorted,
  kReversed,
  kMin,
  kMax,
  kSum,
  kProduct,
  kAbs,
  kSqrt,
  kExp,
  kLog,
  kFloor,
  kCeil,
  kInt,
  kFloat,
  kFinfoMin,
  kFinfoMax,
  kIinfoMin,
  kIinfoMax,
  kAll,
  kAny,
  kZip,
  kEnumerate,
  kAxis,
  kRefuse,
  kDomain,
  kKeepsTraining,
  kKeeps,
};

struct BuiltinParam {
  std::string_view name;
  uint16_t takes = 0;                    // allowed kinds; others are refused
  uint16_t elements = kinds::kAnything;  // of a list
};

// The kind of the result.
enum class ResultRule {
  kBool,  // a C++ bool
  kInt,
  kFloat,
  kDType,
  kSize,         // an int or an unknown size
  kInts,         // a list of them
  kTexts,        // a list of them
  kSizes,        // a list of them
  kIndexTensor,  // int64
  kRealTensor,
  kComplexTensor,
  kList,      // the first argument's elements
  kAppended,  // the first argument's elements, then the second argument
  kRepeated,  // a list of the first argument, or that list
  kPairs,
  kNumbered,   // pairs of an int and an element
  kFirst,      // the first argument
  kElement,    // one of the arguments, or an element of the list
  kTotal,      // an element, or an int
  kMagnitude,  // the argument; for a bool an int
  kFunction,   // a float, or the tensor's dtype
  kWhole,      // an int, or an int64 tensor
  kReal,       // a float, or a float tensor
  kCast,       // the first argument in the dtype of the second
  kConstant,   // a tensor of the second argument's dtype
  kNothing,
};

struct BuiltinInfo {
  Builtin builtin;
  std::string_view name;  // in specs
  std::string_view cpp;   // in builtins.h or context.h
  std::array<BuiltinParam, 3> params;
  ResultRule result;
  std::string_view doc;     // its line in spec/README.md
  bool plain = false;       // it is cheap and makes no node, so it is computed even if it is not needed
  int optional = 0;         // number of last parameters that may be left out
  bool of_context = false;  // a method of Context: its arguments may have no tensor from which to find the graph

  constexpr int max_args() const {
    return static_cast<int>(std::ranges::count_if(params, [](const BuiltinParam& p) { return !p.name.empty(); }));
  }
  constexpr int min_args() const { return max_args() - optional; }
  constexpr bool returns_bool() const { return result == ResultRule::kBool; }
  // The first operand that is evaluated inside the builtin. It may throw there: that it is not decided, or not known, is
  // an answer.
  constexpr std::optional<size_t> evaluates() const {
    if (builtin == Builtin::kStaticallyTrue || builtin == Builtin::kDecided) return 0;
    return builtin == Builtin::kSized ? std::optional<size_t>(1) : std::nullopt;
  }
};

// In the order of the enumeration.
inline constexpr auto kBuiltins = [] {
  using namespace kinds;
  // clang-format off
  return std::to_array<BuiltinInfo>({
    {Builtin::kRank, "rank", "rank", {{{"t", kValue}}}, ResultRule::kInt,
     "number of dimensions; an unknown rank is refused", true},
    {Builtin::kDim, "dim", "dim", {{{"t", kTensor}, {"i", kHostNumber}}}, ResultRule::kSize,
     "one size: an int when known, else a 0-d int64 tensor"},
    {Builtin::kDims, "dims", "dims", {{{"t", kValue}}}, ResultRule::kSizes,
     "list of all sizes, each as `dim`"},
    {Builtin::kStaticDims, "static_dims", "static_dims", {{{"t", kValue}}}, ResultRule::kInts,
     "the same; an unknown size is refused"},
    {Builtin::kNumel, "numel", "numel", {{{"t", kValue}}}, ResultRule::kSize,
     "product of the sizes"},
    {Builtin::kDType, "dtype", "dtype", {{{"x", kValue}}}, ResultRule::kDType,
     "of a tensor; of a number PyTorch's default: int64, float32 or bool", true},
    {Builtin::kAsDType, "as_dtype", "as_dtype", {{{"n", kHostNumber}}}, ResultRule::kDType,
     "the dtype that has this number in PyTorch: 6 is float32. A number that no dtype has is refused"},
    {Builtin::kIsStatic, "is_static", "is_static", {{{"x", kAnything}}}, ResultRule::kBool,
     "no tensor and no unknown size in it", true},
    {Builtin::kPresent, "present", "present", {{{"x", kAnything}}}, ResultRule::kBool,
     "not None", true},
    {Builtin::kIsInt, "is_int", "is_int", {{{"x", kNone | kValue | kDType}}}, ResultRule::kBool,
     "a dtype, or the dtype of a tensor or a number, is one of integers; false for None", true},
    {Builtin::kIsFloat, "is_float", "is_float", {{{"x", kNone | kValue | kDType}}}, ResultRule::kBool,
     "the same for floats", true},
    {Builtin::kIsBool, "is_bool", "is_bool", {{{"x", kNone | kValue | kDType}}}, ResultRule::kBool,
     "the same for bool", true},
    {Builtin::kIsComplex, "is_complex", "is_complex", {{{"x", kNone | kValue | kDType}}}, ResultRule::kBool,
     "the same for complex numbers", true},
    {Builtin::kIsSequence, "is_sequence", "is_sequence", {{{"x", kAnything}}}, ResultRule::kBool,
     "a list argument came as an ONNX sequence, whose length is known only at run time"},
    {Builtin::kStaticallyTrue, "statically_true", "statically_true", {{{"condition", kAnything}}},
     ResultRule::kBool, "the condition, or false when only a run of the model would know. Nothing is assumed of sizes "
     "but what the export of a `.pt2` took for granted: take the general form where it is false", false, 0, true},
    {Builtin::kDecided, "decided", "decided", {{{"condition", kAnything}}}, ResultRule::kBool,
     "whether the condition can be answered while exporting. Like a comparison elsewhere it may take free sizes for "
     "other than 0 and 1, which becomes a note for the user", false, 0, true},
    {Builtin::kAsComplex, "as_complex", "as_complex", {{{"t", kTensor}}}, ResultRule::kComplexTensor,
     "the complex tensor whose parts are the last axis, of size 2"},
    {Builtin::kAsReal, "as_real", "as_real", {{{"t", kTensor}}}, ResultRule::kRealTensor,
     "and back"},
    {Builtin::kSized, "sized", "sized", {{{"t", kTensor | kSize}, {"sizes", kList, kNumber}}}, ResultRule::kFirst,
     "`t`, which is known to have these sizes: what ONNX's inference left open of it is stated by the list. Adds no "
     "node to the model. A size that cannot be told stays open", false, 0, true},
    {Builtin::kCast, "cast", "cast", {{{"x", kNone | kValue | kList}, {"to", kNone | kValue | kDType}}},
     ResultRule::kCast, "to a dtype, or to the dtype of a tensor; None changes nothing. A list: each element"},
    {Builtin::kConst, "const", "constant", {{{"x", kValue | kList}, {"like", kValue | kDType}}}, ResultRule::kConstant,
     "a tensor of a host value, with the dtype of `like` (a tensor or a dtype)", false, 0, true},
    {Builtin::kShapeTensor, "shape_tensor", "shape_tensor", {{{"list", kList, kNumber}}}, ResultRule::kIndexTensor,
     "a 1-d int64 tensor of numbers and unknown sizes", false, 0, true},
    {Builtin::kRange, "range", "range", {{{"a", kHostNumber}, {"b", kHostNumber}, {"step", kHostNumber}}},
     ResultRule::kInts, "list of ints, from known ints; `range(n)` starts at 0. `Range(...)` is the node", false, 2},
    {Builtin::kLen, "len", "len", {{{"list", kList | kText}}}, ResultRule::kInt,
     "number of elements; of a text, of characters", true},
    {Builtin::kSplit, "split_text", "split_text", {{{"text", kText}, {"by", kText}}}, ResultRule::kTexts,
     "the parts of a text between the places where `by` stands; all of it when there is none"},
    {Builtin::kCodes, "codes", "codes", {{{"text", kText}}}, ResultRule::kInts,
     "list of the characters' codes, 97 for `a`"},
    {Builtin::kSwap, "swap", "swap", {{{"list", kList}, {"i", kHostNumber}, {"j", kHostNumber}}}, ResultRule::kList,
     "two elements exchanged"},
    {Builtin::kRepeatTo, "repeat_to", "repeat_to", {{{"x", kAnything}, {"n", kHostNumber}}}, ResultRule::kRepeated,
     "`2` or `[2]` becomes n times 2; a list of n stays; another length is refused"},
    {Builtin::kInversePerm, "inverse_perm", "inverse_perm", {{{"perm", kList, kHostNumber}}}, ResultRule::kInts,
     "the permutation that undoes `perm`"},
    {Builtin::kWithout, "without", "without", {{{"list", kList}, {"x", kAnything}}}, ResultRule::kList,
     "the elements that are not x, or not in the list x"},
    {Builtin::kMoveLast, "move_last", "move_last", {{{"list", kList}, {"x", kAnything}}}, ResultRule::kAppended,
     "the element x moved to the end"},
    {Builtin::kSorted, "sorted", "sorted", {{{"list", kList}}}, ResultRule::kList,
     "from the smallest to the largest"},
    {Builtin::kReversed, "reversed", "reversed", {{{"list", kList}}}, ResultRule::kList,
     "from the last to the first"},
    {Builtin::kMin, "min", "min", {{{"a", kValue | kList}, {"b", kValue}}}, ResultRule::kElement,
     "smallest of two, or of a list; of sizes too", false, 1},
    {Builtin::kMax, "max", "max", {{{"a", kValue | kList}, {"b", kValue}}}, ResultRule::kElement,
     "largest of two, or of a list; of sizes too", false, 1},
    {Builtin::kSum, "sum", "sum", {{{"list", kList, kValue}}}, ResultRule::kTotal,
     "of numbers and sizes"},
    {Builtin::kProduct, "product", "product", {{{"list", kList, kValue}}}, ResultRule::kTotal,
     "of numbers and sizes"},
    {Builtin::kAbs, "abs", "abs", {{{"x", kValue}}}, ResultRule::kMagnitude,
     "of a number, or the node of a tensor"},
    {Builtin::kSqrt, "sqrt", "sqrt", {{{"x", kValue}}}, ResultRule::kFunction,
     "of a number, or the node of a tensor"},
    {Builtin::kExp, "exp", "exp", {{{"x", kValue}}}, ResultRule::kFunction,
     "of a number, or the node of a tensor"},
    {Builtin::kLog, "log", "log", {{{"x", kValue}}}, ResultRule::kFunction,
     "of a number, or the node of a tensor"},
    {Builtin::kFloor, "floor", "floor", {{{"x", kHostNumber}}}, ResultRule::kInt,
     "rounded down to an int"},
    {Builtin::kCeil, "ceil", "ceil", {{{"x", kHostNumber}}}, ResultRule::kInt,
     "rounded up to an int"},
    {Builtin::kInt, "int", "to_int", {{{"x", kValue}}}, ResultRule::kWhole,
     "conversion, of tensors too; cuts towards zero"},
    {Builtin::kFloat, "float", "to_float", {{{"x", kValue | kText}}}, ResultRule::kReal,
     "conversion, of tensors too; `float(\"inf\")` reads a text"},
    {Builtin::kFinfoMin, "finfo_min", "finfo_min", {{{"dtype", kValue | kDType}}}, ResultRule::kFloat,
     "smallest number of a float dtype, or of a tensor's"},
    {Builtin::kFinfoMax, "finfo_max", "finfo_max", {{{"dtype", kValue | kDType}}}, ResultRule::kFloat,
     "largest number of the same"},
    {Builtin::kIinfoMin, "iinfo_min", "iinfo_min", {{{"dtype", kValue | kDType}}}, ResultRule::kInt,
     "smallest number of an integer dtype, or of a tensor's"},
    {Builtin::kIinfoMax, "iinfo_max", "iinfo_max", {{{"dtype", kValue | kDType}}}, ResultRule::kInt,
     "largest number of the same"},
    {Builtin::kAll, "all", "all", {{{"list", kList}}}, ResultRule::kBool,
     "truth of every element"},
    {Builtin::kAny, "any", "any", {{{"list", kList}}}, ResultRule::kBool,
     "truth of some element"},
    {Builtin::kZip, "zip", "zip", {{{"a", kList}, {"b", kList}}}, ResultRule::kPairs,
     "list of pairs"},
    {Builtin::kEnumerate, "enumerate", "enumerate", {{{"list", kList}}}, ResultRule::kNumbered,
     "list of pairs of a number and an element"},
    {Builtin::kAxis, "axis", "normal_axis", {{{"i", kHostNumber}, {"rank", kHostNumber}}}, ResultRule::kInt,
     "axis counted from the front; out of range is refused"},
    {Builtin::kRefuse, "refuse", "refuse", {{{"why", kText}}}, ResultRule::kNothing,
     "gives nothing: the call is refused; for an arm of `a if c else b`"},
    {Builtin::kDomain, "domain", "has_domain", {{{"name", kText}}}, ResultRule::kBool,
     "whether the model may use operators of that domain, `\"com.microsoft\"`: `ExportOptions::domains`", true, 0, true},
    {Builtin::kKeepsTraining, "keeps_training", "keeps_training", {}, ResultRule::kBool,
     "whether operators in training mode stay in it: `ExportOptions::training`", true, 0, true},
    {Builtin::kKeeps, "keeps", "keeps", {{{"name", kText}}}, ResultRule::kBool,
     "whether a call is to become this one node of ONNX, `\"Attention\"`, where it can: `ExportOptions::keep`", true, 0, true},
  });
  // clang-format on
}();
static_assert(std::ranges::is_sorted(kBuiltins, {}, &BuiltinInfo::builtin) &&
              kBuiltins.size() == static_cast<size_t>(Builtin::kKeeps) + 1);

constexpr const BuiltinInfo& InfoOf(Builtin builtin) { return kBuiltins[static_cast<size_t>(builtin)]; }

// Null for an unknown name.
constexpr const BuiltinInfo* FindBuiltin(std::string_view name) {
  const auto* found = std::ranges::find(kBuiltins, name, &BuiltinInfo::name);
  return found == kBuiltins.end() ? nullptr : found;
}

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_BUILTIN_TABLE_H_
