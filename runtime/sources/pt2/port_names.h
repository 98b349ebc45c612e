// Names of inputs and outputs after their place in the arguments of `forward` and in what it returns.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::pt2 {

// Field names of the namedtuple types that occur.
using TupleFields = std::map<std::string, std::vector<std::string>, std::less<>>;

// One name per leaf of a pytree spec (torch.utils._pytree's JSON text), in order: "past.0.1", "named.z".
// Empty when the text is not understood: the caller then uses names of its own. Throws Error (kBadInput) for no JSON.
//
// Arguments: the spec is (args, kwargs); `argument_names` are forward's, positional ones first.
std::vector<std::string> InputNames(std::string_view spec, const std::vector<std::string>& argument_names,
                                    const TupleFields& fields);
// Results: a lone one is "output", a tuple's are "output_0" and so on, a dict's have their keys.
std::vector<std::string> OutputNames(std::string_view spec, const TupleFields& fields);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_
