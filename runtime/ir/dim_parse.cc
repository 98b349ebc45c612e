// Reads sympy's two forms: `2*s0 + 1` (printed) and `Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))`
// (srepr, used in a .pt2). During parsing a value is a quotient, so that `floor(s0/2)` can be read.
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "runtime/ir/dim.h"
#include "runtime/ir/sym_expr.h"

namespace onnxport::ir {
namespace {

constexpr size_t kMaxText = 16 * 1024;
constexpr int kMaxDimDepth = 64;
constexpr int64_t kMaxPower = SymExpr::kMaxDegree;

// Sympy divides before it rounds: s0//2 may be written `floor(s0/2)`, or (s0 - 1)//2 as `floor(s0/2 - 1/2)`. So every
// part of a text is read as a fraction. It becomes an integer where a function rounds it or the text ends.
struct Quotient {
  Dim numerator;
  Dim denominator = 1;
};

class Parser {
 public:
  Parser(std::string_view text, std::string* error) : text_(text), error_(error) {}

  std::optional<Dim> Parse() {
    Quotient value = Sum();
    SkipSpace();
    if (!failed_ && at_ != text_.size()) Fail("unexpected '" + std::string(text_.substr(at_, 12)) + "'");
    const Dim dim = Whole(value);
    if (failed_) return std::nullopt;
    return dim;
  }

 private:
  void Fail(const std::string& reason) {
    if (!failed_) *error_ = reason + " at character " + std::to_string(at_ + 1);
    failed_ = true;
    at_ = text_.size();
  }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool Take(std::string_view token) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void Expect(std::string_view token) {
    if (!Take(token)) Fail("expected '" + std::string(token) + "'");
  }

  // Returns the quotient as an integer expression. `s0*2/2` is s0. `s0/2` is refused: s0//2 times 2 is not s0, and
  // rounding where the file does not round would be a guess.
  Dim Whole(const Quotient& value) {
    if (failed_) return Dim();
    Dim dim = value.numerator;
    if (!(value.denominator == Dim(1))) {
      dim = Dim::FloorDiv(value.numerator, value.denominator);
      if (!(dim * value.denominator == value.numerator)) Fail("not an integer expression");
    }
    if (dim.is_unknown()) Fail("expression too large");
    return dim;
  }

  Quotient Plus(const Quotient& a, const Quotient& b, int sign) {
    const Dim left = a.numerator * b.denominator;
    const Dim right = b.numerator * a.denominator;
    return {sign > 0 ? left + right : left - right, a.denominator * b.denominator};
  }
  Quotient Times(const Quotient& a, const Quotient& b) {
    return {a.numerator * b.numerator, a.denominator * b.denominator};
  }
  Quotient Over(const Quotient& a, const Quotient& b) {
    if (b.numerator == Dim(0)) Fail("division by zero");
    return {a.numerator * b.denominator, a.denominator * b.numerator};
  }
  Quotient FloorOf(const Quotient& value) {
    const Dim dim = Dim::FloorDiv(value.numerator, value.denominator);
    if (dim.is_unknown()) Fail("expression too large");
    return {dim};
  }
  Quotient CeilOf(const Quotient& value) {
    return {Dim(0) - FloorOf({Dim(0) - value.numerator, value.denominator}).numerator};
  }
  // Rounding towards zero equals rounding down only if nothing is negative. Symbols that the text calls positive show
  // that.
  Quotient TruncOf(const Quotient& value) {
    if (value.denominator == Dim(1)) return value;
    const Range top = value.numerator.Bounds(ranges_);
    const Range bottom = value.denominator.Bounds(ranges_);
    if (!top.min || *top.min < 0 || !bottom.min || *bottom.min <= 0) {
      Fail("rounding towards zero of a number that may be negative");
    }
    return FloorOf(value);
  }

