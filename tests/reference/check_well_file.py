#!/usr/bin/env python3
"""An independent look, through h5py, at the Well files Roundtrip writes and reads.

  check_well_file.py rules FILE...   the rules of the Well's data format and format checker
  check_well_file.py values FILE     the values of the example of tests/io/well_example.h
  check_well_file.py dummy FILE      writes a file with the quirks of the Well's dummy data
  check_well_file.py stats FOLDER    stats.yaml against numpy over data/train

Exit code 0 when all holds; otherwise 1 and the first rule that is broken.
"""

import itertools
import pathlib
import sys

import h5py
import numpy as np
import yaml


def need(holds, what):
    if not holds:
        sys.exit(f"broken rule: {what}")


def is_bool(value):
    return isinstance(value, (bool, np.bool_))


def is_list(value):
    return isinstance(value, (list, np.ndarray))


def is_integer(value):
    return isinstance(value, (int, np.integer))


def names_in(item, attribute):
    """A list of strings; an empty one may have any type."""
    need(attribute in item.attrs, f"{item.name} has {attribute}")
    names = item.attrs[attribute]
    need(is_list(names), f"{item.name}.{attribute} is a list")
    need(all(isinstance(name, str) for name in names), f"{item.name}.{attribute} holds str")
    return list(names)


def varying_shape(file, item):
    """The leading axes an object has by its flags, which must be there and boolean."""
    shape = ()
    for flag, size in (
        ("sample_varying", file.attrs["n_trajectories"]),
        ("time_varying", file["dimensions/time"].shape[-1]),
    ):
        need(flag in item.attrs, f"{item.name} has {flag}")
        need(is_bool(item.attrs[flag]), f"{item.name}.{flag} is a bool")
        if item.attrs[flag]:
            shape += (size,)
    return shape


def check_root(file):
    for attribute in ("dataset_name", "grid_type"):
        need(isinstance(file.attrs.get(attribute), str), f"root {attribute} is a str")
    for attribute in ("n_spatial_dims", "n_trajectories"):
        need(is_integer(file.attrs.get(attribute)), f"root {attribute} is an integer")
    need(file.attrs["n_spatial_dims"] > 0, "n_spatial_dims is positive")
    for name in names_in(file, "simulation_parameters"):
        need(name in file.attrs, f"parameter {name} is a root attribute")
        need(name in file["scalars"], f"parameter {name} is in /scalars")


def check_dimensions(file):
    group = file["dimensions"]
    need("time" in group, "dimensions has time")
    need(group["time"].shape == varying_shape(file, group["time"]), "time has its flags' shape")
    names = names_in(group, "spatial_dims")
    need(len(names) == file.attrs["n_spatial_dims"], "spatial_dims has n_spatial_dims names")
    for name in names:
        need(name in group, f"dimensions has {name}")
        need(group[name].shape[:-1] == varying_shape(file, group[name]), f"shape of {name}")
        need(group[name].dtype == np.float32, f"{name} is float32")
    need(group["time"].dtype == np.float32, "time is float32")
    return {name: group[name].shape[-1] for name in names}


def check_fields(file, order, sizes):
    group = file[f"t{order}_fields"]
    names = names_in(group, "field_names")
    need(sorted(names) == sorted(group), f"{group.name} names exactly the datasets it holds")
    for name in names:
        field = group[name]
        along = field.attrs.get("dim_varying")
        need(is_list(along) and len(along) == len(sizes), f"{field.name}.dim_varying has D entries")
        need(all(is_bool(entry) for entry in along), f"{field.name}.dim_varying holds bool")
        shape = varying_shape(file, field)
        shape += tuple(size for size, varies in zip(sizes.values(), along) if varies)
        shape += (len(sizes),) * order
        need(field.shape == shape, f"{field.name} has shape {shape}, found {field.shape}")
        need(field.dtype == np.float32, f"{field.name} is float32")
        if order == 2:
            for flag in ("symmetric", "antisymmetric"):
                need(is_bool(field.attrs.get(flag)), f"{field.name}.{flag} is a bool")


def check_scalars(file):
    group = file["scalars"]
    for name in names_in(group, "field_names"):
        need(name in group, f"scalars has {name}")
        need(group[name].shape == varying_shape(file, group[name]), f"shape of scalar {name}")


