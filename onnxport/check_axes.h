// Which axes of a model's inputs can be free.
#ifndef ONNXPORT_CHECK_AXES_H_
#define ONNXPORT_CHECK_AXES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "onnxport/dim.h"
#include "onnxport/dtype.h"
#include "onnxport/expected.h"
#include "onnxport/export.h"
#include "onnxport/source.h"

namespace onnxport {

struct Axis {
  std::string input;
  size_t number = 0;  // from 0
};

// Says whether an axis of an input can be free, so that each run may have another size there.
struct AxisReport {
  Axis axis;
  DType dtype = kUndefined;  // the input's
  Dim size;                  // the size in the file, or the name if the axis is free already
  bool free = false;
  std::vector<Axis> together;  // free when these axes have the same name
  std::string fixed_by;        // the operation that needs the number, with its source line; empty for a free axis
};

// Tries every axis of every tensor input. Axes that `options.inputs` name stay as described there, and axes that a
// `.pt2` leaves free stay free. Fails as `Export` does when the model cannot be exported at all.
Result<std::vector<AxisReport>> CheckAxes(const Source& source, const ExportOptions& options = {});

// As an array of objects, one a line: [{"input": "x", "axis": 0, "dtype": "float32", "size": 28, "free": true,
// "together": [{"input": "y", "axis": 0}], "fixed_by": ""}, ...]. A size that is no number is a text ("batch", "?").
std::string ToJson(const std::vector<AxisReport>& axes);

}  // namespace onnxport

#endif  // ONNXPORT_CHECK_AXES_H_
