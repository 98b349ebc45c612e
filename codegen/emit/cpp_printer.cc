#include "codegen/emit/cpp_printer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "codegen/emit/cpp_one_line.h"

namespace onnxport::codegen::cpp {
namespace {

using Kind = Node::Kind;

constexpr size_t kColumns = 120;

Exprs Atoms(const std::vector<std::string>& texts) {
  Exprs atoms;
  for (const std::string& text : texts) atoms.push_back(Name(text));
  return atoms;
}

class Printer {
 public:
  explicit Printer(int indent) : indent_(static_cast<size_t>(indent)) {}

  const std::string& text() const { return text_; }

  void Write(std::string_view text) {
    text_ += text;
    column_ += text.size();
  }

  void NewLine(size_t column) {
    while (text_.ends_with(' ')) text_.pop_back();
    text_ += '\n';
    Indent(column);
  }

  void Indent(size_t column) {
    text_.append(column, ' ');
    column_ = column;
  }

  void PrintBlock(const Block& block) {
    for (const Statement& statement : block) PrintStatement(statement);
  }

  void PrintStatement(const Statement& statement) {
    Indent(indent_);
    switch (statement.kind) {
      case Statement::Kind::kReturn:
        Write("return ");
        PrintLast(*statement.value, ";");
        break;
      case Statement::Kind::kExpression:
        PrintLast(*statement.value, ";");
        break;
      case Statement::Kind::kVariable:
        Write(statement.type + " " + statement.name + " = ");
        PrintLast(*statement.value, ";");
        break;
      case Statement::Kind::kUnpack:
        Write(statement.type + " ");
        PrintList(Atoms(statement.names), 0, "[", "]", 2);
        Write(" = ");
        PrintLast(*statement.value, ";");
        break;
      case Statement::Kind::kObject:
        Write(statement.type + " " + statement.name + ";");
        break;
      case Statement::Kind::kIf:
        Write("if (");
        PrintLast(*statement.value, ") {");
        PrintBody(statement.body);
        break;
      case Statement::Kind::kFor:
        Write("for (" + statement.type + " " + statement.name + " : ");
        PrintLast(*statement.value, ") {");
        PrintBody(statement.body);
        break;
    }
    text_ += '\n';
  }

  // `head(parameters) {` and the body.
  void PrintFunction(const Function& function) {
    std::vector<std::string> parameters;
    for (const Parameter& parameter : function.parameters) parameters.push_back(TextOf(parameter));
    Write(function.result + " " + function.name);
    PrintList(Atoms(parameters), 0, "(", ")", 2);
    Write(" {");
    PrintBody(function.body);
    text_ += '\n';
  }

  // Prints the node that ends a statement.
  void PrintLast(const Node& node, std::string_view end) {
    if (node.kind == Kind::kLambda && !Fits(OneLine(node), end.size())) {
      PrintLambda(node, indent_);
      return Write(end);
    }
    // An expression that cannot be broken enough to fit behind `const auto x = ` begins on the next line.
    if (!Fits(OneLine(node), end.size()) && column_ + LeastColumns(node) + end.size() > kColumns) NewLine(indent_ + 4);
    Print(node, end.size());
    Write(end);
  }

 private:
  bool Fits(const std::optional<std::string>& text, size_t trailing) const {
    return text && column_ + text->size() + trailing <= kColumns;
  }

  void PrintBody(const Block& body) {
    text_ += '\n';
    indent_ += 2;
    PrintBlock(body);
    indent_ -= 2;
    Indent(indent_);
    Write("}");
  }

  // `trailing`: columns that whatever follows needs on the last line.
  void Print(const Node& node, size_t trailing) {
    // Asked again for each part of what did not fit. That is quadratic in the depth, and functions are short.
    if (const auto line = OneLine(node); Fits(line, trailing)) return Write(*line);
    switch (node.kind) {
      case Kind::kAtom:
        return PrintAtom(node.text, trailing);
      case Kind::kCall:
        PrintOperand(node, 0, 1);
        return PrintList(node.operands, 1, "(", ")", trailing);
      case Kind::kMember:
        PrintOperand(node, 0, node.text.size() + 2);
        return Write("." + node.text);
      case Kind::kBraces:
        return PrintList(node.operands, 0, node.text + "{", "}", trailing);
      case Kind::kField:
        Write("." + node.text + " = ");
        return PrintOperand(node, 0, trailing);
      case Kind::kLambda:
        return PrintLambda(node, column_);
      case Kind::kInfix:
        return PrintInfix(node, trailing);
      case Kind::kPrefix:
        Write(node.text);
        return PrintOperand(node, 0, trailing);
      case Kind::kConditional:
        return PrintConditional(node, trailing);
      case Kind::kIndex:
        PrintOperand(node, 0, 1);
        return PrintList(node.operands, 1, "[", "]", trailing);
    }
  }

