#!/usr/bin/env python3
"""Walks that broke a sentence once, shortened by walker.py: each joins what no other test joins.

usage: walks_test.py PATH-TO-ORRERY [unittest arguments]
"""
import pathlib
import sys
import tempfile
import unittest

from walker import Place, at_home

BINARY = pathlib.Path(sys.argv.pop(1))


class Walks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="orrery-walks-", ignore_cleanup_errors=True)
        cls.place = Place(BINARY, pathlib.Path(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.place.close()
        cls.folder.cleanup()

    def walk(self, steps):
        with at_home(self.place) as person:
            for step in steps:
                person.do(step)


if __name__ == "__main__":
    unittest.main(verbosity=2)
