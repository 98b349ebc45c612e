// The forms of random expressions.
#ifndef ONNXPORT_TESTS_LANGUAGE_RANDOM_FORMS_H_
#define ONNXPORT_TESTS_LANGUAGE_RANDOM_FORMS_H_

#include <map>
#include <vector>

namespace onnxport::language {

enum class Type { kInt, kBool, kFloat, kInts, kTensor, kTensors, kText };

// `{i}`, `{b}` ... stand for an expression of a type. Those that end in `?` are no conditionals and hold none.
const std::map<Type, std::vector<const char*>>& Forms();

// The simplest value of a type; empty where only a name will do.
const char* Plain(Type type);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_RANDOM_FORMS_H_
