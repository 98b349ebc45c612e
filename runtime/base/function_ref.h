// Refers to a function for the time of a call, for example to a lambda that is passed as an argument.
//
//   Val Map(const Val& list, FunctionRef<Val(const Val&)> f);
//   Map(sizes, [&](const Val& size) { return size * 2; });
//
// It consists of two pointers, where std::function owns a copy of the lambda. The compiler makes one function for each
// lambda, and for std::function about twenty. Generated code has more than a thousand lambdas, so this counts.
// (std::function_ref is C++26.)
#ifndef ONNXPORT_RUNTIME_BASE_FUNCTION_REF_H_
#define ONNXPORT_RUNTIME_BASE_FUNCTION_REF_H_

#include <cstddef>

namespace onnxport {

template <typename Signature>
class FunctionRef;

// The function must outlive this object. A lambda in a list of arguments lives until the end of the call. An empty
// std::function also counts as a function here: the call throws.
template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  FunctionRef(std::nullptr_t = nullptr) {}  // tests as false
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
