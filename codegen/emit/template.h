// Text with holes. A template reads like its output:
//
//   Vals {{name}}(Context& c) {
//   {{statements}}
//   }
//
// A hole alone on its line stands for whole lines. Its text gets the hole's indentation on each line, and an empty text
// removes the line. Any other hole stands for text within the line.
#ifndef ONNXPORT_CODEGEN_EMIT_TEMPLATE_H_
#define ONNXPORT_CODEGEN_EMIT_TEMPLATE_H_

#include <map>
#include <string>
#include <string_view>

namespace onnxport::codegen {

using Holes = std::map<std::string, std::string, std::less<>>;

// Throws std::runtime_error for a hole without a value, a value without a hole, and an unclosed hole. These are
// mistakes of the generator, not of a spec. `name` is the template's name, for the message.
std::string FillTemplate(std::string_view name, std::string_view text, const Holes& holes);

// The templates of a folder ("templates/").
class Templates {
 public:
  explicit Templates(std::string folder) : folder_(std::move(folder)) {}
  // `name`: "function.cc" for function.cc.tpl.
  std::string Fill(const std::string& name, const Holes& holes);

 private:
  std::string folder_;
  std::map<std::string, std::string> texts_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_TEMPLATE_H_
