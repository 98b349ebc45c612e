// Reads what `torch.export.save` writes, without LibTorch.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/program.h"

namespace onnxport::pt2 {

// Things that the source program does and the exported model does not: one sentence each.
using Remarks = std::vector<std::string>;

// The program of a .pt2 archive as ATen calls.
//
// - Node::op: "aten::add.Tensor" (no overload: "aten::relu"), an instruction for arithmetic of sizes, "ns::op" of any
//   other namespace; "higher_order::cond" for control flow. Assertions and range constraints are left out.
// - Node::blocks: the graphs that a higher-order operator takes. Values that they use are given to them as inputs.
// - Node::inputs: for schemas of aten_schema.h one per argument, defaults filled in; else in the file's order.
// - Node::outputs: one per result; a list of tensors lies flat (`split` into three: three outputs).
// - Names: inputs and outputs dotted after their place in dicts, lists and tuples ("past.0.1"); a lone output is
//   "output".
// - Weights: parameters, buffers and constants that some node or output uses. Their bytes stay in the file, which stays
//   open while the graph lives; the CRC is checked when they are read.
//
// Throws onnxport::Error. It is kBadInput for a damaged file, an unknown schema version or a pickled constant that is
// used, and kCannotExport for a tensor type or layout that ONNX lacks.
//
// - `guards` (may be null): the further conditions on sizes in the file, see guards.h.
// - `writes` (may be null: then remarks tell of them): the new values of inputs and weights after the program, as
//   outputs behind its own.
ir::Graph ReadPt2(const std::shared_ptr<const archive::Archive>& archive, Remarks* remarks,
                  std::vector<std::string>* guards = nullptr, std::vector<Write>* writes = nullptr);
ir::Graph ReadPt2(const std::string& path, Remarks* remarks);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_PT2_H_
