"""Six scripts that teach. `python -m orrery.examples.feigenbaum` runs one, and `--small` lets it finish within seconds."""
