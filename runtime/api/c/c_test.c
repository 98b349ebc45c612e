/* The functions of c.h as a program in C calls them. */
#define _POSIX_C_SOURCE 200809L /* for links */

#include "onnxport/c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "c_test.c:%d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

/* A path in the folder of the test, until the next call. */
static const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("TEST_TMPDIR"), name);
  return path;
}

static onnxport_buffer file_of(const char* path) {
  static char bytes[1 << 20];
  FILE* file = fopen(path, "rb");
  onnxport_buffer read = {bytes, 0, NULL};
  CHECK(file != NULL);
  if (file == NULL) return read;
  read.size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return read;
}

static int same(const onnxport_buffer* a, const onnxport_buffer* b) {
  return a->size > 0 && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static int has(const onnxport_buffer* text, const char* part) {
  const int found = text->data != NULL && strlen(text->data) == text->size && strstr(text->data, part) != NULL;
  if (!found) fprintf(stderr, "no %s in: %s\n", part, text->data == NULL ? "NULL" : text->data);
  return found;
}

static int is_empty(const onnxport_buffer* buffer) {
  return buffer->data == NULL && buffer->size == 0 && buffer->owner == NULL;
}

/* The file, and both kinds of bytes, are the same. */
static void test_file_and_bytes(const char* mnist) {
  onnxport_buffer report, onnx, again, file;
  CHECK(onnxport_export_file(mnist, path_of("mnist.onnx"), NULL, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"result\": \"exported\""));
  CHECK(has(&report, "\"source\": \"mnist.pt2\""));
  CHECK(has(&report, "\"model_bytes\": "));
  onnxport_buffer_free(&report);
  CHECK(is_empty(&report));

  CHECK(onnxport_export_file_to_bytes(mnist, "", &onnx, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"name\": \"aten::conv2d\""));
  file = file_of(path_of("mnist.onnx"));
  CHECK(same(&onnx, &file));
  onnxport_buffer_free(&report);

  file = file_of(mnist);
  CHECK(onnxport_export_bytes(file.data, file.size, "{}", &again, NULL) == ONNXPORT_DONE);
  CHECK(same(&onnx, &again));
  onnxport_buffer_free(&again);
  onnxport_buffer_free(&onnx);
  onnxport_buffer_free(&onnx);
  onnxport_buffer_free(NULL);
}

static void test_options(const char* mnist) {
  const char* options =
      "{\"disabled_passes\": \"all\", \"opset\": 17, \"inputs\": [\"x=f32[batch=1..64,1,28,28]\"], \"output_names\": "
      "[\"digit\"], \"max_seconds\": "
      "300}";
  onnxport_buffer onnx, report;
  CHECK(onnxport_export_file_to_bytes(mnist, options, &onnx, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"opset\": 17"));
  CHECK(has(&report, "\"name\": \"digit\""));
  CHECK(has(&report, "\"batch\": {"));
  CHECK(has(&report, "\"max\": 64"));
  onnxport_buffer_free(&onnx);
  onnxport_buffer_free(&report);
}

/* Weights beside the model, which another model then takes. */
static void test_weights(const char* mnist) {
  onnxport_buffer report;
  char weights[4096];
  const char* name;
  CHECK(onnxport_export_file(mnist, path_of("w.onnx"), "{\"external_data\": \"safetensors\"}", &report) ==
        ONNXPORT_DONE);
  CHECK(has(&report, "\"data_file\": \""));
  name = strstr(report.data, "w.");
  snprintf(weights, sizeof weights, "%s", path_of(""));
  strncat(weights, name, strcspn(name, "\""));
  onnxport_buffer_free(&report);
  CHECK(onnxport_export_file(mnist, path_of("v.onnx"), "{\"weights_as_inputs\": true}", NULL) == ONNXPORT_DONE);
  CHECK(onnxport_apply_weights(path_of("v.onnx"), weights, path_of("v.onnx"), NULL, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"files\": {"));
  CHECK(has(&report, "8 weights are those of"));
  onnxport_buffer_free(&report);
  CHECK(onnxport_apply_weights(path_of("v.onnx"), weights, path_of("v.onnx"), "{\"opset\": 9}", &report) ==
        ONNXPORT_USAGE);
  CHECK(has(&report, "\\\"opset\\\" is no option"));
  onnxport_buffer_free(&report);
}

/* The callbacks of a request record their arguments here. */
struct seen {
  onnxport_buffer file;
  int stages, last_piece, end_at;
};

static int see_progress(void* context, const char* stage, long long done, long long total) {
  struct seen* seen = context;
  CHECK(strlen(stage) > 0 && done <= total);
  return ++seen->stages == seen->end_at;
}

/* The bytes of the second piece. */
static int read_piece(void* context, size_t piece, size_t offset, size_t size, void* out) {
  struct seen* seen = context;
  seen->last_piece = (int)piece;
  memcpy(out, seen->file.data + 1000 + offset, size);
  return 0;
}

static int fail_to_read(void* context, size_t piece, size_t offset, size_t size, void* out) {
  return context != NULL && piece + offset + size > 0 && out != NULL;
}

static void test_request(const char* mnist) {
  onnxport_buffer onnx, wanted, written, report;
  onnxport_request request;
  onnxport_piece pieces[3];
  struct seen seen = {{NULL, 0, NULL}, 0, -1, -1};
  char* copy;
  memset(&request, 0, sizeof request);
  request.size = sizeof request;
  request.model = mnist;
  CHECK(onnxport_export(&request, &wanted, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"source\": \"mnist.pt2\""));
  onnxport_buffer_free(&report);

  seen.file = file_of(mnist);
  copy = malloc(seen.file.size);
  memcpy(copy, seen.file.data, seen.file.size);
  seen.file.data = copy;
  pieces[0].data = copy;
  pieces[0].size = 1000;
  pieces[1].data = NULL;
  pieces[1].size = 5000;
  pieces[2].data = copy + 6000;
  pieces[2].size = seen.file.size - 6000;
  request.model = NULL;
  request.pieces = pieces;
  request.piece_count = 3;
  request.name = "a module";
  request.progress = see_progress;
  request.read = read_piece;
  request.context = &seen;
  CHECK(onnxport_export(&request, &onnx, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"source\": \"a module\""));
  CHECK(same(&onnx, &wanted));
  CHECK(seen.stages > 3 && seen.last_piece == 1);
  onnxport_buffer_free(&report);
  onnxport_buffer_free(&onnx);

  request.output = path_of("pieces.onnx");
  CHECK(onnxport_export(&request, NULL, NULL) == ONNXPORT_DONE);
  written = file_of(request.output);
  CHECK(same(&written, &wanted));
  onnxport_buffer_free(&wanted);

  for (seen.end_at = 1; seen.end_at < 6; ++seen.end_at) {
    seen.stages = 0;
    CHECK(onnxport_export(&request, NULL, &report) == ONNXPORT_CANNOT_EXPORT);
    CHECK(has(&report, "\"kind\":\"cancelled\""));
    onnxport_buffer_free(&report);
  }
  seen.end_at = -1;
  request.read = fail_to_read;
  CHECK(onnxport_export(&request, NULL, &report) == ONNXPORT_BAD_INPUT);
  CHECK(has(&report, "a module: piece 1 cannot be read"));
  onnxport_buffer_free(&report);
  request.read = NULL;
  CHECK(onnxport_export(&request, NULL, NULL) == ONNXPORT_USAGE);
  request.model = mnist; /* and pieces */
  CHECK(onnxport_export(&request, NULL, NULL) == ONNXPORT_USAGE);
  request.pieces = NULL;
  request.size = 8;
  CHECK(onnxport_export(&request, NULL, NULL) == ONNXPORT_USAGE);
  request.size = sizeof request;
  request.output = NULL;
  CHECK(onnxport_export(&request, NULL, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "\"name\": \"aten::conv2d\""));
  CHECK(strstr(report.data, "\"files\"") == NULL);
  onnxport_buffer_free(&report);
  CHECK(onnxport_export(NULL, &onnx, NULL) == ONNXPORT_USAGE);
  free(copy);
}

static void test_inspect(const char* mnist) {
  onnxport_buffer text, report;
  CHECK(onnxport_inspect(mnist, NULL, &text, &report) == ONNXPORT_DONE);
  CHECK(has(&text, "aten::conv2d"));
  CHECK(has(&report, "{}"));
  onnxport_buffer_free(&text);
  onnxport_buffer_free(&report);
}

static void test_check_axes(const char* mnist) {
  onnxport_buffer axes, report;
  CHECK(onnxport_check_axes(mnist, "{\"inputs\": [\"x=f32[batch,1,28,28]\"]}", &axes, &report) == ONNXPORT_DONE);
  CHECK(has(&axes, "{\"input\":\"x\",\"axis\":0,\"dtype\":\"float32\",\"size\":\"batch\",\"free\":true,"));
  CHECK(has(&axes, "\"size\":28,\"free\":false,\"together\":[],\"fixed_by\":\""));
  onnxport_buffer_free(&axes);
  onnxport_buffer_free(&report);
  CHECK(onnxport_check_axes(mnist, "{\"opset\": 99}", &axes, &report) == ONNXPORT_USAGE);
  CHECK(axes.data == NULL);
  onnxport_buffer_free(&report);
}

static void test_write_file(void) {
  onnxport_buffer report, held;
  char path[4096], link[4200];
  const char* others[2] = {NULL, path};
  snprintf(path, sizeof path, "%s/told.json", getenv("TEST_TMPDIR"));
  CHECK(onnxport_write_file(path, "told", 4, NULL, 0, &report) == ONNXPORT_DONE);
  CHECK(has(&report, "{}"));
  onnxport_buffer_free(&report);
  snprintf(link, sizeof link, "%s/./told.json", getenv("TEST_TMPDIR"));
  CHECK(onnxport_write_file(link, "lost", 4, others, 2, &report) == ONNXPORT_USAGE);
  CHECK(has(&report, "is read or written for something else here"));
  onnxport_buffer_free(&report);
  snprintf(link, sizeof link, "%s/link.json", getenv("TEST_TMPDIR"));
  CHECK(symlink(path, link) == 0);
  CHECK(onnxport_write_file(link, "lost", 4, NULL, 0, NULL) == ONNXPORT_CANNOT_WRITE);
  CHECK(onnxport_write_file("/dev/full", "lost", 4, NULL, 0, NULL) == ONNXPORT_CANNOT_WRITE);
  CHECK(onnxport_write_file(NULL, "lost", 4, NULL, 0, NULL) == ONNXPORT_USAGE);
  held = file_of(path);
  CHECK(held.size == 4 && memcmp(held.data, "told", 4) == 0);
}

/* An input is never overwritten, whatever name the output has. */
static void test_inputs_stay(const char* mnist) {
  onnxport_buffer model = file_of(mnist), held;
  char copy[4096], hard[4096];
  FILE* file;
  snprintf(copy, sizeof copy, "%s/copy.pt2", getenv("TEST_TMPDIR"));
  snprintf(hard, sizeof hard, "%s/hard.pt2", getenv("TEST_TMPDIR"));
  file = fopen(copy, "wb");
  CHECK(file != NULL && fwrite(model.data, 1, model.size, file) == model.size && fclose(file) == 0);
  CHECK(symlink(copy, path_of("soft.pt2")) == 0 && link(copy, hard) == 0);
  CHECK(onnxport_export_file(copy, copy, NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_export_file(copy, hard, NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_export_file(copy, path_of("soft.pt2"), NULL, NULL) == ONNXPORT_CANNOT_WRITE);
  CHECK(onnxport_export_file(copy, path_of("./copy.pt2"), NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_inspect(copy, NULL, &held, NULL) == ONNXPORT_DONE);
  onnxport_buffer_free(&held);
}

static void test_failures(const char* mnist) {
  const struct {
    const char *model, *output, *options;
    int status;
    const char* says;
  } cases[] = {
      {mnist, path_of("no.onnx"), "{\"inputs\": [\"x=f32[n,1,h,28]\"]}", ONNXPORT_CANNOT_EXPORT,
       "\"op\":\"aten::linear\""},
      {mnist, "no.onnx", "{\"ospet\": 18, \"training\": 1}", ONNXPORT_USAGE, "did you mean \\\"opset\\\"?"},
      {mnist, "no.onnx", "{\"ospet\": 18, \"training\": 1}", ONNXPORT_USAGE,
       "\\\"training\\\": write true or false, not 1"},
      {mnist, "no.onnx", "{\"opset\": 18", ONNXPORT_USAGE, "the options are no JSON"},
      {mnist, "no.onnx", "{\"opset\": 99}", ONNXPORT_USAGE, "99"},
      {"/dev/null", "no.onnx", NULL, ONNXPORT_BAD_INPUT, "\"kind\":\"bad_input\""},
      {mnist, "/dev/null", NULL, ONNXPORT_CANNOT_WRITE, "\"kind\":\"cannot_write\""},
      {mnist, "no.onnx", "{\"max_seconds\": 1e-9}", ONNXPORT_BAD_INPUT, "\"kind\":\"deadline\""},
      {NULL, NULL, NULL, ONNXPORT_USAGE, "arguments that are NULL: model, output"},
  };
  onnxport_buffer onnx, report;
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    const int status = onnxport_export_file(cases[i].model, cases[i].output, cases[i].options, &report);
    if (status != cases[i].status) fprintf(stderr, "case %d: status %d\n", (int)i, status);
    CHECK(status == cases[i].status);
    CHECK(has(&report, cases[i].says));
    onnxport_buffer_free(&report);
  }
  CHECK(onnxport_export_bytes("no model", 8, NULL, &onnx, &report) == ONNXPORT_BAD_INPUT);
  CHECK(is_empty(&onnx));
  onnxport_buffer_free(&report);
  CHECK(onnxport_export_file_to_bytes(mnist, "{\"external_data\": \"always\"}", &onnx, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_export_file_to_bytes(mnist, NULL, NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_export_bytes(NULL, 0, NULL, &onnx, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_apply_weights(NULL, NULL, NULL, NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_inspect(NULL, NULL, NULL, NULL) == ONNXPORT_USAGE);
  CHECK(onnxport_check_axes(NULL, NULL, NULL, NULL) == ONNXPORT_USAGE);
}

int main(void) {
  const char* mnist = getenv("MNIST");
  CHECK(strchr(onnxport_version(), '.') != NULL);
  test_file_and_bytes(mnist);
  test_options(mnist);
  test_weights(mnist);
  test_request(mnist);
  test_inspect(mnist);
  test_check_axes(mnist);
  test_write_file();
  test_inputs_stay(mnist);
  test_failures(mnist);
  return failures == 0 ? 0 : 1;
}
