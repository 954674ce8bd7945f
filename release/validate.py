"""Do tables keep the schema's promises? Keys, foreign keys, allowed values, and what follows from other columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from calibench_data.errors import Problem, Problems, quoted
from calibench_data.schema import DUCKDB_TYPES, TABLES, ForeignKey, Relation, arrow_schema

from .upgrade import columns_problem

if TYPE_CHECKING:
    import pyarrow as pa

# Table name -> (name of the part, for messages; its rows).
Parts = Mapping[str, Sequence[tuple[str, "pa.Table"]]]


@dataclass(frozen=True)
class Rule:
    """Rows of `table` that satisfy `broken` (SQL) are faults in `column`; `allowed` says what would be right."""

    table: str
    column: str
    broken: str
    allowed: str


def check_tables(parts: Parts) -> Problems:
    """Every breach of the schema, all at once; where there is none, every breach of the rules that follow from it."""
    problems = Problems()
    connection = duckdb.connect(config={"python_enable_replacements": "false"})
    fitting = True
    for name, table in TABLES.items():
        fitting &= _load(connection, table, parts.get(name, ()), problems)
    if fitting:
        for table in TABLES.values():
            for rule in (*_column_rules(table), *_key_rules(table)):
                _apply(connection, rule, problems)
    if fitting and not problems.total:  # what follows from other rows has a meaning only where their keys hold
        for rule in DERIVED:
            _apply(connection, rule, problems)
    connection.close()
    return problems


def _load(
    connection: duckdb.DuckDBPyConnection, table: Relation, parts: Sequence[tuple[str, Any]], problems: Problems
) -> bool:
    import pyarrow as pa

    columns = ", ".join(f"{column.name} {DUCKDB_TYPES[column.kind]}" for column in table.columns)
    connection.execute(f"CREATE TABLE {table.name} ({columns}, _part VARCHAR, _row BIGINT)")
    fitting = True
    for part, rows in parts:
        if not rows.schema.remove_metadata().equals(arrow_schema(table)):
            problems.add(columns_problem(part, rows, table))
            fitting = False
            continue
        numbered = rows.append_column("_part", pa.array([part] * len(rows), pa.string())).append_column(
            "_row", pa.array(range(1, len(rows) + 1), pa.int64())
        )
        connection.register("incoming", numbered)
        connection.execute(f"INSERT INTO {table.name} SELECT * FROM incoming")
        connection.unregister("incoming")
    return fitting


def _column_rules(table: Relation) -> Iterator[Rule]:
    for column in table.columns:
        name = column.name
        if not column.nullable:
            yield Rule(table.name, name, f"{name} IS NULL", "a value")
        if column.allowed:
            listed = ", ".join(f"'{value}'" for value in column.allowed)
            yield Rule(table.name, name, f"{name} NOT IN ({listed})", ", ".join(column.allowed))
        if column.minimum is not None:
            yield Rule(table.name, name, f"NOT {name} >= {column.minimum}", f"at least {column.minimum:g}")
        if column.kind == "number":
            yield Rule(table.name, name, f"NOT isfinite({name})", "a finite number")


def _key_rules(table: Relation) -> Iterator[Rule]:
    key = ", ".join(table.key)
    seen_before = f"row_number() OVER (PARTITION BY {key} ORDER BY _part, _row) > 1"
    rows = f"SELECT _part, _row FROM {table.name} QUALIFY {seen_before}"
    yield Rule(table.name, key, f"(_part, _row) IN ({rows})", "each key once")
    for foreign in table.foreign_keys:
        yield Rule(table.name, ", ".join(foreign.columns), _dangling(table, foreign), f"a row of {foreign.table}")


def _dangling(table: Relation, foreign: ForeignKey) -> str:
    matches = " AND ".join(
        f"other.{there} = {table.name}.{here}"
        for here, there in zip(foreign.columns, TABLES[foreign.table].key, strict=True)
    )
    present = " AND ".join(f"{table.name}.{column} IS NOT NULL" for column in foreign.columns)
    return f"{present} AND NOT EXISTS (SELECT 1 FROM {foreign.table} other WHERE {matches})"


def _not_an_outcome(table: str, column: str = "outcome", scene: str = "scenes") -> Rule:
    known = (
        f"SELECT 1 FROM scenes JOIN videos ON scenes.benchmark = videos.benchmark AND scenes.scene = videos.scene "
        f"WHERE videos.video = {table}.video AND list_contains(scenes.outcomes, {table}.{column})"
        if scene == "videos"
        else f"SELECT 1 FROM scenes WHERE scenes.benchmark = {table}.benchmark AND scenes.scene = {table}.scene "
        f"AND list_contains(scenes.outcomes, {table}.{column})"
    )
    return Rule(table, column, f"{column} IS NOT NULL AND NOT EXISTS ({known})", "an outcome of the scene")


_ID = "concat_ws('/', benchmark, condition, scene, model, seed)"
_EXPECTED = (
    "(SELECT coalesce(c.rollouts, s.rollouts) FROM scenes s, conditions c WHERE s.benchmark = videos.benchmark "
    "AND s.scene = videos.scene AND c.benchmark = videos.benchmark AND c.condition = videos.condition)"
)
_COLUMNS = TABLES["protocols"].names
_PROTOCOL = (
    "concat_ws(chr(10), "
    + ", ".join(
        f"'{name}: ' || coalesce(CAST({name} AS VARCHAR), '')" for name in _COLUMNS if name not in ("model", "protocol")
    )
    + ")"
)
DERIVED = (
    Rule("videos", "video", f"video <> {_ID}", "benchmark/condition/scene/model/seed of the same row"),
    Rule("videos", "seed", f"seed >= {_EXPECTED}", "seeds from 0 to one less than the cell's rollouts"),
    Rule("outcomes", "video", f"video <> {_ID}", "benchmark/condition/scene/model/seed of the same row"),
    Rule("labels", "video", f"video <> {_ID}", "benchmark/condition/scene/model/seed of the same row"),
    _not_an_outcome("outcomes"),
    _not_an_outcome("labels"),
    _not_an_outcome("videos", "requested"),
    _not_an_outcome("votes", scene="videos"),
    Rule(
        "votes",
        "outcome",
        "(status = 'outcome') <> (outcome IS NOT NULL)",
        "an outcome exactly where status is outcome",
    ),
    Rule(
        "distributions",
        "outcome",
        "outcome IS DISTINCT FROM (SELECT s.outcomes[distributions.position] FROM scenes s "
        "WHERE s.benchmark = distributions.benchmark AND s.scene = distributions.scene)",
        "the scene's outcome at this position",
    ),
    Rule("distributions", "probability", "probability <> numerator / denominator", "numerator / denominator"),
    Rule(
        "scenes",
        "outcomes",
        "len(outcomes) <> len(list_distinct(outcomes)) OR len(outcomes) = 0",
        "at least one outcome, each once",
    ),
    Rule(
        "distributions",
        "numerator",
        "(SELECT count(*) FROM distributions d WHERE d.benchmark = distributions.benchmark "
        "AND d.scene = distributions.scene) <> (SELECT len(s.outcomes) FROM scenes s "
        "WHERE s.benchmark = distributions.benchmark AND s.scene = distributions.scene)",
        "a row for every outcome of the scene",
    ),
    Rule(
        "distributions",
        "probability",
        # Rationals of the sizes in use that do not sum to one are further off than this; rounding errors are nearer.
        "abs((SELECT sum(d.probability) FROM distributions d WHERE d.benchmark = distributions.benchmark "
        "AND d.scene = distributions.scene) - 1) > 1e-12",
        "a sum of 1 over the scene",
    ),
    Rule("published", "value", "value <> TRY_CAST(printed AS DOUBLE)", "the number that is printed"),
    Rule("protocols", "protocol", f"protocol <> sha256({_PROTOCOL})", "the SHA-256 over the columns after it"),
    Rule("frames", "sha256", "sha256 <> sha256(image.bytes)", "the SHA-256 of the picture"),
    Rule("prompts", "sha256", "sha256 <> sha256(text)", "the SHA-256 of the text"),
)


def _apply(connection: duckdb.DuckDBPyConnection, rule: Rule, problems: Problems) -> None:
    rows = connection.execute(
        f"SELECT _part, _row, {rule.column} FROM {rule.table} WHERE {rule.broken} ORDER BY _part, _row"
    ).fetchall()
    for part, row, *values in rows:
        found = f"found {', '.join(map(quoted, values))}"
        problems.add(Problem(f"{part}: row {row}, column {rule.column}", found, rule.allowed), row)
