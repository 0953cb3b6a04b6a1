#!/usr/bin/env python3
"""Golden numbers of tests/models/taesd_test.cpp, from an independent implementation in NumPy.

TAESD as sums over shifted pictures in float64, no layer of PyTorch. The small network has weights
both sides can write down: element i of parameter j (parameters in sorted order of their names) is
0.25 sin(1 + 0.37 i + 0.11 j). The picture is sin(0.3 c + 0.2 y - 0.15 x), in [-1, 1].
Run it with NumPy and any PyTorch (which reads the files):
    taesd.py                       prints the golden numbers
    taesd.py compare FILE FOLDER   FILE: safetensors with pictures (input) and what we made of them
                                   with the published weights in FOLDER (mean, decoded); exit code
                                   0 when both agree to 1e-5; prints the PSNR of the reconstruction
"""
import sys

import numpy as np

FEATURES, LATENT, HEIGHT, WIDTH = 5, 2, 16, 24


def conv(x, weight, bias=None, stride=1):
    """3x3, zeros around; x (B, C, H, W)."""
    height, width = x.shape[2:]
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    out = 0
    for dy in range(3):
        for dx in range(3):
            part = padded[:, :, dy:dy + height:stride, dx:dx + width:stride]
            out = out + np.einsum("oc,bchw->bohw", weight[:, :, dy, dx], part, optimize=True)
    return out if bias is None else out + bias.reshape(1, -1, 1, 1)


def relu(x):
    return np.maximum(x, 0)


def block(x, weights, key):
    y = x
    for i in (0, 2, 4):
        y = conv(relu(y) if i else y, weights[f"{key}.conv.{i}.weight"],
                 weights[f"{key}.conv.{i}.bias"])
    return relu(x + y)


def encode(picture, weights):
    """(B, 3, H, W) in [0, 1] -> (B, F, H / 8, W / 8)"""
    x = conv(picture, weights["0.weight"], weights["0.bias"])
    for key in range(1, 14):
        if key in (2, 6, 10):
            x = conv(x, weights[f"{key}.weight"], stride=2)
        else:
            x = block(x, weights, str(key))
    return conv(x, weights["14.weight"], weights["14.bias"])


def decode(latents, weights):
    x = 3 * np.tanh(latents / 3)
    x = relu(conv(x, weights["1.weight"], weights["1.bias"]))
    for key in range(3, 19):
        if key in (6, 11, 16):
            x = x.repeat(2, axis=2).repeat(2, axis=3)
        elif key in (7, 12, 17):
            x = conv(x, weights[f"{key}.weight"])
        else:
            x = block(x, weights, str(key))
    return conv(x, weights["19.weight"], weights["19.bias"])


def part(weights, name):
    return {key[len(name) + 1:]: value for key, value in weights.items()
            if key.startswith(name + ".")}


def small_shapes():
    wide = (FEATURES, FEATURES, 3, 3)
    shapes = {"encoder.0.weight": (FEATURES, 3, 3, 3), "encoder.0.bias": (FEATURES,),
              "encoder.14.weight": (LATENT, FEATURES, 3, 3), "encoder.14.bias": (LATENT,),
              "decoder.1.weight": (FEATURES, LATENT, 3, 3), "decoder.1.bias": (FEATURES,),
              "decoder.19.weight": (3, FEATURES, 3, 3), "decoder.19.bias": (3,)}
    blocks = {"encoder": [1, 3, 4, 5, 7, 8, 9, 11, 12, 13],
              "decoder": [3, 4, 5, 8, 9, 10, 13, 14, 15, 18]}
    for name, keys in blocks.items():
        for key in keys:
            for i in (0, 2, 4):
                shapes[f"{name}.{key}.conv.{i}.weight"] = wide
                shapes[f"{name}.{key}.conv.{i}.bias"] = (FEATURES,)
    for key in ("encoder.2", "encoder.6", "encoder.10", "decoder.7", "decoder.12", "decoder.17"):
        shapes[f"{key}.weight"] = wide
    return shapes


def main():
    weights = {}
    for j, (name, shape) in enumerate(sorted(small_shapes().items())):
        i = np.arange(np.prod(shape))
        weights[name] = (0.25 * np.sin(1 + 0.37 * i + 0.11 * j)).reshape(shape)
    c, y, x = np.ogrid[:3, :HEIGHT, :WIDTH]
    picture = np.sin(0.3 * c + 0.2 * y - 0.15 * x)[None]
    mean = encode((picture + 1) / 2, part(weights, "encoder"))
    decoded = decode(20 * mean, part(weights, "decoder")) * 2 - 1
    for title, values in (("mean", mean),
                          ("20 means decoded, row 5 of each colour", decoded[:, :, 5])):
        print(title, values.shape)
        print(", ".join(f"{v:.12g}" for v in values.flatten()))


def compare(path, folder):
    from safetensors_file import read_safetensors

    def read(name):
        return {key: value.double().numpy() for key, value in read_safetensors(name)[0].items()}

    ours = read(path)
    mean = encode((ours["input"] + 1) / 2, read(f"{folder}/taesd_encoder.safetensors"))
    decoded = decode(ours["mean"], read(f"{folder}/taesd_decoder.safetensors")) * 2 - 1
    worst = 0
    for found, expected in ((ours["mean"], mean), (ours["decoded"], decoded)):
        worst = max(worst, np.abs(found - expected).max() / np.abs(expected).max())
    error = np.clip(decoded, -1, 1) / 2 - ours["input"] / 2
    print(f"largest difference {worst:.3g} of the largest entry; PSNR "
          f"{-10 * np.log10(np.mean(error ** 2)):.2f} dB")
    # Float rounding, in another order, through forty convolutions.
    sys.exit(0 if worst < 1e-5 else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare(sys.argv[2], sys.argv[3])
    main()
