// A map from texts, looked up by a view: without a text that is made for the sake of asking.
#ifndef ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_
#define ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace onnxport {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <typename T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_TEXT_MAP_H_
