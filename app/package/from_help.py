"""The manual page and the shells' completions, made from what the program's own help prints.

   usage: from_help.py PATH-TO-ORRERY man|bash|zsh|fish OUTPUT

A new command or option is in all of them without a line here. What --help prints is trusted to have the form that
app/main.cpp and app/cli/options.cpp give it; text that has another form becomes a paragraph.
"""
import os
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

FILES = re.compile(r"^(FILE|FOLDER|NAME\|FILE)")
OPTION = re.compile(r"^  (--[a-zA-Z][a-zA-Z0-9/-]*)(?: (\S+(?: \S+)*?))?(?:  +(\S.*))?$")
CHOICES = re.compile(r"(?<![\w.-])[a-z][\w-]*(?: \| [a-z][\w-]*)+")
PAGES = ("n-body", "mandelbrot-set", "films", "particle-worlds", "laws", "files", "many-machines", "drivers", "environment",
         "statistics")
EXIT_CODES = {"0": "success", "1": "failure", "2": "wrong usage"}


@dataclass
class Option:
    name: str
    value: str  # its placeholder; empty: a flag
    text: str

    def choices(self):
        if "|" in self.value and self.value.islower():
            return [word for word in self.value.split("|")]
        found = max(CHOICES.findall(self.text), key=len, default="")
        return found.split(" | ") if found else []

    def takes_file(self):
        return bool(FILES.match(self.value))


@dataclass
class Command:
    words: tuple  # ("bench", "nbody"); empty: the window
    about: str = ""
    paragraphs: list = field(default_factory=list)  # before the options
    sections: list = field(default_factory=list)    # (title, options)
    notes: list = field(default_factory=list)       # what is printed after them, as it is

    def options(self):
        """Each once, in the order of --help; without --LAW/NAME, which stands for many."""
        return list({option.name: option for _, options in self.sections for option in options if option.name.islower()}.values())


def printed(orrery, *words):
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([orrery, *words], check=True, stdout=subprocess.PIPE, env=environment).stdout.decode()


