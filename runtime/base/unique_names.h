// Gives every name once.
#ifndef ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_
#define ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace onnxport::ir {

class UniqueNames {
 public:
  // The name itself, or when it is taken the name with the next free number: "x", "x_1", "x_2".
  std::string Take(const std::string& name) {
    if (taken_.insert(name).second) return name;
    int& next = next_[name];
    std::string numbered;
    do {
      numbered = name + "_" + std::to_string(++next);
    } while (!taken_.insert(numbered).second);
    return numbered;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_;  // the last number tried, so that many equal names stay cheap
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_
