// Records the kinds that the check found for a name, for help in editors.
#ifndef ONNXPORT_CODEGEN_CHECK_KINDS_SEEN_H_
#define ONNXPORT_CODEGEN_CHECK_KINDS_SEEN_H_

#include <map>
#include <string>
#include <utility>

#include "codegen/check/kind.h"
#include "codegen/model/expr.h"

namespace onnxport::codegen {

class KindsSeen {
 public:
  // Records this name at this place; if the column is 0, at every place.
  KindsSeen(std::string name, Place place) : name_(std::move(name)), place_(std::move(place)) {}

  void Add(const Expr& name, int opset, const Kind& kind) {
    if (name.text != name_) return;
    if (place_.column > 0 && (name.place.line != place_.line || name.place.column != place_.column)) return;
    const auto [found, is_new] = kinds_.try_emplace(opset, kind);
    if (!is_new) found->second = Join(found->second, kind);
  }
  const std::map<int, Kind>& kinds() const { return kinds_; }  // by opset

 private:
  std::string name_;
  Place place_;
  std::map<int, Kind> kinds_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_KINDS_SEEN_H_
