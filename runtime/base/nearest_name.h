// What somebody may have meant.
#ifndef ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_
#define ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_

#include <span>
#include <string_view>

namespace onnxport {

// The candidate with the smallest edit distance, if that is at most a third of the word's length; else empty.
std::string_view NearestName(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_
