// Compares the pickled objects of two traces: modules, weights, constants.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_OBJECTS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_OBJECTS_H_

#include <functional>
#include <set>
#include <string>
#include <utility>

#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/compare/trace_pair.h"

namespace onnxport::torchscript {

class ObjectComparison {
 public:
  // Compares two classes by name, because the pickle does not contain the code of objects.
  using Classes = std::function<void(const std::string& a, const std::string& b, const std::string& path)>;
  // The pair outlives this.
  ObjectComparison(const TracePair* pair, Classes classes) : pair_(*pair), classes_(std::move(classes)) {}

  // Throws Error for the first difference. `path` is like "layer1.0.conv1". kMaxPickleDepth limits the depth.
  void Compare(const Pickled& a, const Pickled& b, const std::string& path);

 private:
  void Compare(const PickledPtr& a, const PickledPtr& b, const std::string& path);
  void CompareAll(const PickledList& a, const PickledList& b, const std::string& path);
  void CompareHeld(const Pickled::Tensor& a, const Pickled::Tensor& b, const std::string& path);
  void CompareHeld(const Pickled::List& a, const Pickled::List& b, const std::string& path);
  void CompareHeld(const Pickled::Tuple& a, const Pickled::Tuple& b, const std::string& path);
  void CompareHeld(const Pickled::Dict& a, const Pickled::Dict& b, const std::string& path);
  void CompareHeld(const Pickled::Object& a, const Pickled::Object& b, const std::string& path);
  void CompareHeld(const Pickled::Enum& a, const Pickled::Enum& b, const std::string& path);
  void CompareHeld(const Pickled::Device& a, const Pickled::Device& b, const std::string& path);
  void CompareHeld(double a, double b, const std::string& path);
  template <typename Held>
  void CompareHeld(const Held& a, const Held& b, const std::string& path) {
    if (a != b) pair_.RefuseValue(path);
  }

  const TracePair& pair_;
  Classes classes_;
  std::set<std::pair<const Pickled*, const Pickled*>> seen_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_COMPARE_COMPARE_OBJECTS_H_