  Quotient Raise(const Quotient& base, const Quotient& exponent) {
    const Dim power = Whole(exponent);
    if (!power.is_number() || power.number() < -kMaxPower || power.number() > kMaxPower) {
      Fail("a power that is no small number");
      return {};
    }
    Quotient result{1};
    for (int64_t i = 0; i < std::abs(power.number()); ++i) result = Times(result, base);
    return power.number() < 0 ? Over({1}, result) : result;
  }

  // sum := product (('+' | '-') product)*
  Quotient Sum() {
    if (++depth_ > kMaxDimDepth) Fail("nested too deep");
    Quotient value = Product();
    while (!failed_) {
      if (Take("+")) {
        value = Plus(value, Product(), 1);
      } else if (Take("-")) {
        value = Plus(value, Product(), -1);
      } else {
        break;
      }
    }
    --depth_;
    return value;
  }

  // product := sign (('*' | '//' | '/' | '%') sign)*
  Quotient Product() {
    Quotient value = Sign();
    while (!failed_) {
      if (Take("//")) {
        value = FloorOf(Over(value, Sign()));
      } else if (Take("/")) {
        value = Over(value, Sign());
      } else if (Take("%")) {
        const Dim divisor = Whole(Sign());
        value = {Known(Dim::Mod(Whole(value), divisor))};
      } else if (Take("*")) {
        value = Times(value, Sign());
      } else {
        break;
      }
    }
    return value;
  }

  // sign := '-'* power
  Quotient Sign() {
    int sign = 1;
    while (Take("-")) sign = -sign;
    if (sign < 0 && Take("9223372036854775808")) return {INT64_MIN};  // not the negative of another number
    // A sign binds less than a power: -s0**2 is -(s0**2), as in Python.
    const Quotient value = PowerOf();
    return sign > 0 ? value : Times({-1}, value);
  }

  // power := atom ('**' sign)?
  Quotient PowerOf() {
    const Quotient base = AtomOf();
    if (!Take("**")) return base;
    if (++depth_ > kMaxDimDepth) Fail("nested too deep");
    const Quotient result = Raise(base, Sign());
    --depth_;
    return result;
  }

  Quotient AtomOf() {
    SkipSpace();
    if (failed_ || at_ == text_.size()) {
      Fail("expression expected");
      return {};
    }
    if (Take("(")) {
      const Quotient value = Sum();
      Expect(")");
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return Number();
    const std::string name = Identifier();
    if (failed_) return {};
    if (!Take("(")) return {Dim::Symbol(name)};
    return Call(name);
  }

  std::string Identifier() {
    const size_t begin = at_;
    const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    while (at_ < text_.size() && part(text_[at_])) ++at_;
    if (begin == at_) Fail("unexpected '" + std::string(text_.substr(at_, 1)) + "'");
    return std::string(text_.substr(begin, at_ - begin));
  }

  Quotient Number() {
    const size_t begin = at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e')) {
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '.')) ++at_;
      return Real(text_.substr(begin, at_ - begin));
    }
    int64_t number = 0;
    const auto result = std::from_chars(text_.data() + begin, text_.data() + at_, number);
    if (result.ec != std::errc()) Fail("number too large");
    return {number};
  }

