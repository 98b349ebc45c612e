// Words that C++ keeps for itself: no name of generated code.
#ifndef ONNXPORT_CODEGEN_MODEL_CPP_KEYWORDS_H_
#define ONNXPORT_CODEGEN_MODEL_CPP_KEYWORDS_H_

#include <algorithm>
#include <array>
#include <string_view>

namespace onnxport::codegen {

// Sorted.
inline constexpr auto kCppKeywords = std::to_array<std::string_view>({
    "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
    "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
    "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
    "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
    "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
    "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
    "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
    "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
    "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
    "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
    "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
    "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
    "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
    "xor_eq",
});
static_assert(std::ranges::is_sorted(kCppKeywords));

constexpr bool IsCppKeyword(std::string_view word) { return std::ranges::binary_search(kCppKeywords, word); }

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_CPP_KEYWORDS_H_
