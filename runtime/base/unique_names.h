// Makes names unique.
#ifndef ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_
#define ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_

#include <string>

#include "runtime/base/text_map.h"

namespace onnxport::ir {

class UniqueNames {
 public:
  // Returns the name, or if it is taken the name with the next free number: "x", "x_1", "x_2".
  std::string Take(const std::string& name) {
    if (taken_.Add(name).second) return name;
    int& next = *next_.Add(name, 0).first;
    std::string numbered;
    do {
      numbered = name + "_" + std::to_string(++next);
    } while (!taken_.Add(numbered).second);
    return numbered;
  }

 private:
  TextIndex<> taken_;
  TextMap<int> next_;  // the last number tried, so that many equal names stay cheap
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_BASE_UNIQUE_NAMES_H_
