// A function that is called and not kept: a lambda as an argument.
//
//   Val Map(const Val& list, FunctionRef<Val(const Val&)> f);
//   Map(sizes, [&](const Val& size) { return size * 2; });
//
// Two pointers, where std::function owns a copy of the lambda. For each lambda it makes one function where that makes
// twenty, which is what counts in generated code: it has more than a thousand of them. (std::function_ref is C++26.)
#ifndef ONNXPORT_RUNTIME_BASE_FUNCTION_REF_H_
#define ONNXPORT_RUNTIME_BASE_FUNCTION_REF_H_

#include <cstddef>

namespace onnxport {

template <typename Signature>
class FunctionRef;

// The function must live as long as this is called: that of a lambda in the list of arguments ends with the call. It is
// there, whatever it is: of an empty std::function this is one that throws when it is called.
template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  FunctionRef(std::nullptr_t = nullptr) {}  // false: there is none to call
  template <typename Function>
  FunctionRef(const Function& function) : function_(&function), call_(&Call<Function>) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Args... args) const { return call_(function_, static_cast<Args&&>(args)...); }

 private:
  template <typename Function>
  static Result Call(const void* function, Args... args) {
    return (*static_cast<const Function*>(function))(static_cast<Args&&>(args)...);
  }

  const void* function_ = nullptr;
  Result (*call_)(const void* function, Args... args) = nullptr;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_FUNCTION_REF_H_
