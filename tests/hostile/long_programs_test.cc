// Programs that are long, or wide, or nested, as far as the limits allow: what they cost grows with their length. Each
// is exported or refused, soon. (A hang ends this test, which tells the case's name.)
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "onnxport/export.h"
#include "runtime/testing/zip_writer.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;
using archive::ZipContents;

constexpr unsigned kMostSeconds = 120;  // for one case; quadratic ones take many times that

std::string Repeated(int count, const std::function<std::string(const std::string& i)>& piece) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece(std::to_string(i));
  return text;
}

// Places in the source can be found only by reading it.
ZipContents WithoutOrigins(ZipContents records) {
  std::erase_if(records, [](const auto& record) { return record.first.ends_with(".debug_pkl"); });
  return records;
}

ZipContents Running(const std::string& body) {
  return WithForward(std::string(std::getenv("ARCHIVES")) + "/traced.pt", "\n" + body + "\n    return x");
}

// Each in the one before.
std::string Nested(int depth, const std::string& head, const std::string& innermost) {
  std::string text;
  std::string indent = "    ";
  for (int i = 0; i < depth; ++i, indent += "  ") text += indent + head + "\n";
  return text + indent + innermost;
}

std::string Dict(const std::string& key, const std::string& use) {
  return "    d = annotate(Dict[int, Tensor], {})\n    for i in range(190000):\n      " + use + "(d, " + key + ", x)";
}

const char* const kIf = "    c = torch.gt(torch.sum(x), 0)\n    b = bool(c)\n";
std::string Variables(int count, const std::string& value) {
  return Repeated(count, [&](const std::string& i) { return "    v" + i + " = " + value + "\n"; });
}
std::string InBlock(int count, const std::string& before, const std::string& after) {
  return Repeated(count, [&](const std::string& i) { return "      " + before + i + after + "\n"; });
}

// 2^19 letters, `piece` again and again (of 2 letters).
std::string LongText(const std::string& name, const std::string& piece) {
  return "    " + name + " = \"" + piece + "\"\n    for i in range(18):\n      " + name + " = torch.add(" + name +
         ", " + name + ")\n";
}

// y_i = relu(x_i): each with a size of its own, or each with one that is written into x_i at the end.
enum class Many : uint8_t { kSymbols, kWrites };
ZipContents ManyTensors(int count, Many kind) {
  const auto list = [&](const std::function<std::string(const std::string&)>& piece) {
    std::string text = Repeated(count, [&](const std::string& i) { return piece(i) + ",\n"; });
    text.resize(text.size() - 2);
    return text;
  };
  const auto symbols = [&](const std::function<std::string(const std::string&)>& piece) {
    return kind == Many::kSymbols ? list(piece) : "";
  };
  const auto named = [](const std::string& name) { return R"({"as_tensor": {"name": ")" + name + R"("}})"; };
  const auto size = [&](const std::string& i) {
    if (kind == Many::kWrites) return std::string(R"({"as_int": 2})");
    return R"({"as_expr": {"expr_str": "Symbol('s)" + i + R"json(', positive=True, integer=True)", "hint": null}})json";
  };
  const auto tensor = [&](const std::string& name, const std::string& i) {
    return '"' + name + R"(": {"dtype": 7, "sizes": [)" + size(i) +
           R"json(], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}],
           "storage_offset": {"as_int": 0}, "layout": 7})json";
  };
  const auto output = [&](const std::string& i) {
    if (kind == Many::kSymbols) return R"({"user_output": {"arg": )" + named("y" + i) + "}}";
    return R"({"user_input_mutation": {"arg": {"name": "y)" + i + R"("}, "user_input_name": "x)" + i + R"("}})";
  };
  const std::string json =
      R"({"graph_module": {"graph": {"inputs": [)" + list([&](const auto& i) { return named("x" + i); }) +
      R"(], "outputs": [)" + list([&](const auto& i) { return named("y" + i); }) + R"(], "nodes": [)" +
      list([&](const auto& i) {
        return R"({"target": "torch.ops.aten.relu.default", "inputs": [{"name": "self", "arg": )" + named("x" + i) +
               R"(, "kind": 1}], "outputs": [)" + named("y" + i) + R"(], "metadata": {}, "name": "n"})";
      }) +
      R"(], "tensor_values": {)" + list([&](const auto& i) { return tensor("x" + i, i) + "," + tensor("y" + i, i); }) +
      R"(}, "sym_int_values": {}, "sym_bool_values": {}}, "signature": {"input_specs": [)" +
      list([&](const auto& i) { return R"({"user_input": {"arg": )" + named("x" + i) + "}}"; }) +
      R"(], "output_specs": [)" + list(output) + R"(]}, "module_call_graph": []}, "range_constraints": {)" +
      symbols([&](const auto& i) { return "\"s" + i + R"(": {"min_val": 2, "max_val": 50})"; }) +
      R"(}, "schema_version": {"major": 8, "minor": 20}, "guards_code": [)" +
      symbols([&](const auto& i) { return "\"L['x" + i + "'].size()[0] // 2 == 7\""; }) + "]}";
  const std::string none = R"({"config": {}})";
  return {{"m/models/model.json", json},
          {"m/data/weights/model_weights_config.json", none},
          {"m/data/constants/model_constants_config.json", none}};
}

