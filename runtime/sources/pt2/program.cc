#include "runtime/sources/pt2/program.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/base/unique_names.h"
#include "runtime/sources/pt2/after_reading.h"
#include "runtime/sources/pt2/arguments.h"
#include "runtime/sources/pt2/guards.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/nodes.h"
#include "runtime/sources/pt2/scope.h"
#include "runtime/trace/state_remarks.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;

constexpr int64_t kSchemaMajor = 8;
constexpr int64_t kUnbounded = INT64_MAX - 1;  // what sympy's infinity became

// The parts that grow with the program come member by member: a call, a type, an input. Other parts come whole, and
// most of their members are not read. This relies on the order in which torch.export writes: inputs, calls, types, then
// the signature. In another order a name would be unknown, which is an error but never a wrong program.
const OpenContainers kOpen = {
    "",
    "graph_module",
    "graph_module/graph",
    "graph_module/graph/nodes",
    "graph_module/graph/sym_bool_values",
    "graph_module/graph/sym_float_values",
    "graph_module/graph/sym_int_values",
    "graph_module/graph/tensor_values",
    "graph_module/module_call_graph",
    "graph_module/signature",
    "graph_module/signature/input_specs",
    "graph_module/signature/output_specs",
    "graph_module/treespec_namedtuple_fields",
    "range_constraints",
};

// A user's input or output before it gets its name.
struct Leaf {
  Arg value;          // inputs: none when the value is fixed
  std::string name;   // the file's own; inputs only
  bool none = false;  // a fixed input that is None
};

class Reader {
 public:
  Reader(MetaReader* metas, bool with_writes)
      : metas_(metas), with_writes_(with_writes), scope_(&program_.graph), nodes_(&program_.graph, metas) {}

  Program Read(const TextBlocks& json) {
    ReadJson(json, kOpen, [this](std::string_view container, std::string_view key, const Json& value) {
      Piece(container, key, value);
    });
    if (!seen_version_) throw Error(ErrorKind::kBadInput, "'schema_version' is missing");
    if (!seen_signature_) throw Error(ErrorKind::kBadInput, "the signature is missing");
    CheckSignature();
    // Last, after all pieces: names need the signature and the trees of arguments, copies between devices need types,
    // and guards name inputs.
    NameInputs();
    NameOutputs();
    AddWrites();
    MarkDeviceCopies(scope_, &program_.graph.body);
    DropUnusedHostNodes(&program_.graph);
    CheckTypes(program_.graph);
    UseGuards(guards_, &program_.graph);
    program_.guards = std::move(guards_);
    return std::move(program_);
  }

 private:
  void Piece(std::string_view container, std::string_view key, const Json& value) {
    constexpr std::string_view kGraph = "graph_module/graph/";
    if (container.starts_with(kGraph)) {
      GraphPiece(container.substr(kGraph.size()), key, value);
    } else if (container == "graph_module/graph" && key == "inputs") {
      for (const Json& input : value.Elements()) DefineInput(input);
    } else if (container == "graph_module/graph" && key == "outputs") {
      for (const Json& output : value.Elements()) results_.push_back(NameOf(output.Choice()));
    } else if (container == "graph_module/signature/input_specs") {
      seen_signature_ = true;
      InputSpec(value.Choice());
    } else if (container == "graph_module/signature/output_specs") {
      seen_signature_ = true;
      OutputSpec(value.Choice());
    } else if (container == "graph_module/module_call_graph") {
      CallSignature(value);
    } else if (container == "graph_module/treespec_namedtuple_fields") {
      for (const Json& field : value["field_names"].Elements()) fields_[std::string(key)].emplace_back(field.AsText());
    } else if (container == "range_constraints") {
      ReadRange(key, value);
    } else if (container.empty() && key == "guards_code") {
      for (const Json& guard : value.Elements()) guards_.emplace_back(guard.AsText());
    } else if (container.empty() && key == "schema_version") {
      CheckVersion(value);
    }
  }

  void GraphPiece(std::string_view container, std::string_view key, const Json& value) {
    if (container == "nodes") {
      nodes_.Read(value, &scope_);
    } else if (container == "tensor_values") {
      scope_.SetTensor(key, value, metas_);
    } else if (container == "sym_int_values") {
      scope_.SetSymInt(key, value, metas_);
    }
  }

  void CheckVersion(const Json& version) {
    seen_version_ = true;
    const int64_t major = version["major"].AsInt();
    if (major == kSchemaMajor) return;
    throw Error(Code::kUnknownFormat, "schema version " + std::to_string(major) + "." +
                                          std::to_string(version["minor"].AsInt()) + " is unknown; known is " +
                                          std::to_string(kSchemaMajor) + ".x (PyTorch 2.6 to 2.15)");
  }

