#!/usr/bin/env python3
"""Each sentence of a comment names its subject: none begins with "What", "Those", "Of" or the like in its place.

usage: words.py FOLDER...
"""
import pathlib
import re
import sys

BEGINNINGS = ("What|Who|Whoever|Whom|Whose|That|Those|Of|As|Which|Such|So many|So much|The one|By which|In which|With which|"
              "Where nobody|Not")
SENTENCE = re.compile(rf"(?:^|[.:;!?…] )({BEGINNINGS})\b")
COMMENT = re.compile(r"^(?P<code>(?:[^\"/]|\"(?:\\.|[^\"\\])*\"|/(?![/*]))*)///?<?(?: (?P<text>.*))?$")
SUFFIXES = (".cpp", ".hpp", ".cl", ".clh", ".glsl", ".vert", ".frag")
FEWEST_COMMENTS = 5000  # with fewer, this script has not found them

# Lines of code, and how many of their comments begin without a subject.
SAMPLES = [
    (["// What it does."], 1),
    (["int a = 0;  ///< Of the last lease."], 1),
    (["/// Bodies of one origin. Those that merged are left out."], 1),
    (["// The bodies, which", "// What a line begins with counts only where a sentence does."], 0),
    (["// Bodies.", "int a;", "// As in the paper."], 1),
    (['const char* a = "// What is no comment";'], 0),
    (["a = b / c;  // the quotient of what is known"], 0),
    (["/// The devices in use; the first one has the window's surfaces."], 0),
]


def comments_of(lines):
    """Comments, each with the number of its first line; lines that hold nothing else and follow each other are one."""
    begin, words = 0, []
    for number, line in enumerate([*lines, ""], 1):
        found = COMMENT.match(line)
        alone = found is not None and not found["code"].strip()
        if words and not alone:
            yield begin, " ".join(words)
            words = []
        if found is None:
            continue
        text = (found["text"] or "").strip()
        if not alone:
            yield number, text
            continue
        begin = begin if words else number
        words.append(text)


def faults_in(lines):
    """(line, beginning of the sentence) of each fault, and the number of comments."""
    comments = list(comments_of(lines))
    found = [(line, SENTENCE.search(text), text) for line, text in comments]
    return [(line, text[match.start(1):][:60]) for line, match, text in found if match], len(comments)


def main(folders) -> int:
    faults = [f"this script finds {len(faults_in(lines)[0])} faults in place of {count}: {lines}"
              for lines, count in SAMPLES if len(faults_in(lines)[0]) != count]
    number = 0
    for file in sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*") if file.suffix in SUFFIXES):
        found, comments = faults_in(file.read_text(encoding="utf-8").split("\n"))
        number += comments
        faults += [f'{file}:{line}: the sentence names no subject: "{text}"' for line, text in found]
    if number < FEWEST_COMMENTS:
        faults.append(f"expected {FEWEST_COMMENTS} comments or more, found {number}")
    print("\n".join(faults) or f"the sentences of {number} comments name their subjects")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
