// Finds the name that somebody may have meant.
#ifndef ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_
#define ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace onnxport {

inline constexpr size_t kLongestName = 80;  // longer words get no suggestion: the cost grows with the square

// Counts the letters to add, remove, change, or swap with their neighbour to get from one text to the other.
size_t EditDistance(std::string_view a, std::string_view b);

// Returns the candidate with the smallest edit distance, if that is at most a third of the word's length. Otherwise, or
// if the word is too long, returns an empty text.
std::string_view NearestName(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_NEAREST_NAME_H_
