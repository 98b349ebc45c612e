// The JSON of an exported program: graph, signature, ranges.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_PROGRAM_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_PROGRAM_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/port_names.h"
#include "runtime/sources/pt2/tensor_meta.h"

namespace onnxport::pt2 {

// An input of the graph that the model owns.
struct LiftedInput {
  ir::ValueId value;
  std::string name;       // in the state_dict, or the constant's
  bool constant = false;  // among the constants: not in the state_dict
};

// The new value that an input or a weight holds after the program: by the signature, `output` of graph.outputs replaces
// `target`. Such outputs come last and are none of the program's own.
struct Write {
  size_t output = 0;
  ir::ValueId target;
};

// A program as read; graph.inputs and graph.outputs have their final names, graph.weights is empty.
struct Program {
  ir::Graph graph;
  std::vector<LiftedInput> lifted;
  std::vector<std::string> remarks;
  std::vector<std::string> guards;  // guards.h
  std::vector<Write> writes;        // if they are asked for; else remarks tell of them
};

// Throws Error: kBadInput for what is malformed, kCannotExport for what cannot be exported or is of an unknown version.
Program ReadProgram(const TextBlocks& json, MetaReader* metas, bool with_writes = false);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PROGRAM_H_