  // The key may be an expression ("2*s0"). Only multiples of a symbol say something about the symbol.
  void ReadRange(std::string_view key, const Json& range) {
    ir::Range bounds;
    if (const auto min = range.Find("min_val")) bounds.min = min->AsInt();
    if (const auto max = range.Find("max_val"); max && max->AsInt() < kUnbounded) bounds.max = max->AsInt();
    if (bounds.min && bounds.max && *bounds.min > *bounds.max) {
      range.Fail("no size is in the range of '" + Printable(key) + "', " + std::to_string(*bounds.min) + " to " +
                 std::to_string(*bounds.max));
    }
    std::string ignored;
    const auto dim = ir::Dim::Parse(key, &ignored);
    const std::vector<std::string> symbols = dim ? dim->symbols() : std::vector<std::string>();
    if (symbols.size() != 1) return;
    const ir::Dim symbol = ir::Dim::Symbol(symbols[0]);
    // A bound of 2*s0 bounds s0. Bounds of s0 + s1 or s0 - 1 are ignored, so less is known, but nothing wrong.
    const ir::Dim factor = ir::Dim::FloorDiv(*dim, symbol);
    if (!factor.is_number() || factor.number() < 1 || !(factor * symbol == *dim)) return;
    const int64_t n = factor.number();
    ir::Range& known = program_.graph.ranges[symbols[0]];
    // Round inwards: 2*s0 in 5..9 means s0 in 3..4.
    if (bounds.min) {
      const int64_t low = *bounds.min / n + (*bounds.min % n > 0);
      known.min = std::max(known.min.value_or(low), low);
    }
    if (bounds.max) {
      const int64_t high = *bounds.max / n;
      known.max = std::min(known.max.value_or(high), high);
    }
  }

  // ---- inputs ----

  void DefineInput(const Json& input) {
    const Json choice = input.Choice();
    if (choice.key() == "as_custom_obj") return;  // reported at its use
    if (choice.key().starts_with("as_tensor") || choice.key().starts_with("as_sym")) scope_.DefineArgument(input);
  }

  void InputSpec(const Json& spec) {
    const std::string_view kind = spec.key();
    if (kind == "user_input") {
      UserInput(spec["arg"].Choice());
    } else if (kind == "parameter") {
      Lift(spec["arg"], spec["parameter_name"], false);
    } else if (kind == "buffer") {
      Lift(spec["arg"], spec["buffer_name"], !spec["persistent"].AsBool());
    } else if (kind == "tensor_constant") {
      Lift(spec["arg"], spec["tensor_constant_name"], true);
    } else if (kind == "constant_input") {
      Fixed(spec["name"].AsText(), spec["value"].Choice().key() == "as_none");
    } else if (kind != "custom_obj" && kind != "token") {
      spec.FailUnknown("unknown kind of input '" + Printable(kind) + "'");
    }
  }

  // The signature must mention each input of the graph once.
  void TakeOnce(const Json& name) {
    if (!taken_.insert(std::string(name.AsText())).second)
      name.Fail("input '" + Printable(name.AsText()) + "' is in the signature twice");
  }

  void Lift(const Json& arg, const Json& name, bool constant) {
    TakeOnce(arg["name"]);
    const Arg& value = scope_.Find(arg["name"].AsText(), arg);
    if (value.value() == nullptr) arg.Fail("no tensor");
    program_.lifted.push_back({*value.value(), std::string(name.AsText()), constant});
    if (with_writes_) lifted_.try_emplace(program_.lifted.back().name, *value.value());
  }

  void UserInput(const Json& arg) {
    if (!arg.key().starts_with("as_tensor") && !arg.key().starts_with("as_sym"))
      return Fixed(arg.key(), arg.key() == "as_none");
    const auto named = arg.Find("name");
    const Json name = named ? *named : arg["as_name"];
    TakeOnce(name);
    inputs_.push_back({scope_.Find(name.AsText(), name), std::string(name.AsText()), false});
  }

  // Keeps its place among the leaves: in `forward(x, 2)` the 2 is a leaf, too. Without it, later names would be shifted
  // by one.
  void Fixed(std::string_view name, bool none) { inputs_.push_back({Arg(), std::string(name), none}); }