  // A binary fraction, exactly.
  // 0.5 is 1/2. 0.1 is refused: no fraction of a power of two up to 2**20 is that number.
  Quotient Real(std::string_view text) {
    double real = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), real);
    int64_t denominator = 1;
    while (denominator < (1 << 20) && real != std::floor(real)) {
      real *= 2;
      denominator *= 2;
    }
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(std::fabs(real) < 1e15) ||
        real != std::floor(real)) {
      Fail("a number that is no short fraction");
      return {};
    }
    return {static_cast<int64_t>(real), denominator};
  }

  std::string Quoted() {
    SkipSpace();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const size_t end = text_.find(quote, at_ + 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) {
      Fail("expected a quoted word");
      return "";
    }
    const std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  // `, positive=True, integer=True)`; true when `flag` is set.
  bool Keywords(std::string_view flag) {
    bool seen = false;
    while (!failed_ && Take(",")) {
      SkipSpace();
      const std::string key = Identifier();
      Expect("=");
      SkipSpace();
      const std::string value = Identifier();
      seen = seen || (key == flag && value == "True");
    }
    Expect(")");
    return seen;
  }

  Quotient SymbolCall() {
    const std::string name = Quoted();
    for (const char c : name) {
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
        Fail("a symbol's name has '" + std::string(1, c) + "'");
    }
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) Fail("a symbol without a name");
    if (Keywords("positive")) ranges_[name] = {1, std::nullopt};
    return failed_ ? Quotient{} : Quotient{Dim::Symbol(name)};
  }

  Quotient Call(const std::string& name) {
    if (name == "Symbol") return SymbolCall();
    if (name == "Float") {
      const std::string text = Quoted();
      Keywords("");
      const bool negative = text.starts_with('-');
      const Quotient value = Real(std::string_view(text).substr(negative ? 1 : 0));
      return negative ? Times({-1}, value) : value;
    }
    std::vector<Quotient> args;
    do {
      args.push_back(Sum());
    } while (!failed_ && Take(","));
    Expect(")");
    return failed_ ? Quotient{} : Apply(name, args);
  }

  Dim Known(const Dim& dim) {
    if (dim.is_unknown()) Fail("expression too large, or a division by zero");
    return dim;
  }

  Quotient Apply(const std::string& name, const std::vector<Quotient>& args) {
    const size_t n = args.size();
    if (name == "Add" || name == "Mul") {
      Quotient value = args[0];
      for (size_t i = 1; i < n; ++i) value = name == "Add" ? Plus(value, args[i], 1) : Times(value, args[i]);
      return value;
    }
    if (name == "Max" || name == "Min") {
      Dim dim = Whole(args[0]);
      for (size_t i = 1; i < n; ++i) {
        const Dim next = Whole(args[i]);
        dim = Known(name == "Max" ? Dim::Max(dim, next) : Dim::Min(dim, next));
      }
      return {dim};
    }
    if (n == 1) {
      if (name == "Integer" || name == "Identity" || name == "ToFloat") return args[0];
      if (name == "floor" || name == "FloorToInt") return FloorOf(args[0]);
      if (name == "ceiling" || name == "CeilToInt") return CeilOf(args[0]);
      if (name == "TruncToInt" || name == "TruncToFloat") return TruncOf(args[0]);
    }
    if (n == 2) {
      if (name == "Pow" || name == "PowByNatural") return Raise(args[0], args[1]);
      if (name == "FloorDiv") return FloorOf(Over(args[0], args[1]));
      if (name == "CeilDiv") return CeilOf(Over(args[0], args[1]));
      if (name == "IntTrueDiv" || name == "FloatTrueDiv" || name == "Rational") return Over(args[0], args[1]);
      if (name == "CleanDiv") return FloorOf(Over(args[0], args[1]));
      if (name == "Mod" || name == "PythonMod") return {Known(Dim::Mod(Whole(args[0]), Whole(args[1])))};
    }
    // Inductor's (x // divisor) % modulus.
    if (n == 3 && name == "ModularIndexing") {
      return {Known(Dim::Mod(FloorOf(Over(args[0], args[1])).numerator, Whole(args[2])))};
    }
    Fail("unknown function " + name + " of " + std::to_string(n));
    return {};
  }

  std::string_view text_;
  std::string* error_;
  size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
  Ranges ranges_;  // the text's own statements about its symbols
};

}  // namespace

std::optional<Dim> Dim::Parse(std::string_view text, std::string* error) {
  if (text.size() > kMaxText) {
    *error = "an expression of " + std::to_string(text.size()) + " characters";
    return std::nullopt;
  }
  return Parser(text, error).Parse();
}

}  // namespace onnxport::ir
