#include "runtime/sources/torchscript/interpret/operators/overloads.h"

#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "runtime/sources/torchscript/syntax/parser.h"
#include "runtime/testing/script_evaluator.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {
namespace {

// Variables: x, y tensors; n, f, b numbers of a run; l ints, ts tensors, oi an optional tensor.
class OverloadsTest : public testing::Test {
 protected:
  OverloadsTest() {
    ir::Value tensor;
    tensor.dtype = ir::DType::kFloat32;
    tensor.dims = ir::Dims{2, 3};
    const Value x{Tensor{tracer_.AddInput("x", tensor)}}, y{Tensor{tracer_.AddInput("y", tensor)}};
    evaluator_.variables = {{"x", x},
                            {"y", y},
                            {"n", Run("n", ir::ValueKind::kInt, ir::DType::kInt64)},
                            {"f", Run("f", ir::ValueKind::kFloat, ir::DType::kFloat64)},
                            {"b", Run("b", ir::ValueKind::kBool, ir::DType::kBool)},
                            {"l", {evaluator_.heap.NewList({{int64_t{1}}})}},
                            {"ts", {evaluator_.heap.NewList({x, y})}},
                            {"oi", {evaluator_.heap.NewList({y, {None{}}})}},
                            {"device", {ir::Word{"cpu"}}}};
  }

  Value Run(const char* name, ir::ValueKind kind, ir::DType dtype) {
    ir::Value number;
    number.kind = kind;
    number.dtype = dtype;
    number.dims = ir::Dims{};
    return {Number{tracer_.AddInput(name, number)}};
  }

  std::variant<ResolvedCall, Reason> Resolve(const std::string& code) {
    const Definitions definitions = Parse("def f():\n  " + code + "\n", "test", nullptr);
    const Expr& call = definitions.functions.at(0).body.at(0).value;
    const auto [positional, named] = evaluator_.Arguments(call);
    return overloads_.Resolve(ScriptEvaluator::Operator(call.operands[0]), positional, named);
  }

  std::string SchemaOf(const std::string& code) {
    const auto resolved = Resolve(code);
    const auto* call = std::get_if<ResolvedCall>(&resolved);
    return call == nullptr ? std::get<Reason>(resolved).text : call->schema->name.text();
  }