def check_boundaries(file, sizes):
    for name, group in file["boundary_conditions"].items():
        kind = group.attrs.get("bc_type")
        need(isinstance(kind, str) and kind == kind.upper(), f"{name}: bc_type in capitals")
        need(kind in ("WALL", "OPEN", "PERIODIC"), f"{name}: bc_type known to the Well")
        names_in(group, "associated_fields")
        axes = names_in(group, "associated_dims")
        need(axes and all(axis in sizes for axis in axes), f"{name}: associated_dims are axes")
        shape = varying_shape(file, group)
        shape += tuple(size for axis, size in sizes.items() if axis in axes)
        need("mask" in group and group["mask"].shape == shape, f"{name}: mask has shape {shape}")
        need(group["mask"].dtype == np.bool_, f"{name}: mask holds bool")
        # The Well takes the condition of an end from the mask's first and last value.
        need(group["mask"][0] and group["mask"][-1], f"{name}: mask is set at both ends")


def check_rules(path):
    with h5py.File(path, "r") as file:
        for group in ("dimensions", "boundary_conditions", "scalars"):
            need(group in file, f"/{group} exists")
        check_root(file)
        sizes = check_dimensions(file)
        for order in range(3):
            need(f"t{order}_fields" in file, f"/t{order}_fields exists")
            check_fields(file, order, sizes)
        check_scalars(file)
        check_boundaries(file, sizes)


def example_array(place, shape, axes):
    """Values of the example: every index shows in them. `axes` names the array's axes."""
    weights = {"b": 1000, "t": 100, "i": 10, "j": 1}
    values = np.full(shape, 10000.0 * place)
    component = np.zeros(shape)
    for axis, name in enumerate(axes):
        index = np.arange(shape[axis]).reshape([-1 if a == axis else 1 for a in range(len(shape))])
        if name == "c":
            component = component * shape[axis] + index
        else:
            values = values + weights[name] * index
    return (values + component / 8).astype(np.float32)


def check_values(path):
    fields = {
        "t0_fields/density": "btij",
        "t0_fields/ground": "bij",
        "t0_fields/clock": "tij",
        "t0_fields/profile": "btj",
        "t1_fields/velocity": "btijc",
        "t2_fields/stress": "btijcc",
    }
    sizes = {"b": 2, "t": 3, "i": 3, "j": 4, "c": 2}
    with h5py.File(path, "r") as file:
        for place, (name, axes) in enumerate(fields.items()):
            expected = example_array(place, tuple(sizes[axis] for axis in axes), axes)
            need(np.array_equal(file[name][()], expected), f"values of {name}")
        need(file.attrs["gamma"] == 5 / 3, "gamma in double precision")
        need(file["scalars/viscosity"][()] == np.float32(1e-5), "viscosity in /scalars")
        need(file["scalars/drive"][()].tolist() == [[1, 2, 3], [4, 5, 6]], "drive in /scalars")
        need(file.attrs["provenance"] == '{"seed": 7, "who": "Größe"}', "UTF-8 text")
        need(file.attrs["pressure"] == "total", "a note")
        need(file["dimensions/time"][()].tolist() == [0.5, 1.0, 1.5], "times")
        need(file["dimensions/y"][()].tolist() == [-1, 0, 1, 2], "coordinates")
        need(bool(file["t2_fields/stress"].attrs["symmetric"]), "stress is symmetric")


