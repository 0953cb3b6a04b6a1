"""Reads the safetensors files of our tests with nothing but PyTorch."""
import json
import struct

import torch


def read_safetensors(path):
    kinds = {"F32": torch.float32, "F64": torch.float64, "I64": torch.int64, "BF16": torch.bfloat16}
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        raw = bytearray(data[begin:end])
        tensors[name] = torch.frombuffer(raw, dtype=kinds[info["dtype"]]).reshape(info["shape"])
    return tensors, metadata