  trace::Tracer tracer_{18};
  ScriptEvaluator evaluator_{&tracer_};
  Overloads overloads_{&tracer_};
};

struct Row {
  const char* code;
  const char* schema;
};

// The overloads that LibTorch chooses for the same call.
constexpr Row kAsLibTorch[] = {
    {"torch.add(x, 1)", "aten::add.Scalar"},
    {"torch.add(x, y)", "aten::add.Tensor"},
    {"torch.add(x, 1.5)", "aten::add.Scalar"},
    {"torch.add(x, y, alpha=2)", "aten::add.Tensor"},
    {"torch.add(x, n)", "aten::add.Scalar"},
    {"torch.sub(x, f)", "aten::sub.Scalar"},
    {"torch.mul(x, y)", "aten::mul.Tensor"},
    {"torch.div(x, 2, rounding_mode=\"floor\")", "aten::div.Scalar_mode"},
    {"torch.pow(x, 2)", "aten::pow.Tensor_Scalar"},
    {"torch.pow(2, x)", "aten::pow.Scalar"},
    {"torch.pow(x, y)", "aten::pow.Tensor_Tensor"},
    {"torch.max(x)", "aten::max"},
    {"torch.max(x, 1)", "aten::max.dim"},
    {"torch.max(x, y)", "aten::max.other"},
    {"torch.max(x, 1, True)", "aten::max.dim"},
    {"torch.min(x, 0)", "aten::min.dim"},
    {"torch.sum(x)", "aten::sum"},
    {"torch.sum(x, [1])", "aten::sum.dim_IntList"},
    {"torch.sum(x, 1)", "aten::sum.dim_IntList"},
    {"torch.sum(x, [1], True)", "aten::sum.dim_IntList"},
    {"torch.sum(x, dtype=6)", "aten::sum"},
    {"torch.sum(x, None, True, dtype=6)", "aten::sum.dim_IntList"},
    {"torch.mean(x)", "aten::mean"},
    {"torch.mean(x, [2, 3])", "aten::mean.dim"},
    {"torch.mean(x, 1, True)", "aten::mean.dim"},
    {"torch.mean(x, dtype=6)", "aten::mean"},
    {"torch.std(x, [1])", "aten::std.dim"},
    {"torch.std(x, 1, True)", "aten::std.dim"},
    {"torch.std(x)", "aten::std"},
    {"torch.std(x, True)", "aten::std"},
    {"torch.std(x, [1], correction=0)", "aten::std.correction"},
    {"torch.var(x, [1], False)", "aten::var.dim"},
    {"torch.var_mean(x, [1])", "aten::var_mean.dim"},
    {"torch.norm(x)", "aten::norm.Scalar"},
    {"torch.norm(x, 2)", "aten::norm.Scalar"},
    {"torch.norm(x, 2, [1])", "aten::norm.ScalarOpt_dim"},
    {"torch.norm(x, 2, [1], True)", "aten::norm.ScalarOpt_dim"},
    {"torch.norm(x, 2, [1], False, dtype=6)", "aten::norm.ScalarOpt_dim_dtype"},
    {"torch.prod(x)", "aten::prod"},
    {"torch.prod(x, 1)", "aten::prod.dim_int"},
    {"torch.argmax(x)", "aten::argmax"},
    {"torch.argmax(x, 1)", "aten::argmax"},
    {"torch.any(x)", "aten::any"},
    {"torch.any(x, 1)", "aten::any.dim"},
    {"torch.all(x, 1, True)", "aten::all.dim"},
    {"torch.to(x, 5)", "aten::to.dtype"},
    {"torch.to(x, y)", "aten::to.other"},
    {"torch.to(x, device)", "aten::to.prim_Device"},
    {"torch.to(x, device, 6)", "aten::to.device"},
    {"torch.to(x, dtype=6)", "aten::to.dtype"},
    {"torch.to(x, torch.device(\"cpu\"), 6, False, False)", "aten::to.device"},
    {"torch.to(x, 6, False, False, None)", "aten::to.dtype"},
    {"torch.to(x, dtype=6, layout=0, device=torch.device(\"cpu\"))", "aten::to.dtype_layout"},
    {"torch.size(x)", "aten::size"},
    {"torch.size(x, 1)", "aten::size.int"},
    {"torch.view(x, [2, -1])", "aten::view"},
    {"torch.view(x, 6)", "aten::view"},
    {"torch.reshape(x, [n, -1])", "aten::reshape"},
    {"torch.split(x, 2)", "aten::split.Tensor"},
    {"torch.split(x, 2, 1)", "aten::split.Tensor"},
    {"torch.split(x, [1, 2], 1)", "aten::split.sizes"},
    {"torch.split(x, [1, 2])", "aten::split.sizes"},
    {"torch.split_with_sizes(x, [1, 2])", "aten::split_with_sizes"},
    {"torch.chunk(x, 2, 1)", "aten::chunk"},
    {"torch.cat([x, y])", "aten::cat"},
    {"torch.cat([x, y], 1)", "aten::cat"},
    {"torch.cat(ts, 1)", "aten::cat"},
    {"torch.stack(ts)", "aten::stack"},
    {"torch.arange(5)", "aten::arange"},
    {"torch.arange(0, 5)", "aten::arange.start"},
    {"torch.arange(0, 5, 2)", "aten::arange.start_step"},
    {"torch.arange(n, dtype=4, layout=None, device=torch.device(\"cpu\"), pin_memory=False)", "aten::arange"},
    {"torch.arange(0, n, 1, dtype=4)", "aten::arange.start_step"},
    {"torch.zeros([2, 3])", "aten::zeros"},
    {"torch.zeros([2, 3], dtype=6, layout=None, device=torch.device(\"cpu\"), pin_memory=False)", "aten::zeros"},
    {"torch.zeros(l)", "aten::zeros"},
    {"torch.full([2], 1.)", "aten::full"},
    {"torch.full([2], n, dtype=4)", "aten::full"},
    {"torch.ones_like(x)", "aten::ones_like"},
    {"torch.full_like(x, 2)", "aten::full_like"},
    {"torch.new_zeros(x, [2])", "aten::new_zeros"},
    {"torch.empty([0])", "aten::empty.memory_format"},
    {"torch.eye(3)", "aten::eye"},
    {"torch.eye(3, 4)", "aten::eye.m"},
    {"torch.linspace(0, 1, 5)", "aten::linspace"},
    {"torch.slice(x, 0, 1, 2)", "aten::slice.Tensor"},
    {"torch.slice(x, 1)", "aten::slice.Tensor"},
    {"torch.select(x, 0, 1)", "aten::select.int"},
    {"torch.select(x, 0, n)", "aten::select.int"},
    {"torch.index(x, oi)", "aten::index.Tensor"},
    {"torch.index_put_(x, oi, y)", "aten::index_put_"},
    {"torch.index_put(x, oi, y, True)", "aten::index_put"},
    {"torch.masked_fill(x, y, 0)", "aten::masked_fill.Scalar"},
    {"torch.masked_fill(x, y, -inf)", "aten::masked_fill.Scalar"},
    {"torch.masked_fill(x, y, y)", "aten::masked_fill.Tensor"},
    {"torch.where(x, y, x)", "aten::where.self"},
    {"torch.where(x, 1., 0.)", "aten::where.Scalar"},
    {"torch.where(x, y, 0.)", "aten::where.ScalarOther"},
    {"torch.where(x)", "aten::where"},
    {"torch.clamp(x, 0, 6)", "aten::clamp"},
    {"torch.clamp(x, 0)", "aten::clamp"},
    {"torch.clamp(x, None, 3.)", "aten::clamp"},
    {"torch.clamp(x, y)", "aten::clamp.Tensor"},
    {"torch.clamp_(x, 0., 1.)", "aten::clamp_"},
    {"torch.eq(x, 1)", "aten::eq.Scalar"},
    {"torch.eq(x, y)", "aten::eq.Tensor"},
    {"torch.gt(x, 0.5)", "aten::gt.Scalar"},
    {"torch.ne(x, y)", "aten::ne.Tensor"},
    {"torch.transpose(x, 0, 1)", "aten::transpose.int"},
    {"torch.permute(x, [1, 0])", "aten::permute"},
    {"torch.squeeze(x)", "aten::squeeze"},
    {"torch.squeeze(x, 1)", "aten::squeeze.dim"},
    {"torch.squeeze(x, [1])", "aten::squeeze.dims"},
    {"torch.unsqueeze(x, -1)", "aten::unsqueeze"},
    {"torch.flatten(x, 1)", "aten::flatten.using_ints"},
    {"torch.flatten(x)", "aten::flatten.using_ints"},
    {"torch.expand(x, [2, 3])", "aten::expand"},
    {"torch.repeat(x, [2, 1])", "aten::repeat"},
    {"torch.repeat_interleave(x, 2)", "aten::repeat_interleave.self_int"},
    {"torch.repeat_interleave(x, y)", "aten::repeat_interleave.self_Tensor"},
    {"torch.repeat_interleave(x, 2, 1)", "aten::repeat_interleave.self_int"},
    {"torch.roll(x, 1)", "aten::roll"},
    {"torch.roll(x, [1], [0])", "aten::roll"},
    {"torch.topk(x, 3)", "aten::topk"},
    {"torch.sort(x)", "aten::sort"},
    {"torch.sort(x, 1, True)", "aten::sort"},
    {"torch.sort(x, stable=True)", "aten::sort.stable"},
    {"torch.argsort(x, 1)", "aten::argsort"},
    {"torch.gather(x, 1, y)", "aten::gather"},
    {"torch.scatter(x, 1, y, 0)", "aten::scatter.value"},
    {"torch.scatter(x, 1, y, x)", "aten::scatter.src"},
    {"torch.scatter_(x, 0, y, 1.)", "aten::scatter_.value"},
    {"torch.softmax(x, 1)", "aten::softmax.int"},
    {"torch.softmax(x, 1, 6)", "aten::softmax.int"},
    {"torch.log_softmax(x, 1, None)", "aten::log_softmax.int"},
    {"torch.layer_norm(x, [4])", "aten::layer_norm"},
    {"torch.layer_norm(x, [4], y, None, 1e-5)", "aten::layer_norm"},
    {"torch.batch_norm(x, y, y, y, y, False, 0.1, 1e-5, True)", "aten::batch_norm"},
    {"torch.conv2d(x, y)", "aten::conv2d"},
    {"torch.conv2d(x, y, None, [1, 1], [0, 0])", "aten::conv2d"},
    {"torch.conv2d(x, y, None, 2, 1)", "aten::conv2d"},
    {"torch.conv2d(x, y, None, [1, 1], \"same\")", "aten::conv2d.padding"},
    {"torch.conv1d(x, y, None, 1, 0, 1, 1)", "aten::conv1d"},
    {"torch.conv_transpose2d(x, y)", "aten::conv_transpose2d.input"},
    {"torch.max_pool2d(x, 2)", "aten::max_pool2d"},
    {"torch.max_pool2d(x, [2, 2], [2, 2], [0, 0], [1, 1], False)", "aten::max_pool2d"},
    {"torch.avg_pool2d(x, [2], [2])", "aten::avg_pool2d"},
    {"torch.adaptive_avg_pool2d(x, [1, 1])", "aten::adaptive_avg_pool2d"},
    {"torch.adaptive_avg_pool2d(x, 1)", "aten::adaptive_avg_pool2d"},
    {"torch.upsample_nearest2d(x, [4, 4])", "aten::upsample_nearest2d"},
    {"torch.upsample_nearest2d(x, None, [2., 2.])", "aten::upsample_nearest2d.vec"},
    {"torch.upsample_nearest2d(x, [4, 4], None)", "aten::upsample_nearest2d"},
    {"torch.upsample_nearest2d(x, [4, 4], 2., 2.)", "aten::upsample_nearest2d"},
    {"torch.upsample_bilinear2d(x, [4, 4], False, None)", "aten::upsample_bilinear2d"},
    {"torch.upsample_bilinear2d(x, None, True, [2., 2.])", "aten::upsample_bilinear2d.vec"},
    {"torch.upsample_bilinear2d(x, [4, 4], True)", "aten::upsample_bilinear2d"},
    {"torch.lstm(x, ts, ts, True, 1, 0., False, False, False)", "aten::lstm.input"},
    {"torch.lstm(x, y, ts, ts, True, 1, 0., False, False)", "aten::lstm.data"},
    {"torch.gru(x, y, ts, True, 1, 0., False, False, False)", "aten::gru.input"},
    {"torch.gru(x, y, y, ts, True, 1, 0., False, False)", "aten::gru.data"},
    {"torch.pad(x, [1, 1])", "aten::pad"},
    {"torch.pad(x, [1, 1], \"reflect\", None)", "aten::pad"},
    {"torch.constant_pad_nd(x, [1, 1], 0)", "aten::constant_pad_nd"},
    {"torch.matmul(x, y)", "aten::matmul"},
    {"torch.einsum(\"ij,jk->ik\", [x, y])", "aten::einsum"},
    {"torch.dropout(x, 0.5, False)", "aten::dropout"},
    {"torch.embedding(x, y)", "aten::embedding"},
    {"torch.cumsum(x, 1)", "aten::cumsum"},
    {"torch.cumsum(x, 1, dtype=4)", "aten::cumsum"},
    {"torch.unbind(x)", "aten::unbind.int"},
    {"torch.unbind(x, 1)", "aten::unbind.int"},
    {"torch.meshgrid([x, y])", "aten::meshgrid"},
    {"torch.meshgrid(ts, indexing=\"ij\")", "aten::meshgrid.indexing"},
    {"torch.tensor_split(x, 3)", "aten::tensor_split.sections"},
    {"torch.tensor_split(x, [1, 2])", "aten::tensor_split.indices"},
    {"torch.tile(x, [2])", "aten::tile"},
    {"torch.fill_(x, 3)", "aten::fill_.Scalar"},
    {"torch.fill_(x, y)", "aten::fill_.Tensor"},
    {"torch.zero_(x)", "aten::zero_"},
    {"torch.copy_(x, y)", "aten::copy_"},
    {"torch.add_(x, 1)", "aten::add_.Scalar"},
    {"torch.mul_(x, y)", "aten::mul_.Tensor"},
    {"torch.rsub(x, 1)", "aten::rsub.Scalar"},
    {"torch.remainder(x, 2)", "aten::remainder.Scalar"},
    {"torch.remainder(x, y)", "aten::remainder.Tensor"},
    {"torch.fmod(x, 2)", "aten::fmod.Scalar"},
    {"torch.floor_divide(x, 2)", "aten::floor_divide.Scalar"},
    {"torch.floor_divide(x, y)", "aten::floor_divide"},
    {"torch.bitwise_and(x, 3)", "aten::bitwise_and.Scalar"},
    {"torch.logical_and(x, y)", "aten::logical_and"},
    {"torch.__and__(x, y)", "aten::__and__.Tensor"},
    {"torch.__and__(x, 1)", "aten::__and__.Scalar"},
    {"torch.gelu(x)", "aten::gelu"},
    {"torch.leaky_relu(x, 0.1)", "aten::leaky_relu"},
    {"torch.leaky_relu(x)", "aten::leaky_relu"},
    {"torch.elu(x, 1)", "aten::elu"},
    {"torch.hardtanh(x, 0., 6.)", "aten::hardtanh"},
    {"torch.hardtanh_(x, 0, 6)", "aten::hardtanh_"},
    {"torch.threshold(x, 0, 0)", "aten::threshold"},
    {"torch.glu(x, 1)", "aten::glu"},
    {"torch.nll_loss(x, y)", "aten::nll_loss"},
    {"torch.cross_entropy_loss(x, y, None, 1, -100, 0.)", "aten::cross_entropy_loss"},
    {"torch.binary_cross_entropy_with_logits(x, y)", "aten::binary_cross_entropy_with_logits"},
    {"torch.one_hot(x, 5)", "aten::one_hot"},
    {"torch.tril(x)", "aten::tril"},
    {"torch.triu(x, 1)", "aten::triu"},
    {"torch.diag(x)", "aten::diag"},
    {"torch.type_as(x, y)", "aten::type_as"},
    {"torch.contiguous(x)", "aten::contiguous"},
    {"torch.clone(x)", "aten::clone"},
    {"torch.clone(x, memory_format=0)", "aten::clone"},
    {"torch.detach(x)", "aten::detach"},
    {"torch.numel(x)", "aten::numel"},
    {"torch.nonzero(x)", "aten::nonzero"},
    {"torch.bmm(x, y)", "aten::bmm"},
    {"torch.baddbmm(x, y, y)", "aten::baddbmm"},
    {"torch.addmm(x, y, y)", "aten::addmm"},
    {"torch.linear(x, y)", "aten::linear"},
    {"torch.scaled_dot_product_attention(x, y, y)", "aten::scaled_dot_product_attention"},
    {"torch.scaled_dot_product_attention(x, y, y, None, 0., False, scale=None)", "aten::scaled_dot_product_attention"},
    {"torch.round(x)", "aten::round"},
    {"torch.round(x, decimals=2)", "aten::round.decimals"},
    {"torch.isclose(x, y)", "aten::isclose"},
    {"torch.logsumexp(x, [1])", "aten::logsumexp"},
    {"torch.logsumexp(x, 1)", "aten::logsumexp"},
    {"torch.amax(x, 1)", "aten::amax"},
    {"torch.amax(x, [1, 2], True)", "aten::amax"},
    {"torch.aminmax(x, dim=0, keepdim=True)", "aten::aminmax"},
    {"torch.median(x)", "aten::median"},
    {"torch.median(x, 1)", "aten::median.dim"},
    {"torch.count_nonzero(x, 1)", "aten::count_nonzero"},
    {"torch.count_nonzero(x, [1])", "aten::count_nonzero.dim_IntList"},
    {"torch.unique_dim(x, 0)", "aten::unique_dim"},
    {"torch._unique2(x)", "aten::_unique2"},
    {"torch.bucketize(x, y)", "aten::bucketize.Tensor"},
    {"torch.searchsorted(x, y)", "aten::searchsorted.Tensor"},
    {"torch.searchsorted(x, 2)", "aten::searchsorted.Scalar"},
    {"torch.narrow(x, 0, 1, 2)", "aten::narrow"},
    {"torch.narrow(x, 0, y, 2)", "aten::narrow.Tensor"},
    {"torch.unflatten(x, 1, [2, 3])", "aten::unflatten.int"},
    {"torch.instance_norm(x, None, None, None, None, True, 0.1, 1e-5, True)", "aten::instance_norm"},
    {"torch.group_norm(x, 2, y, y, 1e-5, True)", "aten::group_norm"},
    {"torch.nan_to_num(x, 0.)", "aten::nan_to_num"},
    {"torch.lerp(x, y, 0.5)", "aten::lerp.Scalar"},
    {"torch.lerp(x, y, y)", "aten::lerp.Tensor"},
    {"torch.atan2(x, y)", "aten::atan2"},
    {"torch.bernoulli(x)", "aten::bernoulli"},
    {"torch.bernoulli(x, 0.5)", "aten::bernoulli.p"},
    {"torch.normal(x, 1.)", "aten::normal.Tensor_float"},
    {"torch.randn([2])", "aten::randn"},
    {"torch.randint(5, [2])", "aten::randint"},
    {"torch.randint(0, 5, [2])", "aten::randint.low"},
    {"torch.grid_sampler(x, y, 0, 0, False)", "aten::grid_sampler"},
    {"torch.pixel_shuffle(x, 2)", "aten::pixel_shuffle"},
    {"torch.cdist(x, y)", "aten::cdist"},
    {"torch.cosine_similarity(x, y, 1, 1e-8)", "aten::cosine_similarity"},
    {"torch.fake_quantize_per_tensor_affine(x, 0.1, 0, 0, 255)", "aten::fake_quantize_per_tensor_affine"},
    {"torch.upsample_nearest1d(x, [4], None)", "aten::upsample_nearest1d"},
    {"torch.upsample_bicubic2d(x, [4, 4], False, None)", "aten::upsample_bicubic2d"},
    {"torch.item(x)", "aten::item"},
    {"torch.sym_size(x, 0)", "aten::sym_size.int"},
    {"torch.scalar_tensor(1.)", "aten::scalar_tensor"},
    {"torch.multinomial(x, 2)", "aten::multinomial"},
    {"torch.index_select(x, 0, y)", "aten::index_select"},
    {"torch.index_add(x, 0, y, y)", "aten::index_add"},
    {"torch.index_fill(x, 0, y, 1)", "aten::index_fill.int_Scalar"},
    {"torch.masked_select(x, y)", "aten::masked_select"},
    {"torch.take(x, y)", "aten::take"},
    {"torch.flip(x, [0])", "aten::flip"},
    {"torch.movedim(x, 0, 1)", "aten::movedim.int"},
    {"torch.movedim(x, [0], [1])", "aten::movedim.intlist"},
    {"torch.new_full(x, [2], 1)", "aten::new_full"},
    {"torch.log(x)", "aten::log"},
    {"torch.sqrt_(x)", "aten::sqrt_"},
    {"torch.unsafe_chunk(x, 2)", "aten::unsafe_chunk"},
    {"torch.stft(x, 4)", "aten::stft"},
    {"torch.dot(x, y)", "aten::dot"},
    {"torch.mm(x, y)", "aten::mm"},
    {"torch.addcmul(x, y, y, value=2)", "aten::addcmul"},
    {"torch.addcmul(x, y, y)", "aten::addcmul"},
    {"torch.all(x)", "aten::all"},
    {"torch.trapz(x)", "aten::trapz.dx"},
    {"torch.diff(x)", "aten::diff"},
    {"torch.tensordot(x, y, [0], [0])", "aten::tensordot"},
    {"torch.max_pool2d_with_indices(x, [2, 2])", "aten::max_pool2d_with_indices"},
    {"torch.adaptive_max_pool2d(x, [2, 2])", "aten::adaptive_max_pool2d"},
    {"torch.rot90(x, 1, [0, 1])", "aten::rot90"},
    {"torch.sum(x, [0, 1], False, dtype=None)", "aten::sum.dim_IntList"},
    {"torch.add(x, b)", "aten::add.Scalar"},
    {"torch.mul(x, b)", "aten::mul.Scalar"},
    {"torch.eq(x, b)", "aten::eq.Scalar"},
    {"torch.full([2], b)", "aten::full"},
    {"torch.select(x, y, 0)", "aten::select.int"},
    {"torch.div(x, y)", "aten::div.Tensor"},
    {"torch.rsub(x, y)", "aten::rsub.Tensor"},
    {"torch.swapaxes(x, 0, 1)", "aten::swapaxes"},
    {"torch.gelu(x, approximate=\"tanh\")", "aten::gelu"},
};

TEST_F(OverloadsTest, AsLibTorch) {
  for (const Row& row : kAsLibTorch) EXPECT_EQ(SchemaOf(row.code), row.schema) << row.code;
}

// An argument as text, as far as these tests need it.
std::string Text(const ir::Arg& arg) {
  if (const auto* dtype = std::get_if<ir::DType>(&arg.v)) return std::string(ir::Name(*dtype));
  if (const auto* word = std::get_if<ir::Word>(&arg.v)) return word->text;
  if (const auto* number = std::get_if<int64_t>(&arg.v)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&arg.v)) return std::to_string(*number);
  if (const auto* truth = std::get_if<bool>(&arg.v)) return *truth ? "True" : "False";
  if (const auto* text = std::get_if<std::string>(&arg.v)) return *text;
  if (arg.value() != nullptr) return "%";
  if (arg.is_none()) return "None";
  std::string text;
  for (const ir::Arg& element : *arg.list()) text += (text.empty() ? "" : ", ") + Text(element);
  return "[" + text + "]";
}

