"""The denoiser written again with torch.nn, from the paper's formulas alone.

    denoiser.py                      prints the golden numbers of tests/models/denoiser_test.cpp
    denoiser.py compare FILE         FILE: safetensors with the weights, inputs (input.*) and the
                                     output (output) of one C++ call; exit 1 when they differ

Needs PyTorch (Debian: python3-torch). Reads safetensors by itself.
"""

import json
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F

from safetensors_file import read_safetensors


def sinusoid(numbers, width):
    half = width // 2
    frequencies = torch.exp(-math.log(1e4) * torch.arange(half, dtype=torch.float64) / half)
    angles = numbers.double()[:, None] * frequencies[None]
    return torch.cat([torch.cos(angles), torch.sin(angles)], dim=1).float()


class Attention(nn.Module):
    def __init__(self, width, heads, qk_norm):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.heads, self.qk_norm = heads, qk_norm

    def forward(self, x):
        batch, tokens, width = x.shape
        size = width // self.heads
        qkv = self.qkv(x).reshape(batch, tokens, 3, self.heads, size)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        if self.qk_norm:
            q = F.layer_norm(q, (size,), eps=1e-6)
            k = F.layer_norm(k, (size,), eps=1e-6)
        weights = torch.softmax(torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(size), dim=-1)
        mixed = torch.einsum("bhqk,bhkd->bqhd", weights, v)
        return self.proj(mixed.reshape(batch, tokens, width))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.fc1 = nn.Linear(width, hidden)
        self.fc2 = nn.Linear(hidden, width)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.attention = Attention(o["width"], o["heads"], o["qk_norm"])
        self.mlp = FeedForward(o["width"], o["mlp_ratio"] * o["width"])
        self.modulation = nn.Linear(o["condition_width"], 6 * o["width"])

    def forward(self, x, c):
        shift1, scale1, gate1, shift2, scale2, gate2 = (
            self.modulation(F.silu(c))[:, None].chunk(6, dim=-1))
        norm = lambda y: F.layer_norm(y, (y.shape[-1],), eps=1e-6)
        x = x + gate1 * self.attention(norm(x) * (1 + scale1) + shift1)
        return x + gate2 * self.mlp(norm(x) * (1 + scale2) + shift2)


class Denoiser(nn.Module):
    def __init__(self, o):
        super().__init__()
        self.o = o
        patch = o["patch"] ** 2 * o["channels"]
        places = o["height"] * o["grid_width"] // o["patch"] ** 2
        frames = o["contexts"] + 2
        stacked = o["context"] == "channels"
        width, condition = o["width"], o["condition_width"]
        self.patch_projection = nn.Linear(patch * (frames if stacked else 1), width)
        self.position_embedding = nn.Parameter(
            torch.zeros(places * (1 if stacked else frames), width))
        self.step_projection = nn.Linear(o["frequencies"], condition)
        self.time_projection = nn.Linear(o["frequencies"], condition)
        self.direction_embedding = nn.Parameter(torch.zeros(2, condition))
        self.condition_fc1 = nn.Linear(condition, condition)
        self.condition_fc2 = nn.Linear(condition, condition)
        self.blocks = nn.ModuleList([Block(o) for _ in range(o["depth"])])
        self.final_modulation = nn.Linear(condition, 2 * width)
        self.final_linear = nn.Linear(width, patch)
        self.places = places

    def patches(self, frame):  # (B, F, h, w) -> (B, places, p p F), one patch after another
        p = self.o["patch"]
        rows = []
        for i in range(0, frame.shape[2], p):
            for j in range(0, frame.shape[3], p):
                square = frame[:, :, i:i + p, j:j + p]
                rows.append(square.permute(0, 2, 3, 1).reshape(frame.shape[0], -1))
        return torch.stack(rows, dim=1)

    def frame(self, patches):
        p, channels = self.o["patch"], self.o["channels"]
        out = patches.new_zeros(patches.shape[0], channels, self.o["height"], self.o["grid_width"])
        across = self.o["grid_width"] // p
        for place in range(patches.shape[1]):
            i, j = place // across * p, place % across * p
            square = patches[:, place].reshape(-1, p, p, channels)
            out[:, :, i:i + p, j:j + p] = square.permute(0, 3, 1, 2)
        return out

    def forward(self, noised, context, anchor, k, t, direction):
        frames = [noised, *context.unbind(1), anchor]
        along = 2 if self.o["context"] == "channels" else 1
        x = self.patch_projection(torch.cat([self.patches(f) for f in frames], dim=along))
        x = x + self.position_embedding
        width = self.o["frequencies"]
        c = (F.silu(self.step_projection(sinusoid(k, width)))
             + F.silu(self.time_projection(sinusoid(t, width)))
             + self.direction_embedding[(direction < 0).long()])
        c = self.condition_fc2(F.silu(self.condition_fc1(c)))
        for block in self.blocks:
            x = block(x, c)
        shift, scale = self.final_modulation(F.silu(c))[:, None].chunk(2, dim=-1)
        x = x[:, :self.places]
        x = F.layer_norm(x, (x.shape[-1],), eps=1e-6) * (1 + scale) + shift
        return self.frame(self.final_linear(x))


def wave(shape, phase):
    count = math.prod(shape)
    return torch.sin(phase + 0.7 * torch.arange(count, dtype=torch.float64)).reshape(shape).float()


def fill(network):
    """w = 0.3 sin(1 + 0.37 i + 0.11 j), i the element, j the parameter in order of names."""
    with torch.no_grad():
        for j, (_, w) in enumerate(sorted(network.named_parameters())):
            i = torch.arange(w.numel(), dtype=torch.float64)
            w.copy_((0.3 * torch.sin(1 + 0.37 * i + 0.11 * j)).reshape(w.shape))


def inputs(o):
    frame = (o["channels"], o["height"], o["grid_width"])
    return (wave((2, *frame), 0.1), wave((2, o["contexts"], *frame), 0.2), wave((2, *frame), 0.3),
            torch.tensor([7, 900]), torch.tensor([3, 50]), torch.tensor([1, -1]))


SMALL = dict(channels=3, height=4, grid_width=6, contexts=2, width=16, depth=2, heads=2,
             condition_width=12, patch=2, mlp_ratio=4, qk_norm=False, context="tokens",
             frequencies=32)


def golden():
    cases = {"tokens": {}, "channels": {"context": "channels"}, "qk_norm": {"qk_norm": True},
             "patch 1, n = 1": {"patch": 1, "contexts": 1}}
    for name, changes in cases.items():
        o = {**SMALL, **changes}
        network = Denoiser(o)
        fill(network)
        with torch.no_grad():
            y = network(*inputs(o)).double()
        places = [(0, 0, 0, 0), (0, 2, 3, 5), (1, 1, 2, 1), (1, 2, 0, 4)]
        numbers = [y.mean(), y.abs().max(), *(y[place] for place in places)]
        print(f"{name}: " + ", ".join(f"{float(number):.8f}" for number in numbers))


def compare(path):
    tensors, metadata = read_safetensors(path)
    o = json.loads(metadata["options"])
    names = ("noised", "context", "anchor", "k", "t", "direction")
    given = [tensors.pop("input." + name) for name in names]
    expected = tensors.pop("output")
    network = Denoiser(o)
    network.load_state_dict(tensors)
    with torch.no_grad():
        found = network(*given)
    difference = float((found - expected).abs().max() / expected.abs().max())
    print(f"largest difference {difference:.3g} of the largest entry")
    # Float rounding, in another order, through a few blocks.
    sys.exit(0 if difference < 1e-5 else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(sys.argv[2])
    golden()
