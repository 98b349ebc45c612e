"""Text models: small configurations of the classes of `transformers`, and torch.nn.TransformerEncoder."""

import os
from typing import List, Tuple

import torch
from case import Case, model, pt2_model, randomise
from torch import nn
from torch.export import Dim
from torch.utils import _pytree as pytree


def quiet_transformers():
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import transformers

    transformers.logging.set_verbosity_error()
    return transformers


class Plain(nn.Module):
    """A model of `transformers` with tuples instead of its own classes, which a trace cannot return."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, input_ids, attention_mask):
        return self.net(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)


UNSCRIPTABLE = "transformers' modules use keyword arguments and classes that TorchScript does not know"


def text(net, batch=2, length=9, other=(3, 6), **extra):
    def inputs(batch, length):
        mask = torch.ones(batch, length, dtype=torch.int64)
        mask[0, length - 2 :] = 0
        return {"input_ids": torch.randint(200, (batch, length)), "attention_mask": mask}

    dims = {0: Dim("batch"), 1: Dim("sequence", max=64)}
    return Case(
        randomise(net),
        (),
        inputs(batch, length),
        dynamic_shapes={"input_ids": dims, "attention_mask": dims},
        other_kwargs=inputs(*other),
        torchscript=Plain(net),
        no_scripted=UNSCRIPTABLE,
        **extra,
    )


def bert_like(attention):
    t = quiet_transformers()
    config = t.BertConfig(
        vocab_size=200,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
    )
    config._attn_implementation = attention
    return text(t.BertModel(config))


@model
def bert():
    return bert_like("sdpa")


@pt2_model
def bert_eager():
    return bert_like("eager")


def distilbert_like(attention):
    t = quiet_transformers()
    config = t.DistilBertConfig(
        vocab_size=200, dim=64, n_layers=2, n_heads=4, hidden_dim=128, max_position_embeddings=64
    )
    config._attn_implementation = attention
    return text(t.DistilBertForSequenceClassification(config))


@model
def distilbert():
    return distilbert_like("sdpa")


@pt2_model
def distilbert_eager():
    return distilbert_like("eager")


ATTENTION_STRIDES = "run_decompositions fails: its attention leaves strides that the following view cannot take"


def gpt2_net(attention):
    t = quiet_transformers()
    config = t.GPT2Config(
        vocab_size=200, n_positions=64, n_embd=64, n_layer=3, n_head=4, bos_token_id=0, eos_token_id=0
    )
    config._attn_implementation = attention
    config.use_cache = False
    return t, t.GPT2LMHeadModel(config)


@model
def gpt2():
    return text(gpt2_net("sdpa")[1], no_decomposed=ATTENTION_STRIDES, no_dynamic_decomposed=ATTENTION_STRIDES)


@pt2_model
def gpt2_eager():
    return text(gpt2_net("eager")[1])


@model
def gpt2_cache():
    """One step of decoding: the cache comes in and goes out as tensors."""
    t, net = gpt2_net("sdpa")

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, input_ids, attention_mask, past):
            cache = t.DynamicCache()
            for i, (k, v) in enumerate(past):
                cache.update(k, v, i)
            out = self.net(input_ids=input_ids, attention_mask=attention_mask, past_key_values=cache, use_cache=True)
            return out.logits, [(layer.keys, layer.values) for layer in out.past_key_values.layers]

    def args(batch, past, new):
        mask = torch.ones(batch, past + new, dtype=torch.int64)
        mask[0, :2] = 0
        state = [(torch.randn(batch, 4, past, 16), torch.randn(batch, 4, past, 16)) for _ in range(3)]
        return torch.randint(200, (batch, new)), mask, state

    class Flat(nn.Module):
        """A trace may not return a list of tuples."""

        def __init__(self, step):
            super().__init__()
            self.step = step

        def forward(self, input_ids, attention_mask, past: List[Tuple[torch.Tensor, torch.Tensor]]):
            return tuple(pytree.tree_leaves(self.step(input_ids, attention_mask, past)))

    step = randomise(Step())
    batch, past, new = Dim("batch"), Dim("past", max=30), Dim("new", max=30)
    state = {0: batch, 2: past}
    return Case(
        step,
        args(2, 5, 3),
        dynamic_shapes=({0: batch, 1: new}, {0: batch, 1: Dim.DYNAMIC}, [(state, state)] * 3),
        other=args(3, 4, 2),
        torchscript=Flat(step),
        torchscript_shapes=({0: batch, 1: new}, {0: batch, 1: Dim("total")}, [(state, state)] * 3),
        no_scripted=UNSCRIPTABLE,
        no_decomposed=ATTENTION_STRIDES,
        no_dynamic_decomposed=ATTENTION_STRIDES,
    )


def transformer_encoder_like(norm_first, masked):
    activation = "gelu" if norm_first else "relu"
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, norm_first=norm_first, activation=activation)
    net = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(32) if norm_first else None, enable_nested_tensor=False)

    def call(batch, length):
        x = torch.randn(batch, length, 32)
        if not masked:
            return (x,), {}
        mask = torch.zeros(batch, length, dtype=torch.bool)
        mask[0, length - 2 :] = True
        return (x,), {"src_key_padding_mask": mask}

    dims = {0: Dim("batch"), 1: Dim("sequence")}
    args, kwargs = call(2, 9)
    other, other_kwargs = call(3, 6)
    shapes = {"src": dims, "src_key_padding_mask": dims} if masked else {"src": dims}
    return Case(randomise(net), args, kwargs, shapes, other, other_kwargs)


@model
def transformer_encoder():
    return transformer_encoder_like(False, False)


@pt2_model
def transformer_encoder_mask():
    return transformer_encoder_like(False, True)


@pt2_model
def transformer_encoder_norm_first():
    return transformer_encoder_like(True, False)


@model
def transformer_encoder_norm_first_mask():
    return transformer_encoder_like(True, True)
