#include "runtime/sources/pt2/replay/refused_operators.h"

#include <algorithm>
#include <iterator>

namespace onnxport::pt2 {
namespace {

struct Refused {
  std::string_view op;
  const char* why;
};

constexpr const char* kCompiled = "calls code that was compiled for a device; save the program before it is lowered";
constexpr const char* kTraining = "belongs to training; export the forward pass";
constexpr const char* kCustom =
    "calls an operator of the user that writes to its arguments, for which there is no mapping; write it with "
    "PyTorch's own operators";
constexpr const char* kKernel = "calls a kernel of the user; write it with PyTorch's own operators";

constexpr Refused kRefused[] = {
    {"higher_order::aoti_call_delegate", kCompiled},
    {"higher_order::auto_functionalized", kCustom},
    {"higher_order::auto_functionalized_v2", kCustom},
    {"higher_order::call_torchbind", "calls a method of a C++ object of the user; compute it with tensors"},
    {"higher_order::dynamo_bypassing_wrapper", "calls its graph through a function that the file does not hold"},
    {"higher_order::executorch_call_delegate", kCompiled},
    {"higher_order::flat_apply", "calls a function that was not traced; let torch.export trace it"},
    {"higher_order::flex_attention",
     "is not exported; torch.nn.functional.scaled_dot_product_attention with bias and mask as `attn_mask` is"},
    {"higher_order::flex_attention_backward", kTraining},
    {"higher_order::flex_gemm", kKernel},
    {"higher_order::foreach_map", "calls its function for each tensor of lists; write the loop in Python"},
    {"higher_order::inductor_compiled_code", kCompiled},
    {"higher_order::inline_asm_elementwise", kKernel},
    {"higher_order::invoke_leaf_function", "calls a function that was not traced; let torch.export trace it"},
    {"higher_order::invoke_quant_packed", kCompiled},
    {"higher_order::local_map_hop", "computes with tensors that are spread over devices; export the model of one"},
    {"higher_order::out_dtype",
     "computes in a dtype that it does not say; convert the arguments and call the operator"},
    {"higher_order::register_hook", kTraining},
    {"higher_order::switch", "is not exported; nested torch.cond is"},
    {"higher_order::triton_kernel_wrapper_functional", kKernel},
    {"higher_order::triton_kernel_wrapper_mutation", kKernel},
    {"higher_order::while_loop_stack_output", kTraining},
    {"higher_order::with_effects", "calls an operator with effects outside of the program; leave it out"},
};

}  // namespace

std::string WhyRefused(std::string_view op) {
  const auto* known = std::ranges::find(kRefused, op, &Refused::op);
  if (known != std::end(kRefused)) return known->why;
  return "takes graphs or functions in a way that is not known here; run_decompositions() may write it out";
}

}  // namespace onnxport::pt2
