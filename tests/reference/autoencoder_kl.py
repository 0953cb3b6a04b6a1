#!/usr/bin/env python3
"""Golden numbers of tests/models/autoencoder_kl_test.cpp, from an independent implementation.

Stable Diffusion's autoencoder in torch.nn, narrow, with weights both sides can write down: element i
of parameter j (parameters in sorted order of their names) is 0.05 sin(1 + 0.37 i + 0.11 j), plus 1
for the scales of normalisations. The frame is sin(0.3 c + 0.2 y - 0.15 x). Everything in float64.
Run it with any PyTorch:
    autoencoder_kl.py                prints the golden numbers
    autoencoder_kl.py compare FILE   FILE: safetensors with our weights, a frame (input) and what we made of
                                     it (mean, decoded); exit code 0 when both agree to 1e-5
"""
import sys

import torch
from torch import nn
from torch.nn import functional as F

from safetensors_file import read_safetensors

WIDTHS, BLOCKS, LATENT, GROUPS, IMAGE, SCALE = [8, 12, 16], 1, 2, 4, 3, 0.18215
HEIGHT, WIDTH = 8, 12


class Res(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.norm1 = nn.GroupNorm(GROUPS, a, eps=1e-6)
        self.conv1 = nn.Conv2d(a, b, 3, padding=1)
        self.norm2 = nn.GroupNorm(GROUPS, b, eps=1e-6)
        self.conv2 = nn.Conv2d(b, b, 3, padding=1)
        self.conv_shortcut = nn.Conv2d(a, b, 1) if a != b else None

    def forward(self, x):
        h = self.conv1(F.silu(self.norm1(x)))
        h = self.conv2(F.silu(self.norm2(h)))
        return (x if self.conv_shortcut is None else self.conv_shortcut(x)) + h


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.group_norm = nn.GroupNorm(GROUPS, c, eps=1e-6)
        self.to_q, self.to_k, self.to_v = nn.Linear(c, c), nn.Linear(c, c), nn.Linear(c, c)
        self.to_out = nn.ModuleList([nn.Linear(c, c)])

    def forward(self, x):
        b, c, h, w = x.shape
        t = self.group_norm(x).permute(0, 2, 3, 1).reshape(b, h * w, c)
        q, k, v = self.to_q(t), self.to_k(t), self.to_v(t)
        p = torch.einsum("bic,bjc->bij", q, k).div(c**0.5).softmax(-1)
        o = self.to_out[0](torch.einsum("bij,bjc->bic", p, v))
        return x + o.reshape(b, h, w, c).permute(0, 3, 1, 2)


class Conv(nn.Module):
    def __init__(self, c, stride):
        super().__init__()
        self.conv = nn.Conv2d(c, c, 3, stride=stride, padding=2 - stride)


class Down(nn.Module):
    def __init__(self, a, b, last):
        super().__init__()
        self.resnets = nn.ModuleList(Res(a if i == 0 else b, b) for i in range(BLOCKS))
        self.downsamplers = None if last else nn.ModuleList([Conv(b, 2)])

    def forward(self, x):
        for block in self.resnets:
            x = block(x)
        return x if self.downsamplers is None else self.downsamplers[0].conv(F.pad(x, (0, 1, 0, 1)))


class Up(nn.Module):
    def __init__(self, a, b, last):
        super().__init__()
        self.resnets = nn.ModuleList(Res(a if i == 0 else b, b) for i in range(BLOCKS + 1))
        self.upsamplers = None if last else nn.ModuleList([Conv(b, 1)])

    def forward(self, x):
        for block in self.resnets:
            x = block(x)
        if self.upsamplers is None:
            return x
        return self.upsamplers[0].conv(x.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3))


