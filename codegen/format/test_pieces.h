// Tests of an entry as pieces for layout.h.
#ifndef ONNXPORT_CODEGEN_FORMAT_TEST_PIECES_H_
#define ONNXPORT_CODEGEN_FORMAT_TEST_PIECES_H_

#include "codegen/format/layout.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

// `max_pool2d(f32[2,3,8,9], [3,3], stride=[2,2]) with opset=[10, 25]`. The operator's name is as short as the entry's
// other operators allow.
Pieces TestPieces(const TestCase& test, const OpEntry& entry);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_TEST_PIECES_H_
