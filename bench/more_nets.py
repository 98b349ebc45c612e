"""More networks for models.py: detection, audio, segmentation, recurrence, state space, int8, experts.

Each function returns the module, its arguments and keyword arguments, and the free axes (none). Weights are random, and
the designs are the real ones, but smaller if a run would take a second. Networks of transformers return tuples: to load
an archive with a ModelOutput, the peer would have to import transformers.
"""

import nets
import torch
from torch import nn
from torch.nn import functional


class TupleOf(nn.Module):
    """A network of transformers that returns the named tensors."""

    def __init__(self, net, input_name, *names):
        super().__init__()
        self.net, self.input_name, self.names = net, input_name, names

    def forward(self, x):
        result = self.net(**{self.input_name: x})
        return tuple(result[name] for name in self.names)


def of_transformers(build, input_name, value, *names):
    import transformers

    return TupleOf(build(transformers), input_name, *names), (value,), {}, None


def retinanet():
    """Backbone, pyramid and heads. The part that chooses boxes is left out: its results have no fixed size, and it is
    the same in any exporter."""
    import torchvision

    whole = torchvision.models.detection.retinanet_resnet50_fpn(weights=None, weights_backbone=None)

    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.backbone, self.head = whole.backbone, whole.head

        def forward(self, x):
            found = self.head(list(self.backbone(x).values()))
            return found["cls_logits"], found["bbox_regression"]

    return Heads(), (torch.randn(1, 3, 224, 224),), {}, None


def yolos():
    return of_transformers(
        lambda t: t.YolosForObjectDetection(t.YolosConfig(
            hidden_size=192, num_hidden_layers=6, num_attention_heads=3, intermediate_size=768, image_size=[224, 224])),
        "pixel_values", torch.randn(1, 3, 224, 224), "logits", "pred_boxes")  # fmt: skip


def deeplab():
    import torchvision

    whole = torchvision.models.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None)

    class Picture(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = whole

        def forward(self, x):
            return self.net(x)["out"]

    return Picture(), (torch.randn(1, 3, 224, 224),), {}, None


def segformer():
    return of_transformers(
        lambda t: t.SegformerForSemanticSegmentation(t.SegformerConfig()),
        "pixel_values", torch.randn(1, 3, 256, 256), "logits")  # fmt: skip


def swin():
    import torchvision

    return torchvision.models.swin_t(weights=None), (torch.randn(1, 3, 224, 224),), {}, None


def whisper_encoder():
    """Makes the encoder of whisper-tiny, for 30 seconds of sound."""
    return of_transformers(
        lambda t: t.models.whisper.modeling_whisper.WhisperEncoder(t.WhisperConfig(
            d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536)),
        "input_features", torch.randn(1, 80, 3000), "last_hidden_state")  # fmt: skip


def wav2vec2():
    """Takes a second of sound."""
    return of_transformers(
        lambda t: t.Wav2Vec2Model(t.Wav2Vec2Config(num_hidden_layers=4)),
        "input_values", torch.randn(1, 16000), "last_hidden_state")  # fmt: skip


def t5_encoder():
    return of_transformers(
        lambda t: t.T5EncoderModel(t.T5Config()), "input_ids", torch.randint(30000, (1, 64)), "last_hidden_state")  # fmt: skip


def lstm():
    """Two layers in both directions, and a label for each step."""

    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.tokens = nn.Embedding(8000, 256)
            self.steps = nn.LSTM(256, 256, 2, batch_first=True, bidirectional=True)
            self.labels = nn.Linear(512, 32)

        def forward(self, tokens):
            return self.labels(self.steps(self.tokens(tokens))[0])

    return Tagger(), (torch.randint(8000, (1, 64)),), {}, None


def mamba():
    """Its scan is unrolled over 32 tokens."""
    return of_transformers(
        lambda t: t.MambaModel(t.MambaConfig(vocab_size=8000, hidden_size=256, num_hidden_layers=4, use_cache=False)),
        "input_ids", torch.randint(8000, (1, 32)), "last_hidden_state")  # fmt: skip


def gpt2():
    """For fusions.py."""
    return of_transformers(
        lambda t: t.GPT2Model(t.GPT2Config(n_layer=4, use_cache=False)),
        "input_ids", torch.randint(50000, (1, 64)), "last_hidden_state")  # fmt: skip


class Experts(nn.Module):
    """A decoder's block of eight experts, two for each token. As in real exports, all are computed and weighted."""

    def __init__(self, width=nets.WIDTH, count=8):
        super().__init__()
        self.norm = nets.RmsNorm()
        self.router = nn.Linear(width, count, bias=False)
        self.up = nn.Parameter(torch.randn(count, width, 2 * width) / width**0.5)
        self.down = nn.Parameter(torch.randn(count, 2 * width, width) / width**0.5)

    def forward(self, x):
        y = self.norm(x)
        weights, chosen = torch.softmax(self.router(y), -1).topk(2)
        weights = weights / weights.sum(-1, keepdim=True)
        share = torch.zeros_like(self.router(y)).scatter(-1, chosen, weights)
        hidden = functional.silu(torch.einsum("btw,ewh->beth", y, self.up))
        return x + torch.einsum("beth,ehw,bte->btw", hidden, self.down, share)


def experts():
    return nn.Sequential(*(Experts() for _ in range(4))), (torch.randn(1, 64, nets.WIDTH),), {}, None


class Int8Block(nn.Module):
    """A convolution after quantization: int8 weights, and activations that pass through int8."""

    def __init__(self, channels, stride):
        super().__init__()
        before, after = channels
        self.stride = stride
        self.register_buffer("weight", torch.randint(-127, 128, (after, before, 3, 3), dtype=torch.int8))
        self.register_buffer("scales", torch.rand(after) * 0.001 + 0.0005)
        self.register_buffer("zeros", torch.zeros(after, dtype=torch.int64))
        self.bias = nn.Parameter(torch.zeros(after))

    def forward(self, x):
        quantized = torch.ops.quantized_decomposed
        x = quantized.quantize_per_tensor(x, 0.02, 3, -128, 127, torch.int8)
        x = quantized.dequantize_per_tensor(x, 0.02, 3, -128, 127, torch.int8)
        weight = quantized.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -127, 127, torch.int8)
        return functional.relu(functional.conv2d(x, weight, self.bias, self.stride, 1))


def int8():
    import torch.ao.quantization.fx._decomposed  # noqa: F401  registers the operators

    sizes = [3, 32, 64, 64, 128, 128, 256, 256]
    blocks = [Int8Block(pair, 1 + number % 2) for number, pair in enumerate(zip(sizes, sizes[1:]))]
    return nn.Sequential(*blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten()), (torch.randn(1, 3, 224, 224),), {}, None


NETWORKS = [retinanet, yolos, deeplab, segformer, swin, whisper_encoder, wav2vec2, t5_encoder, lstm, mamba, experts, int8, gpt2]