  // A text that does not fit becomes several, broken at spaces.
  void PrintAtom(const std::string& atom, size_t trailing) {
    const size_t start = column_;
    std::string rest = atom;
    while (rest.starts_with('"') && column_ + rest.size() + trailing > kColumns) {
      const size_t space = rest.rfind(' ', kColumns - column_ - 2);
      if (space == std::string::npos) break;
      Write(rest.substr(0, space + 1) + "\"");
      NewLine(start);
      rest = "\"" + rest.substr(space + 1);
    }
    Write(rest);
  }

  void PrintOperand(const Node& parent, size_t operand, size_t trailing) {
    const bool parentheses = NeedsParentheses(parent, operand);
    if (parentheses) Write("(");
    Print(*parent.operands[operand], trailing + parentheses);
    if (parentheses) Write(")");
  }

  void PrintList(const Exprs& all, size_t first, std::string_view open, std::string_view close, size_t trailing) {
    Write(open);
    size_t align = column_;
    size_t least = 0;
    int lambdas = 0;
    for (size_t i = first; i < all.size(); ++i) {
      least = std::max(least, LeastColumns(*all[i]));
      // Only a single lambda hangs, as clang-format does it: `c.map(xs, [&](const Val& x) {`. If there are two, both
      // are aligned.
      lambdas += all[i]->kind == Kind::kLambda;
    }
    if (align + least + close.size() + trailing > kColumns && indent_ + 4 < align) NewLine(align = indent_ + 4);
    for (size_t i = first; i < all.size(); ++i) {
      const bool last = i + 1 == all.size();
      PrintItem(*all[i], {.first = i == first, .hangs = last && lambdas == 1, .align = align},
                last ? close.size() + trailing : 1);
      if (!last) Write(",");
    }
    Write(close);
  }

  struct Item {
    bool first;
    bool hangs;  // a lambda opens a block, as the last item
    size_t align;
  };
  void PrintItem(const Node& node, const Item& item, size_t trailing) {
    const bool block = item.hangs && node.kind == Kind::kLambda && column_ + 1 + Header(node).size() <= kColumns;
    if (!item.first) {
      Write(" ");
      if (!Fits(OneLine(node), trailing) && !block) NewLine(item.align);
    }
    if (Fits(OneLine(node), trailing) || node.kind != Kind::kLambda) return Print(node, trailing);
    PrintLambda(node, block ? indent_ : column_);
  }

  void PrintLambda(const Node& lambda, size_t indent) {
    Write(Header(lambda));
    const size_t outer = std::exchange(indent_, indent);
    PrintBody(lambda.body);
    indent_ = outer;
  }

  void PrintInfix(const Node& node, size_t trailing) {
    const size_t start = column_;
    PrintOperand(node, 0, node.text.size() + 1);
    Write(" " + node.text + " ");
    if (!Fits(OneLineOperand(node, 1), trailing) && !StartsHere(*node.operands[1])) NewLine(start);
    PrintOperand(node, 1, trailing);
  }

  // A call may go on in this line, and break at its commas.
  bool StartsHere(const Node& node) const { return node.kind == Kind::kCall && Fits(OneLine(*node.operands[0]), 1); }

  // a ? b
  // : c ? d
  // : e
  void PrintConditional(const Node& node, size_t trailing) {
    const size_t start = column_;
    const Node* rest = &node;
    for (bool first = true; rest->kind == Kind::kConditional; first = false) {
      if (!first) NewLine(start), Write(": ");
      PrintOperand(*rest, 0, 2);
      if (!Fits(OneLineOperand(*rest, 1), 3) && column_ > start + 40)
        NewLine(start + 4), Write("? ");
      else
        Write(" ? ");
      PrintOperand(*rest, 1, 0);
      rest = rest->operands[2].get();
    }
    NewLine(start);
    Write(": ");
    Print(*rest, trailing);
  }

  size_t indent_;  // of the statement
  size_t column_ = 0;
  std::string text_;
};

}  // namespace

std::string ToText(const Function& function) {
  Printer printer(0);
  printer.PrintFunction(function);
  return printer.text();
}

std::string ToText(const Block& block, int indent) {
  Printer printer(indent);
  printer.PrintBlock(block);
  return printer.text();
}

std::string ToText(const Expr& expr, int indent, std::string_view end) {
  Printer printer(indent);
  printer.Indent(static_cast<size_t>(indent));
  printer.PrintLast(*expr, end);
  return printer.text() + "\n";
}

std::string Comment(std::string_view text) {
  std::string wrapped;
  std::string line = "//";
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (line.size() > 6 && line.size() + 1 + word.size() > kColumns) {
      wrapped += line + "\n";
      line = "//    ";
    }
    line += " " + std::string(word);
  }
  return wrapped + line + "\n";
}

}  // namespace onnxport::codegen::cpp