  void NameInputs() {
    ir::Graph& graph = program_.graph;
    std::vector<std::string> names;
    if (!in_spec_.empty()) names = InputNames(in_spec_, argument_names_, fields_);
    const bool use = names.size() == inputs_.size();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const std::string& name = use ? names[i] : inputs_[i].name;
      if (inputs_[i].none) continue;
      if (inputs_[i].value.value() == nullptr) {
        program_.remarks.push_back("argument '" + name + "' is no tensor: its value at export is part of the graph");
        continue;
      }
      graph.inputs.push_back({ports_.Take(name), inputs_[i].value});
      graph.body.inputs.push_back(*inputs_[i].value.value());
    }
  }

  // ---- outputs ----

  // The name of a call's result, a tensor or a number; empty for a literal.
  static std::string NameOf(const Json& choice) {
    if (choice.key().starts_with("as_tensor") || choice.key() == "as_custom_obj") {
      const auto name = choice.Find("name");
      return name ? std::string(name->AsText()) : "";
    }
    if (!choice.key().starts_with("as_sym")) return "";
    const auto name = choice.Find("as_name");
    return name ? std::string(name->AsText()) : "";
  }

  // Checks that the graph has the outputs of the signature, in its order.
  void CheckSignature() const {
    if (results_ == signed_) return;
    const auto [here, there] = std::ranges::mismatch(results_, signed_);
    const std::string which = std::to_string(here - results_.begin());
    throw Error(ErrorKind::kBadInput, here == results_.end() || there == signed_.end()
                                          ? "the graph gives " + std::to_string(results_.size()) +
                                                " results, the signature has " + std::to_string(signed_.size())
                                          : "result " + which + " of the graph is '" + Printable(*here) +
                                                "', the signature says '" + Printable(*there) + "'");
  }

  void OutputSpec(const Json& spec) {
    const std::string_view kind = spec.key();
    signed_.push_back(SignedName(spec));
    if (kind == "user_output") {
      outputs_.push_back({ReadArgument(spec["arg"], scope_), "", false});
    } else if (kind == "loss_output") {
      outputs_.push_back({scope_.Find(spec["arg"]["name"].AsText(), spec), "", false});
    } else if (kind == "buffer_mutation") {
      WeightWrite(spec["arg"], spec["buffer_name"]);
    } else if (kind == "parameter_mutation") {
      WeightWrite(spec["arg"], spec["parameter_name"]);
    } else if (kind == "user_input_mutation") {
      const Json name = spec["user_input_name"];
      if (!with_writes_) return program_.remarks.push_back(trace::InputRemark(Printable(name.AsText())));
      AddWrite(spec["arg"], scope_.Find(name.AsText(), name), name);
    } else if (kind.starts_with("gradient_")) {
      throw Error(ErrorKind::kCannotExport,
                  "the archive holds a training step (outputs that are gradients): export the forward pass");
    } else if (kind != "token") {
      spec.FailUnknown("unknown kind of output '" + Printable(kind) + "'");
    }
  }

  // The value of an output: a choice for an output of the user, else a name.
  static std::string SignedName(const Json& spec) {
    const auto arg = spec.Find("arg");
    if (!arg) return "";
    const auto name = arg->Find("name");
    return name ? std::string(name->AsText()) : NameOf(arg->Choice());
  }

  void WeightWrite(const Json& arg, const Json& name) {
    if (!with_writes_) return program_.remarks.push_back(trace::WeightRemark(Printable(name.AsText())));
    const auto weight = lifted_.find(std::string(name.AsText()));
    if (weight == lifted_.end()) name.Fail("no such parameter or buffer");
    AddWrite(arg, {weight->second}, name);
  }

  void AddWrite(const Json& arg, const Arg& target, const Json& name) {
    const Arg& value = scope_.Find(arg["name"].AsText(), arg);
    if (target.value() == nullptr || value.value() == nullptr) name.Fail("no tensor");
    writes_.emplace_back(*target.value(), value);
  }

  // They come after the program's own outputs and are treated like those: for example, they count as uses.
  void AddWrites() {
    ir::Graph& graph = program_.graph;
    for (const auto& [target, value] : writes_) {
      program_.writes.push_back({graph.outputs.size(), target});
      graph.outputs.push_back({"", value});
      graph.body.outputs.push_back(value);
    }
  }

  void NameOutputs() {
    ir::Graph& graph = program_.graph;
    std::vector<std::string> names;
    if (!out_spec_.empty()) names = OutputNames(out_spec_, fields_);
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const std::string name = names.size() == outputs_.size() ? names[i]
                               : outputs_.size() == 1          ? "output"
                                                               : "output_" + std::to_string(i);
      graph.outputs.push_back({ports_.Take(name), outputs_[i].value});
      graph.body.outputs.push_back(outputs_[i].value);
    }
  }

  void CallSignature(const Json& entry) {
    // The entry of the model itself. Those of its modules are only for torch.export.
    if (!entry["fqn"].AsText().empty()) return;
    const auto signature = entry.Find("signature");
    if (!signature) return;
    in_spec_ = std::string((*signature)["in_spec"].AsText());
    out_spec_ = std::string((*signature)["out_spec"].AsText());
    const auto names = signature->Find("forward_arg_names");
    if (!names) return;
    for (const Json& name : names->Elements()) argument_names_.emplace_back(name.AsText());
  }

  MetaReader* metas_;
  bool with_writes_;
  Program program_;
  Scope scope_;
  NodeReader nodes_;
  std::set<std::string> taken_;       // inputs of the graph in the signature
  std::vector<std::string> results_;  // names of the graph's outputs
  std::vector<std::string> signed_;   // names of the signature's outputs
  std::vector<Leaf> inputs_;
  std::vector<Leaf> outputs_;
  std::unordered_map<std::string, ir::ValueId> lifted_;  // by name, if writes are asked for
  std::vector<std::pair<ir::ValueId, Arg>> writes_;      // the written value, and its new value
  ir::UniqueNames ports_;
  std::string in_spec_;
  std::string out_spec_;
  std::vector<std::string> argument_names_;
  TupleFields fields_;
  std::vector<std::string> guards_;
  bool seen_version_ = false;
  bool seen_signature_ = false;
};

}  // namespace

Program ReadProgram(const TextBlocks& json, MetaReader* metas, bool with_writes) {
  return Reader(metas, with_writes).Read(json);
}

}  // namespace onnxport::pt2
