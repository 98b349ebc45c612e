"""Makes mnist.pt2 and what PyTorch answers for one input: `python3 make.py`, in this folder. Needs PyTorch and onnx."""

import onnx
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    """The net of pytorch/examples/mnist with narrower layers, so that the file is small."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, 1)
        self.conv2 = nn.Conv2d(8, 16, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(16 * 12 * 12, 16)
        self.fc2 = nn.Linear(16, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout2(x)
        x = self.fc2(x)
        return F.log_softmax(x, dim=1)


def save(path, name, tensor):
    with open(path, "wb") as out:
        out.write(onnx.numpy_helper.from_array(tensor.numpy(), name).SerializeToString(deterministic=True))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = Net().eval()
    batch = torch.export.Dim("batch")
    program = torch.export.export(net, (torch.randn(2, 1, 28, 28),), dynamic_shapes={"x": {0: batch}})
    torch.export.save(program, "mnist.pt2")

    x = torch.randn(3, 1, 28, 28)
    with torch.no_grad():
        y = net(x)
    save("input_0.pb", "x", x)
    save("output_0.pb", program.graph_signature.user_outputs[0], y)


if __name__ == "__main__":
    # Stack traces go into the archive: keep them free of where this file lies.
    Net.forward.__code__ = Net.forward.__code__.replace(co_filename="make.py")
    main()
