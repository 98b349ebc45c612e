// Reads the JSON of an exported program: graph, signature, ranges.
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

// An input of the graph that is a parameter, buffer or constant of the model.
struct LiftedInput {
  ir::ValueId value;
  std::string name;       // in the state_dict, or the constant's
  bool constant = false;  // a constant, not in the state_dict
};

// The value of an input or a weight after the program. In the signature, `output` of graph.outputs replaces `target`.
// Such outputs come last and are not outputs of the program itself.
struct Write {
  size_t output = 0;
  ir::ValueId target;
};

// A program after reading. graph.inputs and graph.outputs have their final names; graph.weights is empty.
struct Program {
  ir::Graph graph;
  std::vector<LiftedInput> lifted;
  std::vector<std::string> remarks;
  std::vector<std::string> guards;  // guards.h
  std::vector<Write> writes;        // if requested; otherwise remarks mention them
};

// Throws Error: kBadInput for a malformed file, kCannotExport for a program that cannot be exported and for an unknown
// version.
Program ReadProgram(const TextBlocks& json, MetaReader* metas, bool with_writes = false);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PROGRAM_H_