struct Long {
  const char* name;
  std::function<ZipContents()> records;
  bool state_as_io = false;
};

const Long kCases[] = {
    {"statements_without_origins",
     [] {
       return WithoutOrigins(
           Running(Repeated(100'000, [](const std::string& i) { return "    x = torch.add(x, " + i + ")\n"; })));
     }},
    {"dict_of_numbers", [] { return Running(Dict("i", "_0 = torch._set_item")); }},
    {"dict_of_texts", [] { return Running(Dict("torch.str(i)", "_0 = torch._set_item")); }},
    {"dict_that_is_asked", [] { return Running(Dict("torch.str(i)", "_0 = torch.setdefault")); }},
    {"nested_loops", [] { return Running(Nested(29, "for i in range(int(torch.sum(x))):", "x = torch.neg(x)")); }},
    {"nested_conditions",
     [] { return Running(Nested(29, "if bool(torch.gt(torch.sum(x), 0)):", "x = torch.neg(x)")); }},
    {"conditions_on_an_old_value",
     [] {
       return Running(kIf + Repeated(20'000, [](const std::string&) {
                        return "    if b:\n      x = torch.neg(x)\n    else:\n      x = torch.abs(x)\n";
                      }));
     }},
    {"writes_in_conditions",
     [] {
       return Running(kIf + std::string("    y = torch.neg(x)\n") + Repeated(50'000, [](const std::string& i) {
                        return "    if b:\n      _0 = torch.add_(y, " + i + ")\n    else:\n      pass\n";
                      }));
     }},
    {"variables_of_a_condition",
     [] {
       return Running(kIf + Variables(20'000, "x") + "    if b:\n" + InBlock(20'000, "v", " = torch.neg(x)") +
                      "    else:\n" + InBlock(20'000, "v", " = torch.abs(x)"));
     }},
    {"writes_in_a_condition",
     [] {
       return Running(kIf + Variables(20'000, "torch.neg(x)") + "    if b:\n" +
                      InBlock(20'000, "_0 = torch.add_(v", ", 1)") + "    else:\n      pass\n");
     }},
    {"writes_in_a_loop",
     [] {
       return Running(Variables(10'000, "torch.neg(x)") + "    for i in range(int(torch.sum(x))):\n" +
                      InBlock(10'000, "_0 = torch.add_(v", ", 1)"));
     }},
    {"variables_of_a_loop",
     [] {
       return Running(Variables(10'000, "x") + "    for i in range(int(torch.sum(x))):\n" +
                      InBlock(10'000, "v", " = torch.neg(x)"));
     }},
    {"one_tensor_in_many_variables_of_a_loop",
     [] {
       return Running(Variables(5'000, "x") + "    for i in range(int(torch.sum(x))):\n" +
                      Repeated(5'000,
                               [](const std::string& i) {
                                 return "      v" + i + " = v" + std::to_string((std::stoi(i) + 1) % 5'000) + "\n";
                               }) +
                      "      _0 = torch.add_(v0, 1)\n");
     }},
    {"views_that_may_be_copies",
     [] {
       return Running("    t = torch.neg(x)\n" + Repeated(20'000, [](const std::string& i) {
                        return "    v" + i + " = torch.contiguous(t)\n    _0 = torch.add_(t, 1)\n";
                      }));
     }},
    {"views_of_views",
     [] {
       return Running(
           "    t = torch.neg(x)\n    v = t\n" + Repeated(300, [](const std::string&) {
             return "    v = torch.select(torch.unsqueeze(torch.squeeze(torch.unsqueeze(v, 0), 0), 0), 0, 0)\n"
                    "    _0 = torch.add_(v, 1)\n";
           }));
     }},
    {"reshapes",
     [] {
       return Running(Repeated(20'000, [](const std::string& i) {
         return "    x = torch.view(x, " + std::string(std::stoi(i) % 2 != 0 ? "[1, 2]" : "[2, 1]") + ")\n";
       }));
     }},
    {"a_text_in_a_longer_one",
     [] {
       return Running(LongText("a", "aa") + "    b = torch.add(a, \"b\")\n    a = torch.add(a, a)\n" +
                      "    x = torch.add(x, torch.find(a, b))\n    x = torch.add(x, torch.count(a, b))\n" +
                      "    x = torch.add(x, torch.rfind(a, torch.add(\"b\", torch.slice(a, 0, 524288, 1))))\n");
     }},
    {"a_text_that_is_replaced",
     [] {
       return Running(LongText("a", "ab") + "    x = torch.add(x, torch.len(torch.replace(a, \"ab\", \"a\")))\n");
     }},
    {"a_text_that_is_trimmed",
     [] {
       return Running(LongText("a", "ab") + "    b = torch.add(torch.replace(a, \"b\", \"c\"), \"b\")\n" +
                      "    x = torch.add(x, torch.len(torch.strip(a, b)))\n");
     }},
    {"inputs_that_are_written_to", [] { return ManyTensors(50'000, Many::kWrites); }, true},
    {"symbols_of_a_pt2", [] { return ManyTensors(10'000, Many::kSymbols); }},
};

class LongPrograms : public testing::TestWithParam<Long> {};

TEST_P(LongPrograms, EndSoon) {
  const fs::path folder = fs::path(testing::TempDir()) / "long" / GetParam().name;
  fs::create_directories(folder);
  const std::string path = (folder / "model").string();
  const ZipContents records = GetParam().records();
  std::ofstream(path, std::ios::binary) << archive::WriteZip(records);
  const fs::path out = folder / "model.onnx";
  fs::remove(out);
  ExportOptions options;
  options.state_as_io = GetParam().state_as_io;
  if (records.size() != 3) options.inputs = {TensorInput("x", kFloat32, {2})};
  ::alarm(kMostSeconds);
  const Result<Model> model = Export(Source::File(path), options);
  if (model) {
    EXPECT_TRUE(model->Save(out));
  } else {
    const Report& report = model.error();
    const bool fits = report.kind() == ErrorKind::kCannotExport || report.kind() == ErrorKind::kMemoryBudget;
    EXPECT_TRUE(fits) << report.Text();
    EXPECT_EQ(report.Text().find("internal error"), std::string::npos) << report.Text();
  }
  ::alarm(0);
  fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, LongPrograms, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Long>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace onnxport
