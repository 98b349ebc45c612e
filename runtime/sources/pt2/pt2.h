// Reads the files of `torch.export.save`, without LibTorch.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/program.h"

namespace onnxport::pt2 {

// Effects of the source program that the exported model does not have, one sentence each.
using Remarks = std::vector<std::string>;

// Reads the program of a .pt2 archive as ATen calls.
//
// - Node::op: "aten::add.Tensor" ("aten::relu" without overload), an instruction for arithmetic of sizes, or "ns::op"
//   of another namespace; "higher_order::cond" for control flow. Assertions and range constraints are left out.
// - Node::blocks: the graphs of a higher-order operator. The values that they use are passed as inputs.
// - Node::inputs: with a schema in aten_schema.h, one per argument, with defaults; otherwise in the file's order.
// - Node::outputs: one per result. A list of tensors is flattened (`split` into three: three outputs).
// - Names: inputs and outputs are named after their place in dicts, lists and tuples ("past.0.1"). A single output is
//   "output".
// - Weights: parameters, buffers and constants that some node or output uses. Their bytes stay in the file, which is
//   open while the graph lives. The CRC is checked when they are read.
//
// Throws onnxport::Error. It is kBadInput for a damaged file, an unknown schema version, or a used constant that is
// pickled. It is kCannotExport for a tensor type or layout that ONNX lacks.
//
// - `guards` (may be null): gets the conditions on sizes in the file besides ranges, see guards.h.
// - `writes` (may be null): gets the values of inputs and weights after the program, as outputs after its own. If null,
//   remarks mention them.
ir::Graph ReadPt2(const std::shared_ptr<const archive::Archive>& archive, Remarks* remarks,
                  std::vector<std::string>* guards = nullptr, std::vector<Write>* writes = nullptr);
ir::Graph ReadPt2(const std::string& path, Remarks* remarks);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_
