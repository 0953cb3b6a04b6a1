"""Writes trajectories of a two-dimensional periodic box as one file of the Well, with NumPy and h5py.

Everything `roundtrip` (and the Well's own checker) wants of a file is in `write`.
"""
import h5py
import numpy as np


def write(path, name, fields, time, parameters=None):
    """One file: groups, attributes and types as the Well's own checker wants them.

    fields: {name: array (trajectory, time, x, y)}, scalars on equally spaced cells of a unit box that
    is periodic both ways; time: (time,); parameters: {name: number} the same for all trajectories.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    parameters = parameters or {}
    shape = next(iter(fields.values())).shape
    with h5py.File(path, "w") as f:
        f.attrs.update(dataset_name=name, grid_type="cartesian", n_spatial_dims=2,
                       n_trajectories=shape[0])
        write_parameters(f, parameters)
        write_axes(f, {"x": shape[2], "y": shape[3]}, time)
        write_fields(f, fields)


def write_parameters(f, parameters):
    names = list(parameters) or np.array([], dtype=np.float64)
    f.attrs["simulation_parameters"] = names
    scalars = f.create_group("scalars")
    scalars.attrs["field_names"] = names
    for name, value in parameters.items():
        f.attrs[name] = value
        scalar = scalars.create_dataset(name, data=np.float32(value))
        scalar.attrs.update(sample_varying=False, time_varying=False)


def write_axes(f, sizes, time):
    axes = f.create_group("dimensions")
    axes.attrs["spatial_dims"] = list(sizes)
    boundaries = f.create_group("boundary_conditions")
    for name, size in sizes.items():
        axis = axes.create_dataset(name, data=(np.arange(size, dtype=np.float32) + 0.5) / size)
        axis.attrs.update(sample_varying=False, time_varying=False)
        edge = boundaries.create_group(f"{name}_periodic")
        edge.attrs.update(bc_type="PERIODIC", sample_varying=False, time_varying=False)
        edge.attrs["associated_dims"] = [name]
        edge.attrs["associated_fields"] = np.array([], dtype=np.float64)
        mask = np.zeros(size, dtype=bool)
        mask[[0, -1]] = True
        edge.create_dataset("mask", data=mask)
    times = axes.create_dataset("time", data=np.asarray(time, dtype=np.float32))
    times.attrs["sample_varying"] = False


def write_fields(f, fields):
    scalars = f.create_group("t0_fields")
    scalars.attrs["field_names"] = list(fields)
    for name, values in fields.items():
        field = scalars.create_dataset(name, data=values.astype(np.float32))
        field.attrs.update(dim_varying=np.array([True, True]), sample_varying=True,
                           time_varying=True)
    for order in (1, 2):
        f.create_group(f"t{order}_fields").attrs["field_names"] = np.array([], dtype=np.float64)
