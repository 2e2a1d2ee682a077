#!/usr/bin/env python3
"""A fixed list of runs keeps its results to the bit while the code around the kernels changes.

usage: run_hashes.py PROGRAM              compare with the recorded list of this device, tests/headless/run_hashes.json
       run_hashes.py PROGRAM --record     write this device's list
       run_hashes.py PROGRAM --against OTHER-PROGRAM

Floating-point results depend on the processor and the driver's compiler, so a list belongs to one device and driver.
A device without a list is skipped (exit code 77). --against compares two builds on any device.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LISTS = pathlib.Path(__file__).with_name("run_hashes.json")
FEIGENBAUM = "-1.401155189092050601"
NBODY = "nbody --bodies 1000 --initial plummer --steps 20 --burst 5 --out {}.csv --diagnostics {}-rows.csv"
PICTURE = "mandelbrot --size 64x47 --prove 0 --out {}.npy"
RUNS = {
    **{f"nbody-{precision}-{forces}": f"{NBODY} --precision {precision} --forces {forces}"
       for precision in ("single", "mixed", "double") for forces in ("gather", "pairs")},
    **{f"nbody-{integrator}": f"{NBODY} --integrator {integrator} --precision mixed"
       for integrator in ("tutorial", "yoshida4")},
    "nbody-split": f"{NBODY} --split 2",
    "nbody-backwards": f"{NBODY} --dt -0.01 --precision double",
    "nbody-galaxies": "nbody --bodies 2001 --steps 10 --out {}.npy",
    "nbody-planets": "nbody --initial outer-solar-system --steps 500 --precision double --out {}.csv",
    **{f"particles-{world}": f"particles {world} --steps 20 --burst 10 --out {{}}.csv --diagnostics {{}}-rows.csv"
       for world in ("argon", "cloth", "drop", "polymer", "salt", "water")},
    "particles-gas": "particles gas --steps 2 --burst 1 --diagnostics {}-rows.csv",
    **{f"particles-salt-{precision}": f"particles salt --steps 10 --precision {precision} --out {{}}.csv"
       for precision in ("single", "double")},
    "particles-minimize": "particles polymer --minimize --steps 1 --out {}.csv",
    "mandelbrot-classic": PICTURE,
    **{f"mandelbrot-{numbers}": f"{PICTURE} --precision {numbers} --center {FEIGENBAUM} 0 --span 1e-4 --iterations 2000"
       for numbers in ("single", "double", "perturbation")},
    "mandelbrot-ladder": f"{PICTURE} --precision ladder --center feigenbaum --span 1e-30 --iterations 100000",
    "mandelbrot-deep": f"{PICTURE} --center -1.25066 0.02012 --span 1e-40 --iterations auto",
    # A view of distances: the number of periods found would depend on the rounds, that is, on time.
    "mandelbrot-detail": f"{PICTURE} --detail {{}}-detail.npy --center -0.7463 0.1102 --span 0.002 --iterations 2000",
    "mandelbrot-colors": "mandelbrot --size 64x47 --prove 0 --samples 4 --shading both --color-scale histogram --out {}.ppm",
}


def device_of(program: str) -> str:
    devices = json.loads(subprocess.run([program, "devices", "--json"], check=True, capture_output=True).stdout)
    platform = devices["platforms"][0]
    device = platform["devices"][0]
    driver = platform["version"].split("  ")[0]  # "OpenCL 3.0 PoCL 3.1+debian"
    return f"{driver} | {device['version']}"     # the latter names PoCL's target processor


def hashes(program: str) -> dict[str, str]:
    result = {}
    state = tempfile.mkdtemp()  # an empty folder: stored tuning would choose other variants
    for name, command in RUNS.items():
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([program, *command.replace("{}", "out").split(), "--device", "0:0"], cwd=folder,
                                 capture_output=True, text=True, env=os.environ | {"XDG_STATE_HOME": state})
            digest = hashlib.sha256()
            for file in sorted(pathlib.Path(folder).iterdir()):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
            result[name] = digest.hexdigest()[:16] if run.returncode == 0 else f"failed: {run.stderr.strip()[:200]}"
    shutil.rmtree(state, ignore_errors=True)
    return result


def main(program: str, *options: str) -> int:
    program = str(pathlib.Path(program).resolve())
    lists = json.loads(LISTS.read_text()) if LISTS.exists() else {}
    device = device_of(program)
    if not options and device not in lists:
        print(f"{device}: no list is recorded for this device and driver: nothing was compared.")
        return 77
    found = hashes(program)
    failed = {name: value for name, value in found.items() if value.startswith("failed")}
    if options[:1] == ("--record",):
        LISTS.write_text(json.dumps(lists | {device: found}, indent=1) + "\n")
    elif options[:1] == ("--against",):
        lists = {device: hashes(str(pathlib.Path(options[1]).resolve()))}
    print(f"{device}: {len(found)} runs")
    wrong = {name: (value, lists[device].get(name)) for name, value in found.items()
             if value != lists.get(device, {}).get(name)} if device in lists else {}
    for name, (value, expected) in wrong.items():
        print(f"{name}: expected {expected}, got {value}\n    orrery {RUNS[name]}")
    for name, value in failed.items():
        print(f"{name}: {value}")
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
