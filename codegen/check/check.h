// Checks all that can be known about a spec file at build time. All mistakes are reported together.
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
  bool notes = false;       // also report dtypes that no case covers
  bool needs_tests = true;  // an entry without tests is a mistake
};

// A spec without mistakes, which code can be emitted from. Only Check makes one.
class CheckedSpec {
 public:
  const SpecializedSpec& operator*() const { return spec_; }
  const SpecializedSpec* operator->() const { return &spec_; }

  // Returns the spec with only the entries that claim this operator ("aten::softmax.int"), or an overload of it
  // ("aten::softmax").
  CheckedSpec Only(std::string_view name) const;

 private:
  friend std::optional<CheckedSpec> Check(SpecializedSpec, const CheckOptions&, Diagnostics*);
  explicit CheckedSpec(SpecializedSpec spec) : spec_(std::move(spec)) {}
  SpecializedSpec spec_;
};

// Checks every entry, overload and opset. Returns nothing if there was a mistake, here or while the file was loaded.
std::optional<CheckedSpec> Check(SpecializedSpec spec, const CheckOptions& options, Diagnostics* diagnostics);

// Reports names that two files claim.
void CheckClaims(const std::vector<CheckedSpec>& specs, Diagnostics* diagnostics);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_CHECK_H_
