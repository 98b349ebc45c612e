#include "codegen/emit/case_body.h"

#include <string>
#include <utility>

#include "codegen/emit/names.h"

namespace onnxport::codegen {
namespace {

// [&]() -> Vals { return {...}; }
cpp::Expr BranchOf(const Body& body, size_t begin, size_t end, const BlockWriter& block) {
  cpp::Exprs items;
  for (size_t i = begin; i < end; ++i) items.push_back(block.writer().Val(*body.emit[i], block.scope()));
  return cpp::Lambda({}, "Vals", {cpp::Return(cpp::Braces(std::move(items)))});
}

cpp::Expr IfOf(const Body& body, const BlockWriter& block) {
  const size_t results = body.emit.size() / 2;
  return ContextMethod("if_op", {block.Value(*body.emit[0]), BranchOf(body, 1, 1 + results, block),
                                 BranchOf(body, 1 + results, body.emit.size(), block)});
}

cpp::Expr MapOf(const Expr& map, const BlockWriter& outer) {
  BlockWriter inner = outer.Inner();
  const std::string element = inner.Declare(map.names[0]);
  cpp::Expr each = cpp::Lambda({{"const Val&", element}}, "Val", {cpp::Return(inner.Value(*map.operands[0]))});
  return ContextMethod("map", {outer.Value(*map.operands[1]), std::move(each)});
}

}  // namespace

cpp::Statement ResultOf(const Body& body, bool several_results, const BlockWriter& block) {
  switch (body.kind) {
    case Body::Kind::kIf:
      return cpp::Return(IfOf(body, block));
    case Body::Kind::kMap:
      return cpp::Return(cpp::Braces({MapOf(*body.emit[0], block)}));
    case Body::Kind::kHook:
      return cpp::Return(cpp::Call(body.text, {cpp::Name("c")}));
    case Body::Kind::kRefuse:
      // It throws. GCC does not see that of a function whose result has a destructor, and wants a return.
      return cpp::Return(
          cpp::Braces({cpp::Call(InfoOf(Builtin::kRefuse).cpp, {block.writer().Reason(cpp::Text(body.text))})}));
    case Body::Kind::kEmit:
    case Body::Kind::kList:
    case Body::Kind::kSequence:
      break;
  }
  if (body.emit.size() == 1 && several_results)
    return cpp::Return(cpp::Method(block.writer().Val(*body.emit[0], block.scope()), "AsList", {}));
  cpp::Exprs items;
  for (const ExprPtr& value : body.emit)
    items.push_back(body.emit.size() == 1 ? block.writer().ListSafe(*value, block.scope()) : block.Value(*value));
  return cpp::Return(cpp::Braces(std::move(items)));
}

}  // namespace onnxport::codegen
