"""Whisper from transformers as two models, encoder and decoder, and a greedy transcription with them."""

import sys

import onnxport
import torch
from recipe import check, path
from transformers import WhisperConfig, WhisperForConditionalGeneration

torch.manual_seed(0)
config = WhisperConfig(
    vocab_size=600, d_model=128, max_source_positions=150, max_target_positions=64, init_std=0.1,
    encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=256, decoder_layers=2, decoder_attention_heads=4,
    decoder_ffn_dim=256, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    suppress_tokens=None, begin_suppress_tokens=None, tie_word_embeddings=False,
)  # fmt: skip
whisper = WhisperForConditionalGeneration(config).eval()


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = whisper.model.encoder

    def forward(self, features):
        return self.encoder(features).last_hidden_state


class Decoder(torch.nn.Module):
    """All tokens so far at once, without a cache."""

    def __init__(self):
        super().__init__()
        self.decoder, self.head = whisper.model.decoder, whisper.proj_out

    def forward(self, tokens, audio):
        return self.head(self.decoder(tokens, encoder_hidden_states=audio, use_cache=False).last_hidden_state)


def transcribe(encoder, decoder, features, count=20):
    audio = encoder(features)
    tokens = torch.tensor([[config.decoder_start_token_id]])
    while tokens.shape[1] <= count and tokens[0, -1] != config.eos_token_id:
        tokens = torch.cat([tokens, decoder(tokens, audio)[:, -1:].argmax(-1)], dim=1)
    return tokens


def export(kind, **options):
    """The two models as functions of tensors."""
    batch, length = {0: "batch"}, torch.export.Dim("length", max=config.max_target_positions)
    files = [path(f"whisper_{part}{kind}") for part in ("encoder", "decoder")]
    encode = onnxport.export(encoder, (features,), files[0], dynamic_shapes=(batch,), **options)
    axes = ({**batch, 1: length}, batch)
    decode = onnxport.export(decoder, (tokens, audio), files[1], dynamic_shapes=axes, **options)
    return [lambda *args, model=model: model(*args)[0] for model in (encode, decode)]


encoder, decoder = Encoder().eval(), Decoder().eval()
features = torch.randn(2, config.num_mel_bins, 2 * config.max_source_positions)
tokens = torch.randint(3, config.vocab_size, (2, 9))
with torch.no_grad():
    audio = encoder(features)
    logits = decoder(tokens, audio)
    expected = transcribe(encoder, decoder, features[:1])

for kind, options, tolerance in [(".onnx", {}, 1e-5), (".int8.onnx", {"weights_as": "int8"}, 3e-2)]:
    encode, decode = export(kind, **options)
    check(path(f"whisper_encoder{kind}"), audio, encode(features), tolerance=tolerance)
    check(path(f"whisper_decoder{kind}"), logits, decode(tokens, audio), tolerance=tolerance)
    found = transcribe(encode, decode, features[:1])
    print(found[0].tolist())
    if not options and not found.equal(expected):
        sys.exit(f"PyTorch has {expected[0].tolist()}")
