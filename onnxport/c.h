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

/* What the functions return: the numbers of the command's exit statuses. A later version may have more. */
enum {
  ONNXPORT_DONE = 0,
  ONNXPORT_CANNOT_EXPORT = 1, /* the model: unsupported operators, a fixed axis ... */
  ONNXPORT_USAGE = 2,         /* an argument or option is wrong, or does not fit the model */
  ONNXPORT_BAD_INPUT = 3,     /* the file is damaged, or takes more time or memory than it is given */
  ONNXPORT_CANNOT_WRITE = 4   /* the output */
};

/* What a function gives: text or bytes, to be freed by onnxport_buffer_free. A function fills the buffers that it is
 * given whatever they held, and so frees nothing; what it has nothing for is {NULL, 0, NULL}. */
typedef struct onnxport_buffer {
  const char* data; /* behind a text there is a zero */
  size_t size;      /* in bytes, without that zero */
  void* owner;      /* internal */
} onnxport_buffer;

/* Frees what the buffer holds and makes it {NULL, 0, NULL}. Takes NULL, and an empty buffer. */
void onnxport_buffer_free(onnxport_buffer* buffer);

/* "0.1.0", which lives as long as the process. */
const char* onnxport_version(void);

/* Two arguments that the functions below have in common.
 *
 * `options_json` is an object, {"opset": 18, "inputs": ["x=f32[batch,3,224,224]"]}; NULL or "" for no options. The keys
 * are those of docs/c.md: fields of the ExportOptions of export.h and the SaveOptions of model.h. Unknown keys, wrong
 * types and wrong words are a mistake of usage, all of them in one report.
 *
 * `report` gets what came of it as JSON, also of a failure; NULL if it is not wanted. Of a model, it is the record that
 * `exporter export --report x.json` writes (export_report.h): "inputs", "outputs", "axes", "operators", "remarks",
 * "files" ... Of a failure, it has "kind", "headline" and "diagnostics", each with its "reason" (Report::Json in
 * diagnostic.h). Texts that say something are made for showing: control characters in them, and others that would
 * deceive, are escaped. Names of the model are as the file has them, and may hold such characters. It is empty if there
 * is no memory for it.
 */

/* Reads the `.pt2` or TorchScript file `model` and writes the ONNX file `output`, and perhaps a data file beside it:
 * each appears complete or not at all. Weights are streamed: memory does not grow with them. */
int onnxport_export_file(const char* model, const char* output, const char* options_json, onnxport_buffer* report);

/* The same, with all of the ONNX file in `onnx`; ONNXPORT_USAGE above 2 GiB, which is all that it can hold. `onnx` is
 * empty after a failure. */
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

/* What onnxport_export is asked for. Set all of it to zero and `size` to sizeof(onnxport_request), then what is wanted:
 * later versions have more fields, and a zero means what it was before.
 *
 * The model is a file or `pieces`: an archive that the program puts together of what it has in memory, weights where
 * they lie (PyTorch's `.pt2` layout, a ZIP of stored entries; checksums in it are not looked at and may be zero). Its
 * bytes are those of the pieces, in order. They must stay as they are during the call.
 *
 * The functions are called by the thread that exports, before the call returns, and must come back (no longjmp). */
typedef struct onnxport_request {
  size_t size; /* of this structure */
  const char* model;
  const onnxport_piece* pieces;
  size_t piece_count;
  const char* name; /* what stands for the file's name in messages and the report; NULL: that of `model`, or "model" */
  const char* output; /* the file to write; NULL: the model goes into a buffer, if one is given */
  const char* options_json;
  /* Called now and then ("read", "trace", "passes", "write"); of "write", `done` and `total` are bytes, of the others
   * both are 0. What is not 0 ends the export: the report's "kind" is "cancelled". */
  int (*progress)(void* context, const char* stage, long long done, long long total);
  /* Writes `size` bytes of that piece from `offset` on to `out`. What is not 0 ends the export (ONNXPORT_BAD_INPUT). */
  int (*read)(void* context, size_t piece, size_t offset, size_t size, void* out);
  void* context;
} onnxport_request;

/* All of the above, and from pieces. `onnx` is for a request without `output`; if both are NULL, nothing is written and
 * weights are not read: the report says whether the model can be exported, and what it would be. */
int onnxport_export(const onnxport_request* request, onnxport_buffer* onnx, onnxport_buffer* report);

/* Writes the ONNX file `model` to `output`, which may be the same, with weights of the file `weights`: safetensors, or
 * a saved state_dict (apply_weights.h). Of the options, "external_data", "sync" and "max_seconds" are known. The report
 * of a success: {"remarks": [...], "files": {"model_bytes": 1000}}. */
int onnxport_apply_weights(const char* model, const char* weights, const char* output, const char* options_json,
                           onnxport_buffer* report);

/* A `.pt2`, TorchScript or ONNX file as text for people, whose form may change (inspect.h). The report of a success is
 * {}. */
int onnxport_inspect(const char* model, const char* options_json, onnxport_buffer* text, onnxport_buffer* report);

/* Which axes of the model's inputs can be free, and what fixes the others, as JSON (ToJson in check_axes.h). Nothing is
 * written. The report of a success is {}. */
int onnxport_check_axes(const char* model, const char* options_json, onnxport_buffer* axes, onnxport_buffer* report);

/* Writes a file that a program has besides, such as a report, as models are written: complete or not at all, and not
 * through a link (WriteOutput in files.h). It is none of `others`, the `other_count` files that the program reads or
 * writes (ONNXPORT_USAGE), however its path is spelled; NULL among them stands for none. The report of a success is {}.
 */
int onnxport_write_file(const char* path, const void* data, size_t size, const char* const* others, size_t other_count,
                        onnxport_buffer* report);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ONNXPORT_C_H_ */
