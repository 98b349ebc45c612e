// The comments of a YAML file, each with the line of the node that it belongs to.
#ifndef ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_
#define ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/load/yaml.h"

namespace onnxport::codegen {

// Begins the comments that the formatter writes itself: the schemas above an entry.
inline constexpr std::string_view kSchemaComment = "#: ";

class Comments {
 public:
  // `root` is ReadYaml's result for `text`.
  Comments(const std::string& text, const YamlNode& root);

  // Returns the comments on lines of their own before the node that starts on `line`, except the formatter's own. Each
  // is returned once.
  std::vector<std::string> TakeAbove(int line);
  // Returns the comment at the end of `line`, or an empty text. Each is returned once.
  std::string TakeBeside(int line);
  // The comments after the last node.
  const std::vector<std::string>& at_end() const { return at_end_; }
  // Returns the line of a node whose comment was not taken, or 0. Such a comment would be lost, so FormatSpec refuses
  // the file.
  int Untaken() const;

 private:
  std::map<int, std::vector<std::string>> above_;
  std::map<int, std::string> beside_;
  std::vector<std::string> at_end_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_
