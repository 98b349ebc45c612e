// Names inputs and outputs after their place in the arguments of `forward` and in its result.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::pt2 {

// Field names of the namedtuple types in the file.
using TupleFields = std::map<std::string, std::vector<std::string>, std::less<>>;

// Returns one name per leaf of a pytree spec (torch.utils._pytree's JSON text), in order: "past.0.1", "named.z".
// Returns nothing if it does not understand the text: the caller then uses other names. Throws Error (kBadInput) for
// invalid JSON.
//
// For arguments the spec is (args, kwargs). `argument_names` are those of forward, positional ones first.
std::vector<std::string> InputNames(std::string_view spec, const std::vector<std::string>& argument_names,
                                    const TupleFields& fields);
// Results: a single one is "output", those of a tuple are "output_0" and so on, those of a dict have its keys.
std::vector<std::string> OutputNames(std::string_view spec, const TupleFields& fields);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PORT_NAMES_H_
