#include "runtime/torchscript/interpret/interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"
#include "runtime/torchscript/interpret/boundary/objects.h"

namespace onnxport::torchscript {
namespace {

constexpr int64_t kMaxSteps = 20'000'000;   // statements and calls; a program that needs more is no model
constexpr uint64_t kBytesForTraced = 2048;  // of memory: a value, its call here, its nodes and their types in ONNX
constexpr int kMaxBlocks = 30;              // If in Loop in If ...: readers of ONNX files refuse deeper ones

}  // namespace

Interpreter::Interpreter(const Program* program, Heap* heap, trace::Tracer* tracer, std::string loop_hint,
                         const TracedNumbers* traced)
    : program_(*program),
      heap_(*heap),
      tracer_(*tracer),
      loop_hint_(std::move(loop_hint)),
      numbers_(traced, tracer),
      builtins_(program, tracer, heap),
      quantized_(heap, tracer, &builtins_) {}

Value Interpreter::Module() {
  ObjectReader reader(program_, &heap_, &quantized_, [this](const Function& method, ValueList arguments) {
    Call(method, {std::move(arguments), {}});
  });
  Value module = reader.Read(program_.module, "");
  for (size_t i = 0; i < program_.constants.size(); ++i)
    constants_.push_back(reader.Read(program_.constants[i], fmt::format("CONSTANTS.c{}", i)));
  return module;
}

ir::Location Interpreter::LocationAt(Offset offset) const {
  const auto locate = [](const Activation& activation, Offset at) {
    const Function* function = activation.function;
    return function && function->file ? function->file->Locate(at) : ir::Location{};
  };
  ir::Location location = locate(*activation_, offset);
  // What LibTorch has compiled in (`<string>`) says nothing to the user: where it was called from does.
  for (const Activation* at = activation_; location.file.starts_with('<') && at->caller->function; at = at->caller)
    location = locate(*at->caller, at->caller->calling);
  location.module = activation_->module;
  return location;
}

void Interpreter::LocateAt(Offset offset) { tracer_.SetLocation(LocationAt(offset)); }

std::string Interpreter::Place(Offset offset) const {
  const ir::Location location = LocationAt(offset);
  if (location.file.empty()) return activation_->function ? activation_->function->qualified_name : "the program";
  return location.line ? fmt::format("{}:{}", location.file, location.line) : location.file;
}

void Interpreter::CountStep() {
  Interruption::Check();
  if (++steps_ > kMaxSteps)
    throw Error(ErrorKind::kCannotExport, fmt::format("the program takes more than {} steps to export", kMaxSteps));
}

// Values of undone regions stay counted, as they stay in the tracer.
void Interpreter::CountTraced() {
  const size_t now = tracer_.source().values.size();
  if (now > counted_) traced_.Add((now - counted_) * kBytesForTraced);
  counted_ = now;
}

std::string Interpreter::Running() const { return "the code at " + Place(activation_->calling); }

void Interpreter::Remark(Offset offset, const std::string& text) {
  tracer_.Remark(fmt::format("{}: {}", Place(offset), text));
}

void Interpreter::BadCode(const Expr& expr, const std::string& what) const {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", Place(expr.offset), what));
}

Value Interpreter::Failed(const std::string& op, const std::string& reason) {
  tracer_.Fail(op, reason);
  return {Missing{.reason = reason, .reported = true}};
}

Speculation::Speculation(Interpreter* interpreter)
    : interpreter_(*interpreter), frame_(interpreter->activation_->frame) {
  if (interpreter_.blocks_ == kMaxBlocks)
    throw Error(ErrorKind::kCannotExport,
                fmt::format("conditions and loops that a run decides are nested more than {} deep", kMaxBlocks));
  ++interpreter_.blocks_;
  interpreter_.tracer_.Begin();
  interpreter_.heap_.Begin();
  frame_.Begin();
}

Speculation::Outcome Speculation::End() {
  open_ = false;
  --interpreter_.blocks_;
  Outcome outcome;
  outcome.variables = frame_.Undo();
  outcome.cells = interpreter_.heap_.Undo();
  outcome.region = interpreter_.tracer_.End();
  return outcome;
}

Speculation::~Speculation() {
  if (open_) End();
}

}  // namespace onnxport::torchscript
