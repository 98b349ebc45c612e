// What options are called where they are text: on the command line, and in JSON (c.h).
#ifndef ONNXPORT_OPTION_WORDS_H_
#define ONNXPORT_OPTION_WORDS_H_

#include <string_view>
#include <utility>

#include "onnxport/export.h"
#include "onnxport/model.h"

namespace onnxport {

inline constexpr std::pair<std::string_view, ComplexTensors> kComplexTensorsWords[] = {
    {"refused", ComplexTensors::kRefused}, {"as-real", ComplexTensors::kAsReal}};

using WeightTypeWord = std::pair<std::string_view, WeightType>;
inline constexpr WeightTypeWord kWeightTypeWords[] = {{"int8", WeightType::kInt8},
                                                      {"int4", WeightType::kInt4},
                                                      {"int2", WeightType::kInt2},
                                                      {"mxfp4", WeightType::kMxfp4},
                                                      {"nvfp4", WeightType::kNvfp4}};

inline constexpr std::pair<std::string_view, HalfType> kHalfTypeWords[] = {{"float16", HalfType::kFloat16},
                                                                           {"bfloat16", HalfType::kBFloat16}};

inline constexpr std::pair<std::string_view, ExternalData> kExternalDataWords[] = {
    {"auto", ExternalData::kAuto},
    {"always", ExternalData::kAlways},
    {"never", ExternalData::kNever},
    {"safetensors", ExternalData::kSafetensors}};

}  // namespace onnxport

#endif  // ONNXPORT_OPTION_WORDS_H_