def parsed(words, about, text):
    """Sections are titles that end in a colon with options below; all that is before is prose."""
    command, title, options, option = Command(words, about), None, [], None
    lines = text.splitlines()
    for at, line in enumerate(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if re.match(r"^\S.*:$", line) and OPTION.match(following):
            title, options, option = line[:-1], [], None
            command.sections.append((title, options))
        elif title is None:
            command.paragraphs.append(line)
        elif match := OPTION.match(line) if not command.notes else None:
            option = Option(match[1], match[2] or "", match[3] or "")
            options.append(option)
        elif option and line.startswith(" " * 20) and not command.notes:
            option.text = f"{option.text} {line.strip()}".strip()
        elif line or command.notes:
            option = None
            command.notes.append(line)
    return command


def commands(orrery):
    top = printed(orrery, "--help")
    overview, _, window = top.partition("\nOptions of the window")
    listed = re.findall(r"^  orrery ([a-z]\w*(?: [a-z]\w*)*?)(?: [A-Z]\w*)*  +(\S.*)$", overview, re.M)
    scenes = next(option for option in parsed((), "", "Options" + window).options() if option.name == "--scene").choices()
    result = []
    for scene in scenes:
        help_text = printed(orrery, "--scene", scene, "--help").partition("Options of the window")[2]
        result.append(parsed((), f"the window with the scene {scene}", help_text.partition("\n")[2]))
    for name, about in listed:
        words = tuple(name.split())
        new = [words[:n] for n in range(1, len(words) + 1) if not any(known.words == words[:n] for known in result)]
        result += [parsed(each, about, printed(orrery, *each, "--help")) for each in new]
        if match := re.search(r"[a-z]\w*(?: \| [a-z]\w*)+", about):
            for word in match[0].split(" | "):
                result.append(parsed((name, word), f"{name} {word}", printed(orrery, name, word, "--help")))
    assert len(listed) > 1, f"no commands in the help: {overview}"
    return result


# ---- the manual page

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq").replace("^", "\\(ha")
    return re.sub(r"^([.'])", r"\\&\1", text.replace("~", "\\(ti"))


def roff_options(sections):
    for title, options in sections:
        yield f".SS {roff(title)}"
        for option in options:
            yield ".TP"
            yield f".B {roff(option.name)}" + (f" \\fI{roff(option.value)}\\fR" if option.value else "")
            yield roff(option.text)


def roff_prose(lines):
    for paragraph in "\n".join(lines).strip("\n").split("\n\n"):
        if any(line.startswith(" ") for line in paragraph.splitlines()):
            yield from (".PP", ".nf", *map(roff, paragraph.splitlines()), ".fi")
        elif paragraph:
            yield from (".PP", roff(paragraph.replace("\n", " ")))


def roff_page(orrery, name):
    """A page of the manual, in the lines of `orrery help NAME`, which fill a terminal."""
    title, _, *lines = printed(orrery, "help", name).splitlines()
    yield from (f".SH {roff(title).upper()}", ".nf", ".in 0", *map(roff, lines), ".in", ".fi")


def topics(orrery):
    """The pages of the manual, which `orrery help` lists."""
    return re.findall(r"^  ([a-z][a-z-]*)  ", printed(orrery, "help").partition("\nTopics of the manual:")[2], re.M)


def manual(orrery):
    known = commands(orrery)
    version = printed(orrery, "--version").split()[1]
    windows = [command for command in known if not command.words]
    others = [command for command in known if command.words]
    page = [f".TH ORRERY 1 \"\" \"orrery {version}\" \"User commands\"",
            ".SH NAME", "orrery \\- watch OpenCL kernels run: gravity, the Mandelbrot set and particles",
            ".SH SYNOPSIS", ".nf", ".B orrery \\fR[\\fIoptions\\fR]"]
    page += [f".B orrery {roff(' '.join(command.words))} \\fR[\\fIoptions\\fR]" for command in others]
    page += [".fi", ".SH DESCRIPTION",
             "Without a command, Orrery opens its window. The commands compute the same without a window.",
             "Every command lists its options with", ".BR \\-\\-help .",
             ".SH THE WINDOW"]
    page += roff_options([each for each in windows[0].sections if not each[0].startswith("Scene ")])
    for window in windows:
        page += roff_options([each for each in window.sections if each[0].startswith("Scene ")])
        page += roff_prose(window.notes)
    for command in others:
        page.append(f".SH ORRERY {roff(' '.join(command.words)).upper()}")
        page += roff_prose([line for line in command.paragraphs if not line.startswith("Usage:")])
        page += roff_options(command.sections)
        page += roff_prose(command.notes)
    for name in PAGES:
        page += roff_page(orrery, name)
    page.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        page += [".TP", f".B {code}", meaning]
    page += [".SH FILES", ".TP", ".I ~/.local/share/orrery", "presets, bookmarks and edited kernels",
             ".TP", ".I ~/.local/state/orrery", "sessions and the tuner's results",
             ".TP", ".I ~/.cache/orrery", "compiled kernels"]
    return "\n".join(page) + "\n"


# ---- completion

def by_words(orrery):
    """For each command its options; those of the window are of all scenes."""
    table = {}
    for command in commands(orrery):
        known = table.setdefault(command.words, {})
        for option in command.options():
            known.setdefault(option.name, option)
    for options in table.values():
        options.setdefault("--help", Option("--help", "", "list the options"))
    table[()].setdefault("--version", Option("--version", "", "print the version"))
    table.update({("help",): {}, **{("help", topic): {} for topic in topics(orrery)}})
    return table


def names(table, before=()):
    """The words that can follow: those of the commands, or the second ones of `before`."""
    return [words[len(before)] for words in table if len(words) == len(before) + 1 and words[:len(before)] == before]


def bash(orrery):
    table = by_words(orrery)
    cases = []
    for words, options in table.items():
        for option in options.values():
            if option.takes_file():
                names_too = f"; compgen -W '{' '.join(option.choices())}' -- \"$current\"" if option.choices() else ""
                cases.append(f"    \"{' '.join(words)} {option.name}\")"
                             f" mapfile -t COMPREPLY < <(compgen -f -- \"$current\"{names_too}); return ;;")
            elif option.choices():
                cases.append(f"    \"{' '.join(words)} {option.name}\") words='{' '.join(option.choices())}' ;;")
            elif option.value:
                cases.append(f"    \"{' '.join(words)} {option.name}\") return ;;")
    for words, options in table.items():
        further = names(table, words)
        cases.append(f"    \"{' '.join(words)} \" | \"{' '.join(words)} -\"*) words='{' '.join([*further, *options])}' ;;")
    seconds = [words[0] for words in table if len(words) == 2]
    return "\n".join([
        "# Completion of orrery for bash, made from its --help.",
        "_orrery() {",
        "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' words=''",
        f"  case \" {' '.join(names(table))} \" in",
        "    *\" ${COMP_WORDS[1]} \"*) ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]} ;;",
        "  esac",
        f"  case \" {' '.join(dict.fromkeys(seconds))} \" in",
        "    *\" $command \"*)",
        "      if [[ -n $command && ${COMP_WORDS[2]-} == [a-z]* ]] && ((COMP_CWORD > 2)); then command+=\" ${COMP_WORDS[2]}\"; fi ;;",
        "  esac",
        "  [[ $before == -* ]] || before=''",
        "  case \"$command $before\" in",
        *cases,
        "  esac",
        "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")",
        "}",
        "complete -o filenames -F _orrery orrery",
        ""])


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(orrery):
    def spec(option):
        text = re.sub(r"([\[\]\\:])", r"\\\1", option.text)
        if not option.value:
            return quoted(f"{option.name}[{text}]")
        action = "_files" if option.takes_file() else f"({' '.join(option.choices())})" if option.choices() else ""
        return quoted(f"{option.name}[{text}]:{option.value.replace(':', ' ')}:{action}")

    table = by_words(orrery)
    lines = ["#compdef orrery", "# Completion of orrery for zsh, made from its --help.", "", "_orrery() {",
             "  local command=''",
             f"  local -a commands=({' '.join(names(table))})",
             "  if (( CURRENT > 2 && ${commands[(Ie)$words[2]]} )); then",
             "    command=$words[2]; shift words; (( CURRENT-- ))",
             "  fi",
             "  case $command in"]
    for words, options in table.items():
        if len(words) == 2:
            continue
        if further := names(table, words) if words else []:
            lines.append(f"    {words[0]})")
            lines.append(f"      local -a kinds=({' '.join(further)})")
            lines.append("      if (( CURRENT > 2 && ${kinds[(Ie)$words[2]]} )); then")
            lines.append("        local kind=$words[2]; shift words; (( CURRENT-- ))")
            lines.append("        case $kind in")
            for kind in further:
                lines.append(f"          {kind}) _arguments {' '.join(map(spec, table[words + (kind,)].values()))} ;;")
            lines += ["        esac", "      else",
                      f"        _arguments {' '.join(map(spec, options.values()))} \"1:kind:($kinds)\"", "      fi ;;"]
        else:
            label = words[0] if words else "''"
            first = " \"1:command:($commands)\"" if not words else " '*:file:_files'"
            lines.append(f"    {label}) _arguments {' '.join(map(spec, options.values()))}{first} ;;")
    return "\n".join([*lines, "  esac", "}", "_orrery \"$@\"", ""])


def fish(orrery):
    table = by_words(orrery)
    lines = ["# Completion of orrery for fish, made from its --help.", "complete -c orrery -f"]
    first = " ".join(names(table))
    for name in names(table):
        lines.append(f"complete -c orrery -n 'not __fish_seen_subcommand_from {first}' -a {name}")
    for words, options in table.items():
        further = " ".join(names(table, words))
        if not words:
            condition = f"not __fish_seen_subcommand_from {first}"
        elif len(words) == 1:
            condition = f"__fish_seen_subcommand_from {words[0]}"
            if further:
                lines.append(f"complete -c orrery -n '{condition}; and not __fish_seen_subcommand_from {further}' -a '{further}'")
                condition += f"; and not __fish_seen_subcommand_from {further}"
        else:
            condition = f"__fish_seen_subcommand_from {words[0]}; and __fish_seen_subcommand_from {words[1]}"
        for option in options.values():
            value = ""
            if option.takes_file():
                value = " -r -F"
            elif option.choices():
                value = f" -x -a '{' '.join(option.choices())}'"
            elif option.value:
                value = " -x"
            text = option.text.replace("\\", "\\\\").replace("'", "\\'")
            lines.append(f"complete -c orrery -n '{condition}' -l {option.name[2:]}{value} -d '{text}'")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    makers = {"man": manual, "bash": bash, "zsh": zsh, "fish": fish}
    if len(sys.argv) != 4 or sys.argv[2] not in makers:
        sys.exit(f"usage: from_help.py PATH-TO-ORRERY {'|'.join(makers)} OUTPUT")
    output = pathlib.Path(sys.argv[3])
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(makers[sys.argv[2]](sys.argv[1]), encoding="utf-8")
