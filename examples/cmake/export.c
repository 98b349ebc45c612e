/* Exports a model from C: export MODEL OUT. */
#include <stdio.h>

#include "onnxport/c.h"

int main(int argc, char** argv) {
  onnxport_buffer report;
  int status;
  if (argc != 3) {
    fprintf(stderr, "usage: export MODEL OUT\n");
    return ONNXPORT_USAGE;
  }
  status = onnxport_export_file(argv[1], argv[2], "{\"opset\": 18}", &report);
  if (status != ONNXPORT_DONE) fprintf(stderr, "%s\n", report.data ? report.data : "no memory for a report");
  onnxport_buffer_free(&report);
  return status;
}
