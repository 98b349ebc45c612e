/* Exports PyTorch models to ONNX: for C, and for languages that call C. C99 and C++; link //:onnxport_c.
 *
 *   onnxport_buffer report;
 *   int status = onnxport_export_file("model.pt2", "model.onnx", "{\"opset\": 18}", &report);
 *   if (status != ONNXPORT_DONE) fprintf(stderr, "%s\n", report.data);
 *   onnxport_buffer_free(&report);
 *
 * Texts are UTF-8 and end with a zero. Arguments are read during the call and not kept; NULL is a mistake of usage
 * unless said otherwise. Nothing is thrown, and nothing ends the process. All functions may be called by several
 * threads at a time, each with buffers of its own.
 */
#ifndef ONNXPORT_C_H_
#define ONNXPORT_C_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions return these: the numbers of the command's exit statuses. A later version may have more. */
enum {
  ONNXPORT_DONE = 0,
  ONNXPORT_CANNOT_EXPORT = 1, /* the model has unsupported operators, a fixed axis ... */
  ONNXPORT_USAGE = 2,         /* an argument or option is wrong, or does not fit the model */
  ONNXPORT_BAD_INPUT = 3,     /* the file is damaged, or takes more time or memory than it is given */
  ONNXPORT_CANNOT_WRITE = 4   /* the output cannot be written */
};

/* Text or bytes that a function returns. Free it with onnxport_buffer_free. A function overwrites the buffers that it
 * is given and frees nothing in them. A buffer without a result becomes {NULL, 0, NULL}. */
typedef struct onnxport_buffer {
  const char* data; /* behind a text there is a zero */
  size_t size;      /* in bytes, without that zero */
  void* owner;      /* internal */
} onnxport_buffer;

/* Frees what the buffer holds and makes it {NULL, 0, NULL}. Takes NULL, and an empty buffer. */
void onnxport_buffer_free(onnxport_buffer* buffer);

/* "0.1.0", which lives as long as the process. */
const char* onnxport_version(void);

/* The functions below share two arguments.
 *
 * `options_json` is an object, {"opset": 18, "inputs": ["x=f32[batch,3,224,224]"]}; NULL or "" for no options. The keys
 * are those of docs/c.md: fields of the ExportOptions of export.h and the SaveOptions of model.h. Unknown keys, wrong
 * types and wrong words are a mistake of usage (ONNXPORT_USAGE). One report lists all of them.
 *
 * `report` gets the outcome as JSON, after a failure too; NULL if it is not wanted. A success gives the record that
 * `exporter export --report x.json` writes (export_report.h). It has "inputs", "outputs", "axes", "operators",
 * "remarks", "files" ... A failure gives "kind", "headline" and "diagnostics", each with its "reason" (Report::Json in
 * diagnostic.h). Messages are safe to show: control characters in them, and others that would deceive, are escaped.
 * Names of the model are as the file has them, and may hold such characters. The report is empty if there is no memory
 * for it. */

/* Reads the `.pt2` or TorchScript file `model` and writes the ONNX file `output`, and perhaps a data file beside it.
 * Each appears complete or not at all. Weights are streamed: memory does not grow with them. */
int onnxport_export_file(const char* model, const char* output, const char* options_json, onnxport_buffer* report);

/* The same, but the whole ONNX file is written to `onnx`. Returns ONNXPORT_USAGE above 2 GiB, the most that one ONNX
 * file can hold. `onnx` is empty after a failure. */
int onnxport_export_file_to_bytes(const char* model, const char* options_json, onnxport_buffer* onnx,
                                  onnxport_buffer* report);

/* The same, from the bytes of an archive. */
int onnxport_export_bytes(const void* model, size_t model_size, const char* options_json, onnxport_buffer* onnx,
                          onnxport_buffer* report);

/* A piece of an archive; `data` is NULL where the request's `read` gives the bytes. */
typedef struct onnxport_piece {
  const void* data;
  size_t size;
} onnxport_piece;

/* The arguments of onnxport_export. Set all of it to zero and `size` to sizeof(onnxport_request), then set the fields
 * that you need. Later versions have more fields; zero in one of them means what this version does.
 *
 * The model is a file or `pieces`, an archive that the program assembles from data in memory without copying weights.
 * The archive has PyTorch's `.pt2` layout, a ZIP of stored entries. Its checksums are ignored and may be zero. Its
 * bytes are those of the pieces, in order. They must not change during the call.
 *
 * The thread that exports calls the functions before the call returns. They must return (no longjmp). */
typedef struct onnxport_request {
  size_t size; /* of this structure */
  const char* model;
  const onnxport_piece* pieces;
  size_t piece_count;
  const char* name;   /* replaces the file's name in messages and the report; NULL: that of `model`, or "model" */
  const char* output; /* the file to write; NULL: the model goes into a buffer, if one is given */
  const char* options_json;
  /* Called now and then with the stage: "read", "trace", "passes" or "write". `done` and `total` are bytes for "write",
   * and 0 for the others. A return value other than 0 ends the export: the report's "kind" is "cancelled". */
  int (*progress)(void* context, const char* stage, long long done, long long total);
  /* Writes `size` bytes of that piece, starting at `offset`, to `out`. A return value other than 0 ends the export
   * (ONNXPORT_BAD_INPUT). */
  int (*read)(void* context, size_t piece, size_t offset, size_t size, void* out);
  void* context;
} onnxport_request;

/* Does all of the above, and exports pieces. `onnx` is for a request without `output`. If both are NULL, nothing is
 * written and weights are not read. The report then says whether the model can be exported, and what it would be. */
int onnxport_export(const onnxport_request* request, onnxport_buffer* onnx, onnxport_buffer* report);

/* Writes the ONNX file `model` to `output` with the weights of the file `weights`: safetensors, or a saved state_dict
 * (apply_weights.h). `output` may be the same path as `model`. The options are "external_data", "sync" and
 * "max_seconds". The report of a success: {"remarks": [...], "files": {"model_bytes": 1000}}. */
int onnxport_apply_weights(const char* model, const char* weights, const char* output, const char* options_json,
                           onnxport_buffer* report);

/* Writes a `.pt2`, TorchScript or ONNX file to `text`, as text for people; its form may change (inspect.h). The report
 * of a success is {}. */
int onnxport_inspect(const char* model, const char* options_json, onnxport_buffer* text, onnxport_buffer* report);

/* Writes to `axes`, as JSON (ToJson in check_axes.h), which axes of the model's inputs can be free, and what fixes the
 * others. No model is written. The report of a success is {}. */
int onnxport_check_axes(const char* model, const char* options_json, onnxport_buffer* axes, onnxport_buffer* report);

/* Writes another file of the program, such as a report. It appears complete or not at all, as models do, and is not
 * written through a link (WriteOutput in files.h). `others` are `other_count` paths that the program reads or writes;
 * NULL entries are skipped. ONNXPORT_USAGE if `path` is one of these files, however it is spelled. The report of a
 * success is {}. */
int onnxport_write_file(const char* path, const void* data, size_t size, const char* const* others, size_t other_count,
                        onnxport_buffer* report);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ONNXPORT_C_H_ */
