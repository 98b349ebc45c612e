"""A BERT as an encoder of sentences: any batch, any length, its weights in 8 bits."""

import onnxport
import torch
from recipe import check, path
from transformers import BertConfig, BertModel

torch.manual_seed(0)
config = BertConfig(vocab_size=1000, hidden_size=128, num_hidden_layers=4, num_attention_heads=4, intermediate_size=512)
bert = BertModel(config, add_pooling_layer=False).eval()


class Sentences(torch.nn.Module):
    """One vector of length 1 for each sentence: the mean of its tokens."""

    def __init__(self):
        super().__init__()
        self.bert = bert

    def forward(self, tokens, mask):
        hidden = self.bert(tokens, attention_mask=mask).last_hidden_state
        kept = mask[:, :, None].to(hidden.dtype)
        return torch.nn.functional.normalize((hidden * kept).sum(1) / kept.sum(1))


def batch(*lengths):
    """Sentences of random tokens, padded with zeros to the longest."""
    mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long()
    return torch.randint(1, config.vocab_size, mask.shape) * mask, mask


def export(name, **options):
    axes = {0: "batch", 1: torch.export.Dim("length", max=config.max_position_embeddings)}
    shapes = {"tokens": axes, "mask": axes}
    return onnxport.export(encoder, batch(7, 5), path(name), dynamic_shapes=shapes, output_names=["vectors"], **options)


encoder = Sentences().eval()
model = export("encoder.onnx")
quantized = export("encoder.int8.onnx", weights_as="int8")
print(model, *quantized.remarks, sep="\n")

# Other sizes than those of the export; a model that has a size of the example in it would fail here.
for lengths in [(7, 5), (1,), (30, 2, 11, 64)]:
    sentences = batch(*lengths)
    with torch.no_grad():
        expected = encoder(*sentences)
    check(path("encoder.onnx"), expected, model(*sentences)[0], tolerance=1e-5)
    check(path("encoder.int8.onnx"), expected, quantized(*sentences)[0], tolerance=3e-2)
