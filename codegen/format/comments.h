// The comments of a YAML file, each with the line of the node that it is about.
#ifndef ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_
#define ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/load/yaml.h"

namespace onnxport::codegen {

// Starts the lines that the formatter writes itself: the schemas above an entry.
inline constexpr std::string_view kSchemaComment = "#: ";

class Comments {
 public:
  // `root` is what ReadYaml made of `text`.
  Comments(const std::string& text, const YamlNode& root);

  // Comments on lines of their own before the node that starts on `line`, without the formatter's own. Given once.
  std::vector<std::string> TakeAbove(int line);
  // The comment at the end of `line`, or empty. Given once.
  std::string TakeBeside(int line);
  // Those after the last node.
  const std::vector<std::string>& at_end() const { return at_end_; }
  // The line of a node whose comment was not taken; 0 when all were. A comment that nobody took would be lost, so
  // FormatSpec refuses the file.
  int Untaken() const;

 private:
  std::map<int, std::vector<std::string>> above_;
  std::map<int, std::string> beside_;
  std::vector<std::string> at_end_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_FORMAT_COMMENTS_H_
