// The defs of a file as C++ functions: one per text that differs between opsets.
#ifndef ONNXPORT_CODEGEN_EMIT_DEF_LIBRARY_H_
#define ONNXPORT_CODEGEN_EMIT_DEF_LIBRARY_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/check/fold.h"
#include "codegen/emit/function.h"

namespace onnxport::codegen {

class DefLibrary {
 public:
  // `defs` outlive this; they do not call themselves, directly or not.
  DefLibrary(const std::vector<Def>& defs, const std::set<std::string>& domains);

  // "conv_from11": what `def` is called at an opset.
  const std::string& NameAt(const std::string& def, int opset) const;

  struct Function {
    const Def* def;
    int since;
    DefText text;
  };
  // The function of a name.
  const Function& FunctionOf(const std::string& name) const { return functions_.at(name); }
  // `names` and everything they call, called ones first.
  std::vector<std::string> InOrder(const std::set<std::string>& names) const;

 private:
  void Add(const Def& def);
  void Visit(const std::string& name, std::set<std::string>* seen, std::vector<std::string>* order) const;

  const std::vector<Def>& defs_;
  const std::set<std::string>& domains_;
  std::map<std::string, std::map<int, std::string>> names_;  // def, opset -> C++ name
  std::map<std::string, Function> functions_;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_EMIT_DEF_LIBRARY_H_
