"""Six scripts that teach. `python -m orrery.examples.feigenbaum` runs one, and `--small` makes it a matter of seconds."""
