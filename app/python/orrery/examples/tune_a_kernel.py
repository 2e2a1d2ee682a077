"""A kernel tuned from Python: which work-group size sums the forces fastest on this device?

`bench` measures each size; all of them compute the same forces. `tune` then does the same for all properties of the kernel
and keeps the result, which later runs take.
"""
import sys

import orrery


def main(small: bool = False) -> dict[int, float]:
    bodies, seconds = (1024, 0.02) if small else (16384, 0.5)
    sizes = [32, 64, 128] if small else [16, 32, 64, 128, 256, 512]
    device = orrery.devices()[0]
    report = orrery.bench("nbody", device=device, bodies=bodies, precision="single", forces="gather", work_group=sizes,
                          seconds=seconds, no_baselines=True)
    rates = {}
    for row in report["results"]:
        if size := row["parameters"].get("work_group") or row["parameters"].get("work-group"):
            rates[int(size)] = row["rate"]
    print(f"{device.name}, {bodies} bodies")
    for size, rate in sorted(rates.items()):
        print(f"work-group {size:4}: {rate:.3g} interactions/s {'#' * round(40 * rate / max(rates.values()))}")
    if not small:
        print("tuning the kernel for 20 seconds …")
        orrery.tune("nbody", device=device, budget=20, progress=True)
    return rates


if __name__ == "__main__":
    main("--small" in sys.argv)
