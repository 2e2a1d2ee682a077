"""A wheel of the tree that a .tar.zst packs, with the module app/python/orrery: `pip install orrery-….whl`.

   usage: wheel.py PACKAGE.tar.zst MODULE-FOLDER OUTPUT-FOLDER

The tree lies in the package's folder orrery/tree, and runs from there as it runs from any folder. The wheel's name tells the
glibc that its files need, and nothing of Python: no part of the module is compiled.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

MINIMUM_PYTHON = "3.9"
# Files for menus, shells and file managers, which look into the folders of the system alone.
LEFT_OUT = ("share/applications/", "share/metainfo/", "share/mime/", "share/icons/", "share/bash-completion/", "share/zsh/",
            "share/fish/")
METADATA = """Metadata-Version: 2.1
Name: orrery
Version: {version}
Summary: OpenCL kernels at work: bodies under gravity, the Mandelbrot set, particles under laws that you type
License: MIT
Requires-Python: >={minimum}
Requires-Dist: numpy
Provides-Extra: cpu
Requires-Dist: intel-opencl-rt ; extra == 'cpu'
Requires-Dist: intel-cmplr-lib-rt ; extra == 'cpu'
Provides-Extra: notebook
Requires-Dist: tqdm ; extra == 'notebook'
Provides-Extra: hdf5
Requires-Dist: h5py ; extra == 'hdf5'
Description-Content-Type: text/markdown

{description}"""
# README shows its pictures from files beside it, which a wheel does not have.
DESCRIPTION = """The program `orrery` and the module of the same name. `orrery --help` lists the commands, and `orrery help python`
is the page of the module. The extra `[cpu]` also brings Intel's OpenCL driver for processors, which is used where the system
has no driver.
"""


def is_program_code(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def needed_glibc(tree):
    """The newest version of glibc whose symbols a file of the tree uses, as (2, 36)."""
    newest = (2, 5)
    for path in tree.rglob("*"):
        if path.is_file() and is_program_code(path):
            told = subprocess.run(["readelf", "--version-info", "--wide", path], check=True, capture_output=True, text=True).stdout
            for major, minor in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", told):
                newest = max(newest, (int(major), int(minor)))
    return newest


class Wheel:
    """The archive and its record. Files have the date of the package, so that the same tree gives the same wheel."""

    def __init__(self, path, date):
        self.archive, self.date, self.record = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9), date, []

    def add(self, name, content, executable=False):
        entry = zipfile.ZipInfo(name, self.date)
        entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100755 if executable else 0o100644) << 16
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")

    def add_folder(self, folder, name, wanted=lambda path: True):
        for path in sorted(folder.rglob("*")):
            relative = path.relative_to(folder).as_posix()
            if path.is_file() and wanted(relative):  # of a link, its content: wheels have no links
                self.add(f"{name}/{relative}", path.read_bytes(), os.access(path, os.X_OK))

    def close(self, info):
        record = f"{info}/RECORD"
        self.archive.writestr(zipfile.ZipInfo(record, self.date), "".join(self.record) + f"{record},,\n")
        self.archive.close()


def make(package, module, output):
    name, version, system, machine = package.name[:-len(".tar.zst")].split("-", 3)
    assert system == "linux", f"{package}: expected orrery-VERSION-linux-MACHINE.tar.zst"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "--zstd", "-xf", package, "-C", folder, "--strip-components=1"], check=True)
        tree = pathlib.Path(folder)
        tag = "py3-none-manylinux_{}_{}_{}".format(*needed_glibc(tree), machine)
        path = output / f"{name}-{version}-{tag}.whl"
        part = path.with_suffix(".part")
        date = (1980, 1, 1, 0, 0, 0)
        wheel, info = Wheel(part, date), f"{name}-{version}.dist-info"
        wheel.add_folder(module, name, lambda file: "__pycache__" not in file)
        wheel.add_folder(tree, f"{name}/tree", lambda file: not file.startswith(LEFT_OUT))
        wheel.add(f"{info}/METADATA", METADATA.format(version=version, minimum=MINIMUM_PYTHON, description=DESCRIPTION).encode())
        wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: orrery\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        wheel.add(f"{info}/entry_points.txt", f"[console_scripts]\n{name} = {name}.__main__:main\n".encode())
        wheel.close(info)
        part.replace(path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(make(*map(pathlib.Path, sys.argv[1:])))