def write_dummy(path):
    """The quirks: a string for a list, [] as float64, no time_varying on dimensions, doubles,
    lower-case boundary type, fixed-length strings, a scalar as a list of one."""
    with h5py.File(path, "w") as file:
        file.attrs["a"], file.attrs["b"] = 0.25, 0.75
        file.attrs["dataset_name"] = "dummy"
        file.attrs["grid_type"] = np.bytes_("cartesian")
        file.attrs["n_spatial_dims"] = 2
        file.attrs["n_trajectories"] = np.int32(2)
        file.attrs["simulation_parameters"] = ["a", "b"]
        for axis, size in (("x", 6), ("y", 5)):
            group = file.create_group(f"boundary_conditions/{axis}_periodic")
            group.attrs["associated_dims"] = axis
            group.attrs["associated_fields"] = []
            group.attrs["bc_type"] = "periodic"
            group.attrs["sample_varying"] = group.attrs["time_varying"] = False
            group["mask"] = np.zeros(size, bool)
        dimensions = file.create_group("dimensions")
        dimensions.attrs["spatial_dims"] = ["x", "y"]
        dimensions["time"] = np.stack([np.arange(4), 10 + np.arange(4)]).astype(np.float64)
        dimensions["x"] = np.linspace(0, 1, 6, dtype=np.float32)
        dimensions["y"] = np.linspace(0, 1, 5, dtype=np.float32)
        for name in ("time", "x", "y"):
            dimensions[name].attrs["sample_varying"] = name == "time"
        scalars = file.create_group("scalars")
        scalars.attrs["field_names"] = ["a", "b", "drive"]
        scalars["a"], scalars["b"] = np.array([0.25]), np.array(0.75)
        scalars["drive"] = np.arange(4.0)
        for name in scalars:
            scalars[name].attrs["sample_varying"] = False
            scalars[name].attrs["time_varying"] = name == "drive"
        constant = file.create_dataset("t0_fields/constant", data=np.arange(60.0).reshape(2, 6, 5))
        field = file.create_dataset(
            "t1_fields/field",
            data=np.arange(480, dtype=np.float32).reshape(2, 4, 6, 5, 2),
            chunks=(1, 3, 6, 5, 1),
            compression="gzip",
            shuffle=True,
        )
        for dataset, varies in ((constant, False), (field, True)):
            dataset.attrs["dim_varying"] = [True, True]
            dataset.attrs["sample_varying"] = True
            dataset.attrs["time_varying"] = varies
        file["t0_fields"].attrs["field_names"] = ["constant"]
        file["t1_fields"].attrs["field_names"] = ["field"]
        file.create_group("t2_fields").attrs["field_names"] = []


def stored_stats(folder):
    """mean, std, rms and those of the deltas, by numpy over the whole train split at once."""
    stats = {}
    files = sorted(itertools.chain.from_iterable(
        pathlib.Path(folder, "data/train").glob(pattern) for pattern in ("*.hdf5", "*.h5")))
    fields = {}
    for path in files:
        with h5py.File(path, "r") as file:
            for order in range(3):
                for name in names_in(file[f"t{order}_fields"], "field_names"):
                    dataset = file[f"t{order}_fields/{name}"]
                    data = dataset[()].astype(np.float64)
                    axis = int(dataset.attrs["sample_varying"])
                    parts = fields.setdefault(name, (order, [], []))
                    parts[1].append(data.reshape(-1, *data.shape[data.ndim - order:]))
                    if dataset.attrs["time_varying"]:
                        delta = np.diff(data, axis=axis)
                        parts[2].append(delta.reshape(-1, *data.shape[data.ndim - order:]))
    for name, (_, values, deltas) in fields.items():
        for suffix, parts in (("", values), ("_delta", deltas)):
            if parts:
                joined = np.concatenate(parts)
                stats.setdefault("mean" + suffix, {})[name] = joined.mean(0)
                stats.setdefault("std" + suffix, {})[name] = joined.std(0)
                stats.setdefault("rms" + suffix, {})[name] = np.sqrt((joined**2).mean(0))
    return stats


def check_stats(folder):
    written = yaml.safe_load(pathlib.Path(folder, "stats.yaml").read_text())
    expected = stored_stats(folder)
    need(sorted(written) == sorted(expected), "the six keys")
    need(list(written) == sorted(written), "keys in alphabetical order")
    for key, fields in expected.items():
        need(sorted(written[key]) == sorted(fields), f"fields of {key}")
        for name, value in fields.items():
            found = np.array(written[key][name])
            need(found.dtype == np.float64, f"{key} of {name} parses as numbers")
            need(found.shape == value.shape, f"{key} of {name} has shape {value.shape}")
            # Five significant digits are written: half a unit of the fifth.
            scale = 10.0 ** np.floor(np.log10(np.maximum(np.abs(value), 1e-300)))
            need(np.all(np.abs(found - value) <= 0.51e-4 * scale + 1e-12), f"{key} of {name}")


def main():
    actions = {"rules": check_rules, "values": check_values, "dummy": write_dummy,
               "stats": check_stats}
    if len(sys.argv) < 3 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    for path in sys.argv[2:]:
        actions[sys.argv[1]](path)


if __name__ == "__main__":
    main()