TEST_F(OverloadsTest, Arguments) {
  const struct {
    const char* code;
    const char* args;
  } kRows[] = {
      {"torch.to(x, 5)", "%, float16, False, False, None"},
      {"torch.zeros([2], dtype=6, layout=0, device=torch.device(\"cpu\"), pin_memory=False)",
       "[2], float32, strided, cpu, False"},
      {"torch.clone(x, memory_format=2)", "%, channels_last"},
      {"torch.max_pool2d(x, 2)", "%, [2, 2], [], [0, 0], [1, 1], False"},
      {"torch.mean(x, 1, True)", "%, [1], True, None"},
      {"torch.mean(x, (1, 2))", "%, [1, 2], False, None"},
      {"torch.reshape(x, [n, -1])", "%, [%, -1]"},
      {"torch.full([2], b)", "[2], %, None, None, None, None"},
      {"torch.full([2], True)", "[2], 1, None, None, None, None"},
      {"torch.dropout(x, 1, False)", "%, 1.000000, False"},
      {"torch.add(x, y, alpha=2)", "%, %, 2"},
      {"torch.index(x, oi)", "%, [%, None]"},
      {"torch.cat([x, y], 1)", "[%, %], 1"},
      {"torch.select(x, y, 0)", "%, %, 0"},
      {"torch.to(x, device=\"cuda\", dtype=6)", "%, cuda, float32, False, False, None"},
  };
  for (const auto& row : kRows) {
    const auto resolved = Resolve(row.code);
    const auto* call = std::get_if<ResolvedCall>(&resolved);
    ASSERT_NE(call, nullptr) << std::get<Reason>(resolved).text;
    std::string args;
    for (const ir::Arg& arg : call->args) args += (args.empty() ? "" : ", ") + Text(arg);
    EXPECT_EQ(args, row.args) << row.code;
  }
}

TEST_F(OverloadsTest, Errors) {
  EXPECT_EQ(SchemaOf("torch.nothing_of_this_name(x)"), "no spec says how to export it");
  EXPECT_EQ(SchemaOf("torch.relu([1], y, inplace=True)"),
            "no overload takes (List[int], Tensor, inplace=bool); there is aten::relu(Tensor self) -> Tensor, "
            "aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(SchemaOf("torch.zeros([2], dtype=99)").substr(0, 52),
            "no overload takes (List[int], dtype=int); there is a");
}

}  // namespace
}  // namespace onnxport::torchscript
