// Everything that can be known of a spec file while building. All mistakes are reported together.
#ifndef ONNXPORT_CODEGEN_CHECK_CHECK_H_
#define ONNXPORT_CODEGEN_CHECK_CHECK_H_

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/source/diagnostics.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {

struct CheckOptions {
  bool notes = false;       // also dtypes that no case covers
  bool needs_tests = true;  // an entry without tests is a mistake
};

// A spec without mistakes: what can be emitted. Only Check makes one.
class CheckedSpec {
 public:
  const SpecializedSpec& operator*() const { return spec_; }
  const SpecializedSpec* operator->() const { return &spec_; }

  // With those of its entries alone that claim an operator ("aten::softmax.int"), or an overload of it
  // ("aten::softmax").
  CheckedSpec Only(std::string_view name) const;

 private:
  friend std::optional<CheckedSpec> Check(SpecializedSpec, const CheckOptions&, Diagnostics*);
  explicit CheckedSpec(SpecializedSpec spec) : spec_(std::move(spec)) {}
  SpecializedSpec spec_;
};

// Every entry, overload and opset. Nothing is returned when a mistake was found, or the loader found one.
std::optional<CheckedSpec> Check(SpecializedSpec spec, const CheckOptions& options, Diagnostics* diagnostics);

// Names that two files claim.
void CheckClaims(const std::vector<CheckedSpec>& specs, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_CHECK_H_
