// Arms of the specs: which way a conditional goes, which case is taken, which definition is called. The generator
// writes the specs' functions for the coverage test so that they tell of each arm (codegen/emit/arms.h).
#ifndef ONNXPORT_TESTS_CONFORMANCE_ARMS_H_
#define ONNXPORT_TESTS_CONFORMANCE_ARMS_H_

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace onnxport::conformance {

struct Arm {
  std::string_view place;  // "spec/aten/norm.yaml:12:34 true"
  std::string_view text;   // "aten::norm: `dim < 0` is true"
};

// ---- called by generated code ----

// Before main.
bool ListArms(std::initializer_list<Arm> arms);
// An arm is taken.
void Reached(std::string_view place);
template <typename Condition>
bool Either(std::string_view place, const Condition& condition) {
  const bool yes = static_cast<bool>(condition);
  Reached(std::string(place) + (yes ? " true" : " false"));
  return yes;
}
// The arm that was taken last refuses the call. Returns the reason.
const char* Refusing(const char* reason);

// ---- called by the test ----

using Places = std::set<std::string, std::less<>>;

// Every arm of every spec: its place and text.
const std::map<std::string, std::string, std::less<>>& ListedArms();

struct Taken {
  Places arms;
  Places refusing;  // those of them that refuse the call themselves
};
// Since the last call.
Taken TakeReached();

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_ARMS_H_
