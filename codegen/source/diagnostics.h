// Places in spec files, and what is wrong with them. All mistakes of a run are collected and shown together.
#ifndef ONNXPORT_CODEGEN_SOURCE_DIAGNOSTICS_H_
#define ONNXPORT_CODEGEN_SOURCE_DIAGNOSTICS_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

// A spec file's text, kept for the caret line.
struct SourceFile {
  std::string path;  // as given: "spec/aten/pointwise.yaml"
  std::string text;
};

// 1-based; line 0: the file as a whole.
struct Place {
  std::shared_ptr<const SourceFile> file;
  int line = 0;
  int column = 0;
};

// "spec/aten/norm.yaml:12"
std::string LineText(const Place& place);

class Diagnostics {
 public:
  void Error(const Place& place, std::string message);
  void Note(const Place& place, std::string message);  // does not fail the run
  bool has_errors() const { return errors_ > 0; }
  int error_count() const { return errors_; }

  // Sorted by file and place, without repeats:
  //   spec/aten/reduction.yaml:41:19: error: ReduceSum has no argument `axis` ...; did you mean `axes`?
  //    |   emit: ReduceSum(x, axis=dim)
  //    |                      ^
  std::string ToText() const;

 private:
  struct Entry {
    Place place;
    bool is_error;
    std::string message;
  };
  std::vector<Entry> entries_;
  int errors_ = 0;
};

// "; did you mean `axes`?" or nothing: the NearestName of runtime/base/nearest_name.h.
std::string DidYouMean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SOURCE_DIAGNOSTICS_H_
