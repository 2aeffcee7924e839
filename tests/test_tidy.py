"""The repository keeps its own style: sizes, names, documents, and no leftovers.

What git knows or would add is looked at; every offender is named in the failure.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("blackjack", "contracts", "runtime", "services", "push22")

LINE_COLUMNS_MAX = 88
FUNCTION_LINES_MAX = 40
FILE_LINES_MAX = 400
POSITIONAL_MAX = 4
NESTING_MAX = 3
MODULE_DOCSTRING_LINES_MAX = 6
SERVICE_README_LINES_MAX = 60

TOLERATED = {
    "push22/evidence/verify.py": "whoever checks a pack takes this one file along",
    "push22/verify_cards.py": "whoever checks cards takes this one file along",
}
"""Offenders that are known, `place` -> why they stay. It only ever gets shorter."""

BANNED_NAMES = {
    "utils": "the concept it holds",
    "common": "the concept it holds",
    "helpers": "the concept it holds",
}
BANNED_SUFFIXES = ("Manager", "Handler", "Helper")

_LEFTOVER = re.compile(r"\b(TODO|FIXME|XXX)\b")
_MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|tmp|home)/")
_HOST = re.compile(
    r"https?://[\w.-]*(?:pypi|pythonhosted|artifact|nexus|devpi|mirror)[\w.-]*"
    r"|--(?:extra-)?index-url\s+\S|--trusted-host"
)
_CODE_LINE = re.compile(r"^#\s*(?:[a-z_][\w.]*\(.*\)$|[a-z_][\w.]* = |return |import )")

_GIT = ("git", "-c", "safe.directory=*")
"""Git as root refuses another user's checkout, which is what CI often has."""

_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)
_BLOCKS += (ast.Try, ast.Match)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")

Offence = tuple[str, str]


