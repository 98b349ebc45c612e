// The functions of the spec language, in the order of spec/README.md.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILTIN_TABLE_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILTIN_TABLE_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace onnxport::lowering {

enum class Builtin {
  kRank,
  kDim,
  kDims,
  kStaticDims,
  kNumel,
  kDType,
  kIsStatic,
  kPresent,
  kIsInt,
  kIsFloat,
  kIsBool,
  kIsComplex,
  kIsSequence,
  kStaticallyTrue,
  kAsComplex,
  kAsReal,
  kCast,
  kConst,
  kShapeTensor,
  kRange,
  kLen,
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
};

struct BuiltinInfo {
  Builtin builtin;
  std::string_view name;  // in specs
  std::string_view cpp;   // in runtime/lowering/val.h; "" when the answer is known while building
  int min_args;
  int max_args;
  bool returns_bool = false;  // a C++ bool; others return Val
};

inline constexpr auto kBuiltins = std::to_array<BuiltinInfo>({
    {Builtin::kRank, "rank", "rank", 1, 1},
    {Builtin::kDim, "dim", "dim", 2, 2},
    {Builtin::kDims, "dims", "dims", 1, 1},
    {Builtin::kStaticDims, "static_dims", "static_dims", 1, 1},
    {Builtin::kNumel, "numel", "numel", 1, 1},
    {Builtin::kDType, "dtype", "dtype", 1, 1},
    {Builtin::kIsStatic, "known", "known", 1, 1, true},
    {Builtin::kPresent, "present", "present", 1, 1, true},
    {Builtin::kIsInt, "is_int", "is_int", 1, 1, true},
    {Builtin::kIsFloat, "is_float", "is_float", 1, 1, true},
    {Builtin::kIsBool, "is_bool", "is_bool", 1, 1, true},
    {Builtin::kIsComplex, "is_complex", "is_complex", 1, 1, true},
    {Builtin::kIsSequence, "is_sequence", "is_sequence", 1, 1, true},
    {Builtin::kStaticallyTrue, "decided", "decided", 1, 1, true},
    {Builtin::kAsComplex, "as_complex", "as_complex", 1, 1},
    {Builtin::kAsReal, "as_real", "as_real", 1, 1},
    {Builtin::kCast, "cast", "cast", 2, 2},
    {Builtin::kConst, "const", "constant", 2, 2},
    {Builtin::kShapeTensor, "ints", "ints", 1, 1},
    {Builtin::kRange, "range", "range", 1, 3},
    {Builtin::kLen, "len", "len", 1, 1},
    {Builtin::kSwap, "swap", "swap", 3, 3},
    {Builtin::kRepeatTo, "spread", "spread", 2, 2},
    {Builtin::kInversePerm, "inverse_perm", "inverse_perm", 1, 1},
    {Builtin::kWithout, "without", "without", 2, 2},
    {Builtin::kMoveLast, "move_last", "move_last", 2, 2},
    {Builtin::kSorted, "sorted", "sorted", 1, 1},
    {Builtin::kReversed, "reversed", "reversed", 1, 1},
    {Builtin::kMin, "min", "min", 1, 2},
    {Builtin::kMax, "max", "max", 1, 2},
    {Builtin::kSum, "sum", "sum", 1, 1},
    {Builtin::kProduct, "product", "product", 1, 1},
    {Builtin::kAbs, "abs", "abs", 1, 1},
    {Builtin::kSqrt, "sqrt", "sqrt", 1, 1},
    {Builtin::kExp, "exp", "exp", 1, 1},
    {Builtin::kLog, "log", "log", 1, 1},
    {Builtin::kFloor, "floor", "floor", 1, 1},
    {Builtin::kCeil, "ceil", "ceil", 1, 1},
    {Builtin::kInt, "int", "to_int", 1, 1},
    {Builtin::kFloat, "float", "to_float", 1, 1},
    {Builtin::kFinfoMin, "finfo_min", "finfo_min", 1, 1},
    {Builtin::kFinfoMax, "finfo_max", "finfo_max", 1, 1},
    {Builtin::kIinfoMin, "iinfo_min", "iinfo_min", 1, 1},
    {Builtin::kIinfoMax, "iinfo_max", "iinfo_max", 1, 1},
    {Builtin::kAll, "all", "all", 1, 1, true},
    {Builtin::kAny, "any", "any", 1, 1, true},
    {Builtin::kZip, "zip", "zip", 2, 2},
    {Builtin::kEnumerate, "enumerate", "enumerate", 1, 1},
    {Builtin::kAxis, "axis", "normal_axis", 2, 2},
    {Builtin::kRefuse, "refuse", "refuse", 1, 1},
    {Builtin::kDomain, "domain", "", 1, 1, true},
});
static_assert(std::ranges::is_sorted(kBuiltins, {}, &BuiltinInfo::builtin) &&
              kBuiltins.size() == static_cast<size_t>(Builtin::kDomain) + 1);

constexpr const BuiltinInfo& InfoOf(Builtin builtin) { return kBuiltins[static_cast<size_t>(builtin)]; }

// Null for another name.
constexpr const BuiltinInfo* FindBuiltin(std::string_view name) {
  const auto* found = std::ranges::find(kBuiltins, name, &BuiltinInfo::name);
  return found == kBuiltins.end() ? nullptr : found;
}

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILTIN_TABLE_H_
