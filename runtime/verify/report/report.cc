#include "runtime/verify/report/report.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/verify/ort/compare.h"
#include "runtime/verify/ort/elements.h"

namespace onnxport::verify {
namespace {

// [0,2,17]
std::string PlaceOf(size_t element, const std::vector<int64_t>& shape) {
  std::vector<size_t> place(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    place[axis] = element % static_cast<size_t>(shape[axis]);
    element /= static_cast<size_t>(shape[axis]);
  }
  return fmt::format("[{}]", fmt::join(place, ","));
}

std::string Figures(const ort::Comparison& found) {
  return fmt::format("max abs error {:.3g}, max rel error {:.3g}", found.max_absolute, found.max_relative);
}

Verdict JudgeSequence(const ort::Tensor& actual, const ort::Tensor& expected, const GivenTolerances& given) {
  if (actual.is_sequence != expected.is_sequence) {
    return {false, fmt::format("{} is a {} of ONNX Runtime, the other of PyTorch", actual.name,
                               actual.is_sequence ? "sequence" : "tensor")};
  }
  if (actual.elements.size() != expected.elements.size()) {
    return {false, fmt::format("{}: a sequence of {} of ONNX Runtime, of {} of PyTorch", actual.name,
                               actual.elements.size(), expected.elements.size())};
  }
  for (size_t i = 0; i < expected.elements.size(); ++i) {
    ort::Tensor element = actual.elements[i];
    element.name = fmt::format("{}[{}]", actual.name, i);
    Verdict verdict = Judge(element, expected.elements[i], given);
    if (!verdict.agrees) return verdict;
  }
  return {true, fmt::format("{} sequence of {}: agrees", actual.name, expected.elements.size())};
}

}  // namespace

Verdict Judge(const ort::Tensor& actual, const ort::Tensor& expected, const GivenTolerances& given) {
  if (actual.is_sequence || expected.is_sequence) return JudgeSequence(actual, expected, given);
  const ort::Comparison found = ort::Compare(actual, expected, ToleranceFor(expected, given));
  if (!found.type.empty()) return {false, fmt::format("{} differs: {}", actual.name, found.type)};
  const std::string name = fmt::format("{} {}", actual.name, ort::TypeText(expected));
  if (found.agrees()) return {true, fmt::format("{}: agrees, {}", name, Figures(found))};
  return {false,
          fmt::format("{} differs: {} of {} elements, first at {}: ONNX Runtime gives {}, PyTorch {}; {}", name,
                      found.wrong, found.count, PlaceOf(found.first, expected.shape),
                      ort::ElementText(actual, found.first), ort::ElementText(expected, found.first), Figures(found))};
}

}  // namespace onnxport::verify
