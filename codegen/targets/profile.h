// A profile of a target (spec/targets) as its YAML says it.
#ifndef ONNXPORT_CODEGEN_TARGETS_PROFILE_H_
#define ONNXPORT_CODEGEN_TARGETS_PROFILE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codegen/source/diagnostics.h"
#include "runtime/ir/dtype.h"

namespace onnxport::codegen {

using DTypes = std::vector<ir::DType>;

struct ProfileForm {
  std::string op;
  int since = 0;
  bool present = true;
  std::vector<std::pair<std::string, DTypes>> kinds;  // type variable, its dtypes
  std::vector<std::string> zeros = {};                // inputs whose elements all have to be 0
  std::vector<std::string> known = {};                // inputs that have to be known before the model runs
  std::vector<std::string> sized = {};                // inputs whose sizes have to be numbers
  DTypes saturating = {};                             // in which results beyond the dtype are its limits
  bool own_windows = false;                           // more of them than ONNX where ceil_mode is set
  bool whole_blocks = false;                          // the last block of an axis has to be a whole one
};

struct Profile {
  std::string name;  // the file's, without .yaml
  std::string title;
  std::string source;
  std::string date;
  std::string like;  // the name of another, which has all that this one does not say (TakeOver)
  int first_opset = 0;
  int last_opset = 0;
  bool static_axes = false;
  bool narrow_int64 = false;
  bool no_functions = false;
  DTypes dtypes;
  std::vector<ProfileForm> forms;  // sorted by name and opset
};

// Mistakes are reported; the profile is of no use then.
Profile LoadProfile(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics);

// Completes `profile` from the profile that it is like. It takes the other's opsets and dtypes if it has none, and the
// other's operators except for those that it lists itself.
void TakeOver(const Profile& other, Profile* profile);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_TARGETS_PROFILE_H_
