"""The shapes of the arrays in an .npz file, from their headers alone."""

from __future__ import annotations

from onnxls_server.console import CommandError


def shapes(path: str) -> dict[str, tuple[int, ...]]:
    """The shape of each array by name; raises CommandError where the file cannot be read."""
    from zipfile import BadZipFile, ZipFile

    from numpy.lib import format as npy

    found: dict[str, tuple[int, ...]] = {}
    try:
        with ZipFile(path) as archive:
            for name in archive.namelist():
                with archive.open(name) as stream:
                    version = npy.read_magic(stream)
                    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
                    found[name.removesuffix(".npy")] = read(stream)[0]
    except FileNotFoundError as error:
        raise CommandError(f"{path}: no such file") from error
    except (OSError, ValueError, BadZipFile) as error:
        raise CommandError(f"{path} is no .npz file: {error}") from error
    return found
