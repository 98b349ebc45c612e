"""The exporter to ONNX in transformers, on small models with random weights."""

from __future__ import annotations

import functools
import sys
from typing import Any

import compare
import torch
import transformers
from transformers.exporters.exporter_onnx import OnnxConfig, OnnxExporter

TEXT = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "vocab_size": 99}
DECODER = TEXT | {"num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0}
IMAGES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
          "image_size": 32, "patch_size": 8}  # fmt: skip

MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "BertModel": ("BertConfig", TEXT),
    "RobertaForSequenceClassification": ("RobertaConfig", TEXT),
    "DistilBertForMaskedLM": ("DistilBertConfig", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 37,
                                                   "vocab_size": 99}),  # fmt: skip
    "GPT2LMHeadModel": ("GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 99, "n_positions": 64}),
    "LlamaForCausalLM": ("LlamaConfig", DECODER),
    "MistralForCausalLM": ("MistralConfig", DECODER),
    "Qwen2ForCausalLM": ("Qwen2Config", DECODER),
    "Qwen3MoeForCausalLM": ("Qwen3MoeConfig", DECODER | {"num_experts": 4, "num_experts_per_tok": 2,
                                                         "moe_intermediate_size": 16, "head_dim": 8}),  # fmt: skip
    "T5ForConditionalGeneration": ("T5Config", {"d_model": 32, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4,
                                                "vocab_size": 99, "decoder_start_token_id": 0}),  # fmt: skip
    "ViTForImageClassification": ("ViTConfig", IMAGES),
    "Dinov2Model": ("Dinov2Config", IMAGES | {"mlp_ratio": 2}),
    "SwinModel": ("SwinConfig", {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [1, 1],
                                 "num_heads": [2, 2], "window_size": 4}),  # fmt: skip
}


def inputs_of(model: Any) -> dict[str, torch.Tensor]:
    if model.main_input_name == "pixel_values":
        return {"pixel_values": torch.rand(2, 3, 32, 32)}
    inputs = {"input_ids": torch.randint(3, 99, (2, 7)), "attention_mask": torch.ones(2, 7, dtype=torch.int64)}
    if model.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = torch.randint(3, 99, (2, 5))
    return inputs


def export(name: str, dynamic: bool) -> None:
    torch.manual_seed(0)
    kind, values = MODELS[name]
    model = getattr(transformers, name)(getattr(transformers, kind)(**values)).eval()
    exported = OnnxExporter().export(model, inputs_of(model), config=OnnxConfig(dynamic=dynamic))
    exported.save_pretrained("exported")


programs = {
    f"transformers {name}{', dynamic' * dynamic}": functools.partial(export, name, dynamic)
    for name in MODELS
    for dynamic in (False, True)
}

if __name__ == "__main__":
    sys.exit(compare.main(programs, sys.argv[1:]))
