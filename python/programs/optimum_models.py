"""main_export of optimum-onnx, with its own validation, on small models with random weights."""

from __future__ import annotations

import functools
import sys

import compare
import torch
import transformers
from optimum.exporters.onnx import main_export

TEXT = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37, "vocab_size": 99}
DECODER = TEXT | {"num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0}
SEQ2SEQ = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
           "decoder_attention_heads": 4, "encoder_ffn_dim": 37, "decoder_ffn_dim": 37, "vocab_size": 99}  # fmt: skip
IMAGES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37,
          "image_size": 32, "patch_size": 8}  # fmt: skip

CONFIGS = {
    "bert": ("Bert", TEXT),
    "distilbert": ("DistilBert", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 37, "vocab_size": 99}),
    "roberta": ("Roberta", TEXT | {"max_position_embeddings": 514}),
    "albert": ("Albert", TEXT | {"embedding_size": 16}),
    "electra": ("Electra", TEXT | {"embedding_size": 16}),
    "deberta-v2": ("DebertaV2", TEXT | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]}),
    "mpnet": ("MPNet", TEXT),
    "modernbert": ("ModernBert", TEXT | {"pad_token_id": 0, "cls_token_id": 1, "sep_token_id": 2}),
    "gpt2": ("GPT2", {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 99, "n_positions": 64}),
    "gpt_neox": ("GPTNeoX", TEXT),
    "opt": ("OPT", TEXT | {"ffn_dim": 37, "word_embed_proj_dim": 32, "max_position_embeddings": 64}),
    "bloom": ("Bloom", {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 99}),
    "llama": ("Llama", DECODER),
    "mistral": ("Mistral", DECODER),
    "qwen2": ("Qwen2", DECODER),
    "qwen3": ("Qwen3", DECODER | {"head_dim": 8}),
    "gemma": ("Gemma", DECODER | {"head_dim": 8}),
    "phi": ("Phi", DECODER | {"num_key_value_heads": 4}),
    "phi3": ("Phi3", DECODER),
    "t5": ("T5", {"d_model": 32, "d_kv": 8, "d_ff": 37, "num_layers": 2, "num_heads": 4, "vocab_size": 99,
                  "decoder_start_token_id": 0}),  # fmt: skip
    "bart": ("Bart", SEQ2SEQ),
    "marian": ("Marian", SEQ2SEQ | {"pad_token_id": 0, "decoder_start_token_id": 0}),
    "vit": ("ViT", IMAGES),
    "deit": ("DeiT", IMAGES),
    "swin": ("Swin", {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [1, 1], "num_heads": [2, 2],
                      "window_size": 4}),  # fmt: skip
    "resnet": ("ResNet", {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1]}),
    "clip": ("CLIP", {"text_config": TEXT | {"max_position_embeddings": 77}, "vision_config": IMAGES,
                      "projection_dim": 16}),  # fmt: skip
    "whisper": ("Whisper", SEQ2SEQ | {"num_mel_bins": 80, "max_source_positions": 1500, "max_target_positions": 60,
                                      "pad_token_id": 0, "decoder_start_token_id": 1, "bos_token_id": 1,
                                      "eos_token_id": 2, "suppress_tokens": None,
                                      "begin_suppress_tokens": None}),  # fmt: skip
    "wav2vec2": ("Wav2Vec2", TEXT | {"conv_dim": [16, 16], "conv_stride": [5, 2], "conv_kernel": [10, 3],
                                     "num_feat_extract_layers": 2, "num_conv_pos_embeddings": 16,
                                     "num_conv_pos_embedding_groups": 2}),  # fmt: skip
    "segformer": ("Segformer", {"num_encoder_blocks": 4, "depths": [1, 1, 1, 1], "hidden_sizes": [8, 8, 16, 16],
                                "num_attention_heads": [1, 2, 2, 2],
                                "decoder_hidden_size": 16}),  # fmt: skip
}

TASKS = {
    "fill-mask": (
        "ForMaskedLM",
        ["bert", "distilbert", "roberta", "albert", "electra", "deberta-v2", "mpnet", "modernbert"],
    ),
    "text-classification": ("ForSequenceClassification", ["bert", "distilbert"]),
    "feature-extraction": ("Model", ["bert", "t5", "clip", "vit"]),
    "text-generation": ("ForCausalLM", ["gpt2", "llama"]),
    "text-generation-with-past": (
        "ForCausalLM",
        ["gpt2", "gpt_neox", "opt", "bloom", "llama", "mistral", "qwen2", "qwen3", "gemma", "phi", "phi3"],
    ),
    "text2text-generation": ("ForConditionalGeneration", ["t5", "bart"]),
    "text2text-generation-with-past": ("ForConditionalGeneration", ["t5", "bart", "marian"]),
    "image-classification": ("ForImageClassification", ["vit", "deit", "swin", "resnet"]),
    "semantic-segmentation": ("ForSemanticSegmentation", ["segformer"]),
    "zero-shot-image-classification": ("Model", ["clip"]),
    "automatic-speech-recognition": ("ForConditionalGeneration", ["whisper"]),
    "automatic-speech-recognition-with-past": ("ForConditionalGeneration", ["whisper"]),
    "audio-classification": ("ForSequenceClassification", ["wav2vec2"]),
}
CLASSES = {"gpt2": "GPT2LMHeadModel", "marian": "MarianMTModel"}


def export(name: str, task: str, head: str) -> None:
    torch.manual_seed(0)
    stem, values = CONFIGS[name]
    config = getattr(transformers, f"{stem}Config")(**values)
    kind = CLASSES.get(name, f"{stem}{head}")
    getattr(transformers, kind)(config).eval().save_pretrained("model")
    main_export("model", output="exported", task=task, do_validation=True, no_post_process=True)


programs = {
    f"optimum {task} {name}": functools.partial(export, name, task, head)
    for task, (head, names) in TASKS.items()
    for name in names
}

if __name__ == "__main__":
    sys.exit(compare.main(programs, sys.argv[1:]))
