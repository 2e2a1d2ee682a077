#!/usr/bin/env python3
"""No class of app/ has more than 30 data members: a class with more members is two classes.

usage: classes.py APP-FOLDER
"""
import pathlib
import re
import sys

MOST_MEMBERS = 30
FEWEST_CLASSES = 500  # with fewer, this script has misread the code

# Comments, directives and attributes are skipped; a string or a number is a 0.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*|\[\[[^\[\]]*\]\]"""
    r"""|(?P<value>R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'|\b\d(?:'?[\w.])*)"""
    r"""|(?P<token>\w+|::|->|<=|>=|==|<<|&&|\S)""", re.DOTALL | re.MULTILINE)
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Group(list):
    """The tokens between two brackets, and the groups among them."""

    def __init__(self, opening):
        super().__init__()
        self.opening = opening


def is_group(token, opening) -> bool:
    return isinstance(token, Group) and token.opening == opening


def tokens_of(text: str) -> Group:
    open_groups = [Group("")]
    for match in TOKEN.finditer(text):
        token = "0" if match["value"] else match["token"]
        if token in CLOSING:
            open_groups.append(Group(token))
            open_groups[-2].append(open_groups[-1])
        elif token in CLOSING.values():
            if CLOSING.get(open_groups.pop().opening) != token:
                raise ValueError(f"unexpected {token}")
        elif token:
            open_groups[-1].append(token)
    if len(open_groups) != 1:
        raise ValueError("a bracket is not closed")
    return open_groups[0]


def end_of_arguments(tokens: list, begin: int) -> int:
    """The place behind the > of this <; `begin` if the < is a comparison."""
    depth, before = 0, tokens[begin - 1] if begin > 0 else ""
    if before == "operator" or not (is_group(before, "[") or str(before).isidentifier()):
        return begin
    for k in range(begin, len(tokens)):
        depth += (tokens[k] == "<") - (tokens[k] == ">")
        if depth == 0:
            return k + 1
        if tokens[k] in (";", "&&", "=") and before != "template":
            break
    return begin


def without_template_arguments(tokens: list) -> list:
    kept, k = [], 0
    while k < len(tokens):
        end = end_of_arguments(tokens, k) if tokens[k] == "<" else k
        if end == k:
            kept.append(tokens[k])
        k = max(end, k + 1)
    return kept


def is_function(declaration: list) -> bool:
    for k, token in enumerate(declaration):
        if token in ("operator", "static_assert"):
            return True
        if token == "=" or is_group(token, "{"):
            return False
        if is_group(token, "(") and k > 0 and declaration[k - 1] not in ("alignas", "decltype", "explicit"):
            return token[:1] not in (["*"], ["&"])  # a pointer to a function
    return False


def ends_function(declaration: list) -> bool:
    """Whether the last token is the body and not the initialiser of a member before the body."""
    if not is_group(declaration[-1], "{") or not is_function(declaration):
        return False
    return ":" not in declaration or isinstance(declaration[-2], Group)


def declarations(body: Group):
    current: list = []
    for token in without_template_arguments(body):
        if token == ":" and current in (["public"], ["protected"], ["private"]):
            current = []
        elif token == ";":
            yield current
            current = []
        else:
            current.append(token)
            if ends_function(current):
                current = []


def members_in(declaration: list) -> int:
    words = [token for token in declaration if token not in ("mutable", "const", "inline", "constexpr")]
    if not words or "static" in words or words[0] in ("using", "typedef", "friend", "template") or is_function(words):
        return 0
    if words[0] in ("class", "struct", "union", "enum"):
        body = next((k for k, token in enumerate(words) if is_group(token, "{")), None)
        if body is None and (words[0] == "enum" or len(words) == 2):
            return 0  # declared only
        if body is not None and body + 1 == len(words):  # a type; members of an unnamed one belong to the class
            return members_of(words[body]) if body == 1 and words[0] != "enum" else 0
    return 1 + words.count(",")


