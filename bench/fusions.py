"""Counts the fusions of ONNX Runtime's optimizer for transformers in our models and in those of torch.onnx.

usage: fusions.py --exporter PATH [--models DIR] [--opset N] [NAME...]

Prints Markdown: the nodes of each fused operator (Attention, LayerNormalization, Gelu ...) and all nodes, in the models
that onnxruntime.transformers.optimizer makes of ours and theirs. If a model already has such an operator from ONNX
itself, for example LayerNormalization, it counts as well.
"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

import models

# The optimizer's name for the design, the heads and the width.
DESIGNS = {"bert_base": ("bert", 12, 768), "vit_b_16": ("vit", 12, 768), "gpt": ("gpt2", 8, 512), "llama": ("gpt2", 8, 512),
           "gpt2": ("gpt2", 12, 768), "whisper_encoder": ("bart", 6, 384)}  # fmt: skip
FUSED = ["Attention", "MultiHeadAttention", "LayerNormalization", "SkipLayerNormalization", "SimplifiedLayerNormalization",
         "RMSNormalization", "SkipSimplifiedLayerNormalization", "EmbedLayerNormalization", "Gelu", "FastGelu", "BiasGelu",
         "QuickGelu", "RotaryEmbedding"]  # fmt: skip


def fused(path, design):
    """Returns the number of nodes after the optimizer, and the fused operators among them."""
    from onnxruntime.transformers import optimizer

    kind, heads, width = design
    try:
        model = optimizer.optimize_model(path, model_type=kind, num_heads=heads, hidden_size=width).model
    except Exception as error:  # a mistake of the optimizer or of the model
        return "", f"{type(error).__name__} of the optimizer"
    found = collections.Counter(node.op_type for node in model.graph.node)
    return models.count(model.graph.node), ", ".join(f"{found[kind]} {kind}" for kind in FUSED if found[kind])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--models", help="folder of the models, made when missing (default: a temporary one)")
    parser.add_argument("--opset", type=int, default=20, help="of our model; the default is PyTorch's")
    parser.add_argument("names", nargs="*", help="models (default: all)")
    options = parser.parse_args()
    names = options.names or list(DESIGNS)
    with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
        folder = options.models or folder
        files = [name + ".pt2" for name in names]
        subprocess.run([sys.executable, os.path.join(models.HERE, "make_models.py"), folder, *files], check=True)
        print("| model | nodes | after | theirs | after | fused, ours | theirs |\n| --- | ---: | ---: | ---: | ---: | --- | --- |")
        for name, file in zip(names, files):
            with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as made:
                cells, texts = [name], []
                for path in models.export(options, os.path.join(folder, file), made):
                    after, text = fused(path, DESIGNS[name])
                    cells += [str(models.nodes_of(path)), str(after)]
                    texts.append(text)
                print(f"| {' | '.join(cells + texts)} |", flush=True)


if __name__ == "__main__":
    main()
