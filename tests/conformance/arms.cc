#include "tests/conformance/arms.h"

#include <utility>

namespace onnxport::conformance {
namespace {

// A function, since generated code lists its arms while other static objects are made.
std::map<std::string, std::string, std::less<>>& Listed() {
  static std::map<std::string, std::string, std::less<>> listed;
  return listed;
}

Taken taken;
std::string last;

}  // namespace

bool ListArms(std::initializer_list<Arm> arms) {
  for (const Arm& arm : arms) Listed().try_emplace(std::string(arm.place), arm.text);
  return true;
}

void Reached(std::string_view place) {
  taken.arms.emplace(place);
  last = place;
}

const char* Refusing(const char* reason) {
  if (!last.empty()) taken.refusing.insert(last);
  return reason;
}

const std::map<std::string, std::string, std::less<>>& ListedArms() { return Listed(); }

Taken TakeReached() {
  last.clear();
  return std::exchange(taken, {});
}

}  // namespace onnxport::conformance