def members_of(body: Group) -> int:
    return sum(members_in(declaration) for declaration in declarations(body))


def classes_of(tokens: Group):
    """The name and the number of data members of each class."""
    for k, token in enumerate(tokens):
        if isinstance(token, Group):
            yield from classes_of(token)
        if token not in ("class", "struct") or (k > 0 and tokens[k - 1] in ("enum", "<", ",")):
            continue
        head = []
        for other in tokens[k + 1:]:
            if other in (";", "=") or is_group(other, "{") or (is_group(other, "(") and head[-1:] != ["alignas"]):
                break
            head.append(other)
        end = k + 1 + len(head)
        if end < len(tokens) and is_group(tokens[end], "{"):
            name = "".join(str(word) for word in (head[:head.index(":")] if ":" in head else head) if word != "final")
            yield name or "without a name", members_of(tokens[end])


# Members of a class, and their number.
SAMPLES = [
    ("int a, b = 3, c{4};", 3),
    ("std::map<std::string, std::vector<int>> a; std::array<int, 3> b = {1, 2, 3}, c{{1, 2}};", 3),
    ("std::function<void(int, int)> f; void (*g)(int, int); double (&h)[2];", 3),
    ("std::function<int(int)> f = [](int a) { int b = a, c = b; return c; }; int d = max(1, 2);", 2),
    ("unsigned a : 3, b : 5; float c[2][3], d[2] = {1, 2};", 4),
    ("// int a;\n/* int b; */ const char* c = \"int d; {\", *d = R\"(int e;\")\"; char f = ';', g = '\\'';", 4),
    ("bool a = 1 < 2, b = 2'000 > 1; int c = 1 << 2, d = e->f;", 4),
    ("int f(int a, int b = 3) const { int c; return c; } int g() = delete; virtual void h() const = 0;", 0),
    ("S(int a, int b) : a_{a}, b_(b), c_<int>{} { int d; } explicit S(int a) : a_(a) {} ~S(); int a_, b_;", 2),
    ("bool operator==(const S&) const = default; S& operator=(S&&) = delete; auto operator()(int a) { return a; }", 0),
    ("template <class T, int N = 3> void f(T a) { int b; } template <class T> using A = B<T, 3>; int c;", 1),
    ("static int a; static constexpr int b = 1, c{2}; using A = int; typedef int B; friend class C; int d;", 1),
    ("enum class E : int { a, b }; enum { c, d } e = c; struct F { int a, b; }; struct G { int a; } g, h{1};", 3),
    ("class A; struct B* b; union { int c; float d; }; int e;", 4),
    ("public: int a; private: mutable int b; [[maybe_unused]] alignas(16) const float c[4]; decltype(a) d;", 4),
    ("\n#define A int a;\nint b;", 1),
    (" ".join(f"int a{k};" for k in range(31)), 31),
]


def faults_of_samples() -> list:
    faults = []
    for members, count in SAMPLES:
        found = dict(classes_of(tokens_of(f"namespace n {{ struct S final : T<int> {{ {members} }}; }}")))
        if found.get("S") != count:
            faults.append(f"this script counts {found.get('S')} members in place of {count}: {members}")
    return faults


def main(app: pathlib.Path) -> int:
    faults, number = faults_of_samples(), 0
    for file in sorted(app.rglob("*.[hc]pp")):
        try:
            classes = list(classes_of(tokens_of(file.read_text(encoding="utf-8"))))
        except ValueError as error:
            faults.append(f"{file.relative_to(app)}: {error}")
            continue
        number += len(classes)
        faults += [f"{file.relative_to(app)}: {name} has {members} data members, expected at most {MOST_MEMBERS}"
                   for name, members in classes if members > MOST_MEMBERS]
    if number < FEWEST_CLASSES:
        faults.append(f"expected {FEWEST_CLASSES} classes or more in {app}, found {number}")
    print("\n".join(faults) or f"{number} classes have at most {MOST_MEMBERS} data members each")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
