"""The script `orrery` of the wheel: the program, with the driver of orrery[cpu] where the system has none."""
import os
import signal
import subprocess
import sys

from orrery import _program


def main() -> int:
    try:
        program, variables = _program.program(), _program.environment()
    except _program.Error as error:
        print(f"orrery: {error}", file=sys.stderr)
        return 1
    if os.name == "nt":
        # They reach the program too, whose end is waited for: it writes its files first.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(getattr(signal, "SIGBREAK"), signal.SIG_IGN)
        return subprocess.call([program, *sys.argv[1:]], env=variables)
    os.execve(program, [program, *sys.argv[1:]], variables)


if __name__ == "__main__":
    sys.exit(main())
