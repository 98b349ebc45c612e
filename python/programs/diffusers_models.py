"""The parts of a Stable Diffusion pipeline that diffusers' script converts: text encoder, UNet, the VAE's two halves,
safety checker. The calls are those of its `onnx_export`, on small models with random weights."""

from __future__ import annotations

import functools
import sys
from typing import Any

import compare
import diffusers
import torch
import transformers


def unet(cross: int = 32) -> Any:
    return diffusers.UNet2DConditionModel(
        sample_size=16, layers_per_block=1, block_out_channels=(32, 64), cross_attention_dim=cross,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"), up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    ).eval()  # fmt: skip


def vae() -> Any:
    return diffusers.AutoencoderKL(
        block_out_channels=(32, 64), down_block_types=("DownEncoderBlock2D",) * 2, latent_channels=4,
        up_block_types=("UpDecoderBlock2D",) * 2,
    ).eval()  # fmt: skip


def save(model: Any, args: Any, inputs: list[str], outputs: list[str], axes: dict[str, Any]) -> None:
    torch.onnx.export(model, args, "model.onnx", input_names=inputs, output_names=outputs, dynamic_axes=axes,
                      do_constant_folding=True, opset_version=14, dynamo=False)  # fmt: skip


def text_encoder() -> None:
    config = transformers.CLIPTextConfig(hidden_size=32, intermediate_size=37, num_attention_heads=4, bos_token_id=0,
                                         eos_token_id=2, num_hidden_layers=2, vocab_size=99)  # fmt: skip
    model = transformers.CLIPTextModel(config).eval()
    ids = torch.randint(0, 99, (1, 77), dtype=torch.int32)
    save(model, (ids,), ["input_ids"], ["last_hidden_state", "pooler_output"],
         {"input_ids": {0: "batch", 1: "sequence"}})  # fmt: skip


def unet_step() -> None:
    axes = {"sample": {0: "batch", 1: "channels", 2: "height", 3: "width"}, "timestep": {0: "batch"},
            "encoder_hidden_states": {0: "batch", 1: "sequence"}}  # fmt: skip
    args = (torch.randn(2, 4, 16, 16), torch.randn(2), torch.randn(2, 77, 32), False)
    save(unet(), args, ["sample", "timestep", "encoder_hidden_states", "return_dict"], ["out_sample"], axes)


def vae_encoder() -> None:
    model = vae()
    model.forward = lambda sample, return_dict: model.encode(sample, return_dict)[0].sample()
    axes = {"sample": {0: "batch", 1: "channels", 2: "height", 3: "width"}}
    save(model, (torch.randn(1, 3, 32, 32), False), ["sample", "return_dict"], ["latent_sample"], axes)


def vae_decoder() -> None:
    model = vae()
    model.forward = model.decode
    axes = {"latent_sample": {0: "batch", 1: "channels", 2: "height", 3: "width"}}
    save(model, (torch.randn(1, 4, 16, 16), False), ["latent_sample", "return_dict"], ["sample"], axes)


def transformer() -> None:
    model = diffusers.DiTTransformer2DModel(sample_size=8, num_layers=2, num_attention_heads=2, attention_head_dim=8,
                                            in_channels=4, out_channels=4, num_embeds_ada_norm=10).eval()  # fmt: skip
    args = {"hidden_states": torch.randn(2, 4, 8, 8), "timestep": torch.tensor([3, 4]),
            "class_labels": torch.tensor([1, 2])}  # fmt: skip
    torch.onnx.export(model, (), "dit.onnx", kwargs=args, dynamo=True,
                      dynamic_shapes={name: {0: "batch"} for name in args})  # fmt: skip


def seeded(program: Any) -> None:
    torch.manual_seed(0)
    program()


programs = {
    f"diffusers {program.__name__}": functools.partial(seeded, program)
    for program in (text_encoder, unet_step, vae_encoder, vae_decoder, transformer)
}

if __name__ == "__main__":
    sys.exit(compare.main(programs, sys.argv[1:]))
