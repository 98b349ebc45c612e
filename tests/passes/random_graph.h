// Graphs of few small nodes, as lowering leaves them, for tests of the passes.
#ifndef ONNXPORT_TESTS_PASSES_RANDOM_GRAPH_H_
#define ONNXPORT_TESTS_PASSES_RANDOM_GRAPH_H_

#include <random>
#include <string>

#include "runtime/ir/graph.h"

namespace onnxport::tests {

using Random = std::mt19937;

int Draw(int least, int most, Random* random);

// So many numbers of the normal distribution; `special`: some of them not finite, or a zero of either sign.
std::string RandomFloats(int64_t count, bool special, Random* random);

struct RandomGraph {
  ir::Graph graph;      // one input, float32
  bool rounds = false;  // has norms or the like, which may be computed otherwise, or a cosine of constants
};

RandomGraph MakeRandomGraph(unsigned seed);

}  // namespace onnxport::tests

#endif  // ONNXPORT_TESTS_PASSES_RANDOM_GRAPH_H_
