"""The prompts in the authors' Python files, read as text: nothing of their checkout is imported or evaluated."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

from .checkout_files import fault, read_text

TABLE = "SCENES"
# Role -> the file whose dict SCENES has the prompt of each scene, and its key there.
FILES = {"generation": ("scenes.py", "prompt"), "reading": ("extract_bin.py", "vlm_prompt")}


def read_prompts(root: Path, role: str, scenes: Mapping[str, str], problems: Problems) -> dict[str, tuple[str, str]]:
    """Scene -> (where it stands, its prompt in one role).

    scenes: scene -> the authors' name of it. What is missing, or no plain text, is noted in `problems`.
    """
    name, key = FILES[role]
    try:
        table = _entries(_assigned(root, name), f"{root / name}: {TABLE}")
    except CalibenchError as error:
        problems.add_all(error.total, [(0, problem) for problem in error.problems])
        return {}
    found = {}
    for scene, theirs in scenes.items():
        place = f"{root / name}: {TABLE}[{theirs!r}]"
        if theirs not in table:
            problems.add(Problem(place, "is not there", f"a dict with the key {key!r}"))
            continue
        try:
            text = _entries(table[theirs], place).get(key)
        except CalibenchError as error:
            problems.add_all(error.total, [(0, problem) for problem in error.problems])
            continue
        place = f"{place}[{key!r}]"
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            found[scene] = (f"{root / name}: line {text.lineno}, {TABLE}[{theirs!r}][{key!r}]", text.value)
        else:
            what = "is not there" if text is None else f"is no literal text but, in line {text.lineno}, an expression"
            problems.add(Problem(place, what, "a text in quotes"))
    return found


def _assigned(root: Path, name: str) -> ast.expr:
    """What the file assigns to SCENES, as a syntax tree."""
    place = str(root / name)
    text = read_text(root, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            tree = ast.parse(text)
    except SyntaxError as error:
        raise fault(f"{place}: line {error.lineno}", f"is no Python: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise fault(place, f"is no Python that can be read: {str(error) or type(error).__name__}") from error
    values = [node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and _is_table(node)]
    if len(values) != 1 or values[0] is None:
        raise fault(place, f"assigns {TABLE} {len(values)} times", "once, at the top level")
    return values[0]


def _is_table(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == TABLE for target in targets)


def _entries(node: ast.expr | None, place: str) -> dict[str, ast.expr]:
    """The entries of a dict display by key. Raises CalibenchError for another expression and for a key given twice."""
    if not isinstance(node, ast.Dict):
        raise fault(place, "is no dict written out", "a dict { ... } of literals")
    found: dict[str, ast.expr] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            raise fault(f"{place}, line {value.lineno}", "has a key that is no text", "texts in quotes")
        if key.value in found:
            raise fault(f"{place}, line {value.lineno}", f"has the key {quoted(key.value)} twice", "each key once")
        found[key.value] = value
    return found
