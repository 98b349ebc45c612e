// A syntax tree of C++, as far as generated code needs it. The printer lays it out (cpp_printer.h).
#ifndef ONNXPORT_CODEGEN_EMIT_CPP_H_
#define ONNXPORT_CODEGEN_EMIT_CPP_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/dtype.h"

namespace onnxport::codegen::cpp {

// With a tree, only the printer decides about parentheses and line breaks, and no code has to take texts apart again.
// Nodes are shared and never changed.
struct Node;
using Expr = std::shared_ptr<const Node>;
using Exprs = std::vector<Expr>;

struct Statement;
using Block = std::vector<Statement>;

struct Parameter {
  std::string type;  // "const Val&"
  std::string name;
};

struct Node {
  enum class Kind {
    kAtom,         // text: a name or a literal
    kCall,         // operands: what is called, its arguments
    kMember,       // operands[0].text
    kBraces,       // text{operands}; text may be empty
    kField,        // .text = operands[0], within braces
    kLambda,       // [&](parameters) -> text { body }
    kInfix,        // operands[0] text operands[1]
    kPrefix,       // text operands[0]
    kConditional,  // operands[0] ? operands[1] : operands[2]
    kIndex,        // operands[0][operands[1]]
  } kind = Kind::kAtom;
  std::string text;
  Exprs operands;
  std::vector<Parameter> parameters;
  Block body;
};

struct Statement {
  enum class Kind {
    kExpression,  // value;
    kReturn,      // return value;
    kVariable,    // type name = value;
    kUnpack,      // type [names] = value;
    kObject,      // type name;
    kIf,          // if (value) { body }
    kFor,         // for (type name : value) { body }
  } kind = Kind::kExpression;
  Expr value;
  std::string type;
  std::string name;
  std::vector<std::string> names;
  Block body;
};

struct Function {
  std::string result;  // "static Val"
  std::string name;
  std::vector<Parameter> parameters;
  Block body;
};

Expr Name(std::string_view name);
Expr Int(int64_t value);
Expr Float(double value);
Expr DTypeName(ir::DType dtype);   // DType::kFloat32
Expr Text(std::string_view text);  // a literal; special characters are escaped
Expr Call(Expr callee, Exprs arguments);
Expr Call(std::string_view function, Exprs arguments);
Expr Method(Expr object, std::string_view method, Exprs arguments);
Expr Braces(Exprs items);
Expr Object(std::string_view type, Exprs items);  // type{items}
Expr Field(std::string_view name, Expr value);
// Leaves out the names of parameters that the body does not use.
Expr Lambda(std::vector<Parameter> parameters, std::string_view result, Block body);
Function MakeFunction(std::string_view result, std::string_view name, std::vector<Parameter> parameters, Block body);
Expr Thunk(Expr value);  // [&] { return value; }
Expr Infix(std::string_view op, Expr a, Expr b);
Expr Prefix(std::string_view op, Expr operand);
Expr Conditional(Expr condition, Expr yes, Expr no);
Expr Index(Expr list, Expr index);

Statement Do(Expr value);
Statement Return(Expr value);
Statement Variable(std::string_view type, std::string_view name, Expr value);
Statement Unpack(std::string_view type, std::vector<std::string> names, Expr value);
Statement Construct(std::string_view type, std::string_view name);
Statement If(Expr condition, Block body);
Statement For(std::string_view type, std::string_view name, Expr range, Block body);

// Returns true if the name occurs. Generated code never hides a name, so it means the same everywhere.
bool Mentions(const Expr& expr, std::string_view name);
bool Mentions(const Block& block, std::string_view name);

}  // namespace onnxport::codegen::cpp

#endif  // ONNXPORT_CODEGEN_EMIT_CPP_H_
