"""A wheel of the tree that a .tar.zst packs, or a .zip for Windows, with the module app/python/orrery: `pip install
orrery-….whl`.

   usage: wheel.py PACKAGE MODULE-FOLDER OUTPUT-FOLDER

The tree lies in the package's folder orrery/tree, and runs from there as it runs from any folder. The wheel's name tells the
system, on Linux the glibc that its files need, and nothing of Python: no part of the module is compiled.
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
Summary: Watch OpenCL kernels run: bodies under gravity, the Mandelbrot set, particles under laws that you type
License: MIT
Requires-Python: >={minimum}
Requires-Dist: numpy
{extras}Provides-Extra: notebook
Requires-Dist: tqdm ; extra == 'notebook'
Provides-Extra: hdf5
Requires-Dist: h5py ; extra == 'hdf5'
Description-Content-Type: text/markdown

{description}"""
EXTRA_CPU = """Provides-Extra: cpu
Requires-Dist: intel-opencl-rt ; extra == 'cpu'
Requires-Dist: intel-cmplr-lib-rt ; extra == 'cpu'
"""
# README shows its pictures from files beside it, which a wheel does not have.
DESCRIPTION = """The program `orrery` and the module of the same name. `orrery --help` lists the commands, and `orrery help python`
is the page of the module. {about}
"""
ABOUT_CPU = """The extra `[cpu]` also brings Intel's OpenCL driver for processors, which is used where the system
has no driver."""
ABOUT_DRIVERS = """OpenCL comes with the driver of the graphics card, or from the Microsoft Store as the OpenCL
Compatibility Pack."""


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


class Package:
    """The archive of a tree, by its name: orrery-0.1.0-linux-x86_64.tar.zst, orrery-0.1.0-windows-x64.zip."""

    def __init__(self, path):
        found = re.fullmatch(r"(orrery)-([0-9.]+)-(linux-(\w+)\.tar\.zst|windows-x64\.zip)", path.name)
        if not found:
            sys.exit(f"{path}: expected orrery-VERSION-linux-MACHINE.tar.zst or orrery-VERSION-windows-x64.zip")
        self.path, self.name, self.version, self.machine = path, found[1], found[2], found[4]
        self.is_windows = found[4] is None

    def unpack(self, folder):
        """Returns the folder of the tree."""
        if not self.is_windows:
            subprocess.run(["tar", "--zstd", "-xf", self.path, "-C", folder, "--strip-components=1"], check=True)
            return pathlib.Path(folder)
        with zipfile.ZipFile(self.path) as archive:
            archive.extractall(folder)
        return pathlib.Path(folder, self.path.stem)

    def tag(self, tree):
        if self.is_windows:
            return "py3-none-win_amd64"
        return "py3-none-manylinux_{}_{}_{}".format(*needed_glibc(tree), self.machine)

    def metadata(self):
        description = DESCRIPTION.format(about=ABOUT_DRIVERS if self.is_windows else ABOUT_CPU)
        return METADATA.format(version=self.version, minimum=MINIMUM_PYTHON, extras="" if self.is_windows else EXTRA_CPU,
                               description=description)


def make(package, module, output):
    package = Package(package)
    name, version = package.name, package.version
    with tempfile.TemporaryDirectory() as folder:
        tree = package.unpack(folder)
        tag = package.tag(tree)
        path = output / f"{name}-{version}-{tag}.whl"
        part = path.with_suffix(".part")
        date = (1980, 1, 1, 0, 0, 0)
        wheel, info = Wheel(part, date), f"{name}-{version}.dist-info"
        wheel.add_folder(module, name, lambda file: "__pycache__" not in file)
        wheel.add_folder(tree, f"{name}/tree", lambda file: not file.startswith(LEFT_OUT))
        wheel.add(f"{info}/METADATA", package.metadata().encode())
        wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: orrery\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        wheel.add(f"{info}/entry_points.txt", f"[console_scripts]\n{name} = {name}.__main__:main\n".encode())
        wheel.close(info)
        part.replace(path)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    print(make(*map(pathlib.Path, sys.argv[1:])))