@cache
def files() -> tuple[Path, ...]:
    """Return tracked files and those that would be added, as far as they exist."""
    listed = subprocess.run(
        [*_GIT, "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    found = (ROOT / name for name in sorted(set(listed.split("\0"))) if name)
    return tuple(file for file in found if file.is_file())


@cache
def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(text_of(file))


def python_files(*, packages_only: bool = False) -> list[Path]:
    return [
        file
        for file in files()
        if file.suffix == ".py" and (not packages_only or room_of(file) in PACKAGES)
    ]


def documents() -> list[Path]:
    return [file for file in files() if file.suffix == ".md"]


def room_of(file: Path) -> str:
    return file.relative_to(ROOT).parts[0]


def place(file: Path, line: int = 0) -> str:
    name = str(file.relative_to(ROOT))
    return f"{name}:{line}" if line else name


def functions_of(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def comments_of(file: Path) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text_of(file)).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function from `def` to its end, without its docstring."""
    whole = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is None:
        return whole
    docstring = node.body[0]
    return whole - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def positional_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count positional parameters; `self` and `cls` are not the caller's."""
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    return len([name for name in names if name not in ("self", "cls")])


def long_lines() -> Iterator[Offence]:
    for file in python_files():
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if len(line) > LINE_COLUMNS_MAX:
                yield place(file, number), f"{len(line)} columns"


def long_functions() -> Iterator[Offence]:
    for file in python_files():
        for node in functions_of(file):
            if lines_of(node) > FUNCTION_LINES_MAX:
                yield place(file, node.lineno), f"{node.name}: {lines_of(node)} lines"


def long_files() -> Iterator[Offence]:
    for file in python_files():
        count = text_of(file).count("\n")
        if count > FILE_LINES_MAX:
            yield place(file), f"{count} lines"


def many_positional_parameters() -> Iterator[Offence]:
    for file in python_files():
        for node in functions_of(file):
            if positional_of(node) > POSITIONAL_MAX:
                yield place(file, node.lineno), f"{node.name}: {positional_of(node)}"


def deep_nesting() -> Iterator[Offence]:
    for file in python_files():
        for node in functions_of(file):
            if depth_of(node) > NESTING_MAX:
                yield place(file, node.lineno), f"{node.name}: {depth_of(node)} deep"


def depth_of(node: ast.AST) -> int:
    """Count blocks within blocks; `elif` is no deeper than its `if`."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _SCOPES):
            continue
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If)
        is_elif = is_elif and node.orelse == [child]
        deeper = isinstance(child, _BLOCKS) and not is_elif
        deepest = max(deepest, depth_of(child) + deeper)
    return deepest


def prints() -> Iterator[Offence]:
    for file in python_files(packages_only=True):
        for node in ast.walk(tree_of(file)):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name) and called.id == "print":
                yield place(file, called.lineno), "print"


def leftovers() -> Iterator[Offence]:
    for file in files():
        if file.suffix not in (".py", ".md", ".toml", ".sql", "") or is_this(file):
            continue
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if match := _LEFTOVER.search(line):
                yield place(file, number), match[0]


def commented_out_code() -> Iterator[Offence]:
    for file in python_files():
        for number, comment in comments_of(file):
            if _CODE_LINE.match(comment) and is_code(comment.lstrip("# ")):
                yield place(file, number), comment


def is_code(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def long_module_docstrings() -> Iterator[Offence]:
    for file in python_files():
        docstring = ast.get_docstring(tree_of(file)) or ""
        lines = len(docstring.splitlines())
        if lines > MODULE_DOCSTRING_LINES_MAX:
            yield place(file), f"{lines} lines of docstring"
        if not docstring and text_of(file).strip() and not is_data_only(file):
            yield place(file), "no module docstring"


def is_data_only(file: Path) -> bool:
    return file.parent.name == "vectors"


def headings() -> Iterator[Offence]:
    for file in documents():
        outside = re.sub(
            r"^```.*?^```", "", text_of(file), flags=re.MULTILINE | re.DOTALL
        )
        count = len(re.findall(r"^# ", outside, flags=re.MULTILINE))
        if count != 1:
            yield place(file), f"{count} top headings"


def unlinked_documents() -> Iterator[Offence]:
    """Documents under docs that no way of links leads to from the README."""
    reached: set[Path] = set()
    ahead = {ROOT / "README.md"}
    while ahead:
        file = ahead.pop()
        reached.add(file)
        links = _LINK.findall(text_of(file)) if file.is_file() else ()
        ahead |= {(file.parent / link).resolve() for link in links if ".md" in link}
        ahead -= reached
    yield from ((place(file), "no such file") for file in reached if not file.is_file())
    for file in documents():
        if room_of(file) == "docs" and file not in reached:
            yield place(file), "not linked"


def banned_names() -> Iterator[Offence]:
    for file in python_files():
        for part in file.relative_to(ROOT).with_suffix("").parts:
            if part in BANNED_NAMES:
                yield place(file), f"{part}: name {BANNED_NAMES[part]}"
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.ClassDef) and node.name.endswith(BANNED_SUFFIXES):
                yield place(file, node.lineno), f"class {node.name}"


def sentenceless_tests() -> Iterator[Offence]:
    for file in python_files():
        for node in functions_of(file) if room_of(file) == "tests" else ():
            if node.name.startswith("test_") and not ast.get_docstring(node):
                yield place(file, node.lineno), f"{node.name}: no docstring"


def names_given_twice() -> Iterator[Offence]:
    """Files of tests with one name: the second is taken for the first, and fails."""
    seen: dict[str, Path] = {}
    for file in python_files():
        if not file.name.startswith("test_"):
            continue
        if file.name in seen:
            yield place(file), f"named as {place(seen[file.name])}"
        seen.setdefault(file.name, file)


def service_rooms() -> Iterator[Offence]:
    """Each service has its rooms; one that decides nothing at least shows something."""
    homes = {file.parent for file in files() if file.parent.parent == ROOT / "services"}
    for home in sorted(homes):
        rooms = {file.name for file in files() if file.parent == home}
        if not ({"decide.py", "evolve.py"} <= rooms or "project.py" in rooms):
            yield place(home), "neither decides nor projects"
        if "decide.py" in rooms and "SERVICE =" not in text_of(home / "__init__.py"):
            yield place(home / "__init__.py"), "no SERVICE"
        readme = home / "README.md"
        lines = text_of(readme).count("\n") if readme in files() else 0
        if not 0 < lines <= SERVICE_README_LINES_MAX:
            yield place(readme), f"{lines} lines, 1 to {SERVICE_README_LINES_MAX} due"


def machine_paths() -> Iterator[Offence]:
    """Paths and hosts of the machine on which something was written."""
    for file in files():
        if is_this(file):
            continue
        for number, line in enumerate(text_of(file).splitlines(), 1):
            path = _MACHINE_PATH.search(line)
            if path and not (path[0] == "/tmp/" and room_of(file) == "tests"):
                yield place(file, number), path[0]
            if host := _HOST.search(line):
                yield place(file, number), host[0]


def is_this(file: Path) -> bool:
    """Tell this file, which must write down what it forbids."""
    return file == Path(__file__)


CHECKS = (
    long_lines,
    long_functions,
    long_files,
    many_positional_parameters,
    deep_nesting,
    prints,
    leftovers,
    commented_out_code,
    long_module_docstrings,
    headings,
    unlinked_documents,
    banned_names,
    sentenceless_tests,
    names_given_twice,
    service_rooms,
    machine_paths,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_nothing_untidy_is_left(check: Callable[[], Iterator[Offence]]) -> None:
    """No file breaks this rule, but for what is tolerated by name."""
    found = [f"{where}: {what}" for where, what in check() if where not in TOLERATED]

    assert not found, "\n" + "\n".join(found)


def test_every_tolerated_offender_still_offends() -> None:
    """What was mended is taken off the list, so that it never comes back."""
    offending = {where for check in CHECKS for where, _ in check()}

    assert set(TOLERATED) <= offending


SPOILT = {
    long_lines: ("runtime/a.py", f"a = '{'x' * LINE_COLUMNS_MAX}'"),
    long_functions: ("runtime/a.py", "def f():\n" + "    a = 1\n" * 41),
    long_files: ("runtime/a.py", "a = 1\n" * 401),
    many_positional_parameters: ("runtime/a.py", "def f(a, b, c, d, e): ..."),
    deep_nesting: (
        "runtime/a.py",
        "def f():\n if a:\n  for b in c:\n   with d:\n    while e:\n     pass",
    ),
    prints: ("push22/a.py", "print(1)"),
    leftovers: ("docs/a.md", "TODO: write this"),
    commented_out_code: ("runtime/a.py", "# total = stake + payout"),
    long_module_docstrings: ("runtime/a.py", '"""A.\n\n1\n2\n3\n4\n5\n"""'),
    headings: ("docs/a.md", "# One\n\n```\n# no heading\n```\n\n# Two\n"),
    unlinked_documents: ("docs/a.md", "# Alone\n"),
    banned_names: ("runtime/a.py", "class ShoeManager: ..."),
    sentenceless_tests: ("tests/test_a.py", "def test_a(): ..."),
    names_given_twice: ("tests/test_a.py", '"""A test."""\n'),
    service_rooms: ("services/bank/__init__.py", "SERVICE = 1"),
    machine_paths: ("docs/a.md", "see /root/notes"),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_an_offence_would_be_seen(
    check: Callable[[], Iterator[Offence]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No rule is an empty word: each finds the offence made for it."""
    name, text = SPOILT[check]
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    # Twice: so that it also bears the name of another.
    monkeypatch.setitem(globals(), "files", lambda: (file, file))

    assert any(where.startswith(name.partition("/")[0]) for where, _ in check())
