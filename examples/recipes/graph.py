"""A graph network: messages along edges, summed at their ends; any number of nodes, edges and graphs of a batch."""

import onnxport
import torch
from recipe import check, path
from torch import nn

FEATURES, WIDTH = 16, 64


class Layer(nn.Module):
    """Each node takes the mean of what its neighbours send."""

    def __init__(self):
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * WIDTH + 1, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))
        self.update = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, x, source, end, lengths):
        sent = self.message(torch.cat([x[source], x[end], lengths[:, None]], dim=1))
        total = torch.zeros_like(x).index_add(0, end, sent)
        count = torch.zeros_like(x[:, :1]).index_add(0, end, torch.ones_like(sent[:, :1]))
        return x + self.update(torch.cat([x, total / count.clamp(min=1)], dim=1))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(FEATURES, WIDTH), nn.Linear(2 * WIDTH, 1)
        self.layers = nn.ModuleList(Layer() for _ in range(3))

    def forward(self, nodes, edges, lengths, graph, graphs):
        """A number for each graph: `graph` [nodes] says which one a node is of; `graphs` [graphs] is as long."""
        x = self.first(nodes)
        for layer in self.layers:
            x = layer(x, edges[0], edges[1], lengths)
        index = graph[:, None].expand_as(x)
        empty = torch.zeros(graphs.shape[0], WIDTH)
        total = empty.scatter_add(0, index, x)
        largest = empty.scatter_reduce(0, index, x, "amax", include_self=False)
        return self.last(torch.cat([total, largest], dim=1))[:, 0]


def batch(*sizes):
    """Graphs of so many nodes, with three times as many edges."""
    first = [sum(sizes[:i]) for i in range(len(sizes))]
    edges = torch.cat([torch.randint(size, (2, 3 * size)) + start for size, start in zip(sizes, first)], dim=1)
    graph = torch.repeat_interleave(torch.tensor(sizes))
    return torch.randn(sum(sizes), FEATURES), edges, torch.rand(edges.shape[1]), graph, torch.zeros(len(sizes))


torch.manual_seed(0)
network = Network().eval()
axes = {"nodes": {0: "nodes"}, "edges": {1: "edges"}, "lengths": {0: "edges"}, "graph": {0: "nodes"}}
axes["graphs"] = {0: "graphs"}
for name, options, tolerance in [("graph.onnx", {}, 1e-5), ("graph.int8.onnx", {"weights_as": "int8"}, 2e-2)]:
    model = onnxport.export(network, batch(4, 7), path(name), dynamic_shapes=axes, output_names=["value"], **options)
    print(model, *model.remarks, sep="\n")
    for graphs in (batch(4, 7), batch(1), batch(20, 3, 100, 1)):
        with torch.no_grad():
            expected = network(*graphs)
        check(path(name), expected, model(*graphs)[0], tolerance=tolerance)