class Mid(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.resnets = nn.ModuleList([Res(c, c), Res(c, c)])
        self.attentions = nn.ModuleList([Attention(c)])

    def forward(self, x):
        return self.resnets[1](self.attentions[0](self.resnets[0](x)))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv_in = nn.Conv2d(IMAGE, WIDTHS[0], 3, padding=1)
        inputs = [WIDTHS[0]] + WIDTHS[:-1]
        last = len(WIDTHS) - 1
        self.down_blocks = nn.ModuleList(
            Down(a, b, i == last) for i, (a, b) in enumerate(zip(inputs, WIDTHS)))
        self.mid_block = Mid(WIDTHS[-1])
        self.conv_norm_out = nn.GroupNorm(GROUPS, WIDTHS[-1], eps=1e-6)
        self.conv_out = nn.Conv2d(WIDTHS[-1], 2 * LATENT, 3, padding=1)

    def forward(self, x):
        x = self.conv_in(x)
        for block in self.down_blocks:
            x = block(x)
        return self.conv_out(F.silu(self.conv_norm_out(self.mid_block(x))))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        widths = WIDTHS[::-1]
        self.conv_in = nn.Conv2d(LATENT, widths[0], 3, padding=1)
        self.mid_block = Mid(widths[0])
        inputs = [widths[0]] + widths[:-1]
        last = len(widths) - 1
        self.up_blocks = nn.ModuleList(
            Up(a, b, i == last) for i, (a, b) in enumerate(zip(inputs, widths)))
        self.conv_norm_out = nn.GroupNorm(GROUPS, widths[-1], eps=1e-6)
        self.conv_out = nn.Conv2d(widths[-1], IMAGE, 3, padding=1)

    def forward(self, z):
        z = self.mid_block(self.conv_in(z))
        for block in self.up_blocks:
            z = block(z)
        return self.conv_out(F.silu(self.conv_norm_out(z)))


class AutoencoderKL(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()
        self.quant_conv = nn.Conv2d(2 * LATENT, 2 * LATENT, 1)
        self.post_quant_conv = nn.Conv2d(LATENT, LATENT, 1)


def main():
    torch.set_default_dtype(torch.float64)
    model = AutoencoderKL()
    for j, (name, p) in enumerate(sorted(model.named_parameters())):
        i = torch.arange(p.numel(), dtype=torch.float64)
        w = 0.05 * torch.sin(1 + 0.37 * i + 0.11 * j)
        if "norm" in name and name.endswith("weight"):
            w = w + 1
        p.data.copy_(w.reshape(p.shape))
    c = torch.arange(IMAGE).reshape(-1, 1, 1)
    y = torch.arange(HEIGHT).reshape(1, -1, 1)
    x = torch.arange(WIDTH).reshape(1, 1, -1)
    frame = torch.sin(0.3 * c + 0.2 * y - 0.15 * x)[None]
    with torch.no_grad():
        mean, log_variance = model.quant_conv(model.encoder(frame)).chunk(2, dim=1)
        log_variance = log_variance.clamp(-30, 20)
        z = mean * SCALE
        back = model.decoder(model.post_quant_conv(z / SCALE))
    for title, values in (("scaled mean", z), ("log variance, unscaled", log_variance),
                          ("decoded, row 3 of each channel", back[:, :, 3])):
        print(title, list(values.shape))
        print(", ".join(f"{v:.9g}" for v in values.flatten().tolist()))


def compare(path):
    tensors, _ = read_safetensors(path)
    frame, mean, decoded = (tensors.pop(name) for name in ("input", "mean", "decoded"))
    model = AutoencoderKL()
    model.load_state_dict(tensors)
    with torch.no_grad():
        found = model.quant_conv(model.encoder(frame)).chunk(2, dim=1)[0] * SCALE
        back = model.decoder(model.post_quant_conv(mean / SCALE))
    worst = 0
    for ours, theirs in ((mean, found), (decoded, back)):
        worst = max(worst, float((ours - theirs).abs().max() / theirs.abs().max()))
    print(f"largest difference {worst:.3g} of the largest entry")
    # Float rounding, in another order, through a few convolutions.
    sys.exit(0 if worst < 1e-5 else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(sys.argv[2])
    main()
