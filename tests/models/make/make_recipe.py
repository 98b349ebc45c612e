"""Makes the fixture of recipe_test: `make_recipe.py NAME OUTDIR`.

OUTDIR gets NAME.pt, a classifier of `transformers` traced as the convert_to_onnx recipe has it,
and NAME.0, NAME.1 and NAME.2 with inputs and outputs at three other batch sizes and lengths.
"""

import os
import sys

import torch
import transformers

from case import randomise
from writing import write_tensors


def inputs(batch, length):
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, length - 1 :] = 0
    return {
        "input_ids": torch.randint(200, (batch, length)),
        "attention_mask": mask,
        "token_type_ids": torch.randint(2, (batch, length)),
    }


def main(name, outdir):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    config = transformers.BertConfig(
        vocab_size=200,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
        return_dict=False,  # what torchscript=True was short for
    )
    net = randomise(transformers.BertForSequenceClassification(config)).eval()
    stem = os.path.join(outdir, name)
    os.makedirs(outdir, exist_ok=True)
    with torch.no_grad():
        traced = torch.jit.trace(net, tuple(inputs(2, 9).values()))
        torch.jit.save(traced, stem + ".pt")
        for number, sizes in enumerate([(1, 5), (3, 17), (5, 32)]):
            tensors = inputs(*sizes)
            os.makedirs(f"{stem}.{number}")
            write_tensors(f"{stem}.{number}", "input", list(tensors.items()))
            write_tensors(f"{stem}.{number}", "output", [("output", net(*tensors.values())[0])])


if __name__ == "__main__":
    main(*sys.argv[1:])
