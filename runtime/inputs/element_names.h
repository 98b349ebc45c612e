// Names of elements. `d.left.0` is the first tensor of the list under the key "left" of the parameter `d`. A key may
// contain dots itself, such as `observation.state`; the type of the parameter tells where the key ends.
#ifndef ONNXPORT_RUNTIME_INPUTS_ELEMENT_NAMES_H_
#define ONNXPORT_RUNTIME_INPUTS_ELEMENT_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::inputs {

// The type of a parameter, reduced to the names of its elements. A type may contain itself, so the form of an element
// is made when somebody asks for it.
struct Form {
  enum class Kind { kOne, kList, kTuple, kDict };

  Kind kind = Kind::kOne;
  std::vector<std::string> fields = {};  // the names of a tuple's elements: "0", "1", or those of a NamedTuple
  std::function<Form(size_t field)> element =
      {};  // of a tuple's field; all elements of a list or dict are `element(0)`
};

// Returns true if one of the names is an element of `name`.
bool HasElements(std::string_view name, const std::vector<std::string>& names);

// Returns the elements right below `name` that occur in the names, each once, in the order of the names. They are keys
// of a dict, places of a list, or fields of a tuple. A key is followed by a name that its type has. The longest such
// key among `keys`, the known keys of the dict, wins. If none fits, the shortest text does.
std::vector<std::string> ElementsUnder(std::string_view name, const Form& form, const std::vector<std::string>& names,
                                       const std::vector<std::string>& keys = {});

// The key that an element of a Dict[int, T] is called by: -1 for "-1". Nothing for a text that no int is printed as.
std::optional<int64_t> IntKey(std::string_view element);

}  // namespace onnxport::inputs

#endif  // ONNXPORT_RUNTIME_INPUTS_ELEMENT_NAMES_H_
