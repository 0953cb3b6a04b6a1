"""Files in the layout of FNO's Navier-Stokes data, by SciPy and h5py, for tests/io/fno_mat_test.cpp.

    fno_mat.py write FOLDER   writes files for our reader
    fno_mat.py check FILE     compares a file of our writer with the formula below, value by value

Exits with 77 when SciPy, h5py or NumPy is not installed.
"""

import sys

try:
    import h5py
    import numpy as np
    import scipy.io
except ImportError as error:
    print(error)
    sys.exit(77)

N, H, W, T = 5, 4, 3, 6


def solution():
    """u[n, i, j, t] as float32, exact; the same formula as `value` in the C++ test."""
    n, i, j, t = np.meshgrid(*map(np.arange, (N, H, W, T)), indexing="ij")
    return ((((n * 7 + i) * 11 + j) * 13 + t) / 8).astype(np.float32)


def initial():
    n, i, j = np.meshgrid(*map(np.arange, (N, H, W)), indexing="ij")
    return -(((n * 7 + i) * 11 + j) / 8).astype(np.float32)


def times():
    return np.arange(1, T + 1, dtype=np.float32) / 4


def write(folder):
    data = {"a": initial(), "u": solution(), "t": times()}
    doubles = {name: array.astype(np.float64) for name, array in data.items()}
    fortran = {name: np.asfortranarray(array) for name, array in data.items()}
    others = {"label": "text", "settings": {"viscosity": 1e-5, "a": [1, 2]},
              "list": np.array([1.0, "two", [3]], dtype=object), "count": np.int16(3),
              "z": 1 + 2j, "empty": np.zeros((0, 0))}
    scipy.io.savemat(f"{folder}/plain.mat", data)
    scipy.io.savemat(f"{folder}/fortran.mat", fortran)
    scipy.io.savemat(f"{folder}/compressed.mat", data, do_compression=True)
    scipy.io.savemat(f"{folder}/double.mat", doubles)
    scipy.io.savemat(f"{folder}/double_compressed.mat", doubles, do_compression=True)
    scipy.io.savemat(f"{folder}/column_times.mat", data, oned_as="column")
    scipy.io.savemat(f"{folder}/others.mat", others | data)
    scipy.io.savemat(f"{folder}/others_compressed.mat", others | data, do_compression=True)
    # Level 7.3 as h5py sees it: all axes reversed.
    for name, options in {"h5py.mat": {}, "h5py_chunked.mat": {"chunks": True, "compression": 4},
                          "h5py_double.mat": {"dtype": "f8"}}.items():
        with h5py.File(f"{folder}/{name}", "w", userblock_size=512) as file:
            for key, array in data.items():
                array = np.atleast_2d(array)
                file.create_dataset(key, data=array.transpose(), **options)


def check(path):
    try:
        found = scipy.io.loadmat(path)
    except NotImplementedError:  # SciPy reads no HDF5
        with h5py.File(path) as file:
            assert file["u"].shape == (T, W, H, N), file["u"].shape
            assert file["u"].attrs["MATLAB_class"] == b"single"
            found = {name: file[name][()].transpose() for name in ("a", "u", "t")}
    for name, expected in {"a": initial(), "u": solution(), "t": times()[None, :]}.items():
        assert found[name].dtype == np.float32, (name, found[name].dtype)
        assert np.array_equal(found[name], expected), name


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](sys.argv[2])
