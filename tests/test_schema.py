"""The declarations, and what the real libraries make of them."""

import duckdb
import pyarrow as pa
import pytest
from calibench_data.queries.connection import open_connection, view_files

import calibench_data
from calibench_data.schema import DUCKDB_TYPES, TABLES, VIEWS, arrow_schema, ddl, features

RELATIONS = {**TABLES, **VIEWS}


@pytest.fixture(scope="module")
def connection():
    with calibench_data.connect() as opened:
        yield opened


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_has_exactly_the_declared_columns(connection, name):
    found = [row[:2] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
    assert found == [(column.name, DUCKDB_TYPES[column.kind]) for column in RELATIONS[name].columns]


@pytest.mark.parametrize("name", RELATIONS)
def test_a_key_is_unique(connection, name):
    key = ", ".join(RELATIONS[name].key)
    repeated = connection.execute(f"SELECT {key}, count(*) AS n FROM {name} GROUP BY {key} HAVING n > 1").fetchall()
    assert repeated == []


@pytest.mark.parametrize("name", VIEWS)
def test_a_column_declared_without_null_has_none(connection, name):
    for column in VIEWS[name].columns:
        if not column.nullable:
            (nulls,) = connection.execute(f"SELECT count(*) FROM {name} WHERE {column.name} IS NULL").fetchone()
            assert nulls == 0, column.name


def test_every_view_has_a_file_and_is_declared():
    assert list(view_files()) == list(VIEWS)


def test_every_view_file_says_its_grain():
    for name, text in view_files().items():
        assert text.startswith(f"-- {name}: ")
        assert "\n-- Grain: one row a" in text
        assert text.rstrip().endswith("select * from final")


@pytest.mark.parametrize("name", RELATIONS)
def test_names_need_no_quotes(name):
    with duckdb.connect() as fresh:
        columns = ", ".join(f"{column.name} INTEGER" for column in RELATIONS[name].columns)
        fresh.execute(f"CREATE TABLE {name} ({columns})")
        selected = ", ".join(f"{name}.{column.name} AS {column.name}" for column in RELATIONS[name].columns)
        assert fresh.execute(f"SELECT {selected} FROM {name}").fetchall() == []


def _distinct_row(table):
    """A row whose fields all differ, so that swapped columns are noticed."""
    values = {
        "string": lambda i, c: c.allowed[-1] if c.allowed else f"text {i}",
        "integer": lambda i, c: 100 + i,
        "number": lambda i, c: 0.5 + i,
        "strings": lambda i, c: [f"a{i}", f"b{i}"],
        "integers": lambda i, c: [i, i + 1],
        "image": lambda i, c: {"bytes": bytes([i]), "path": f"{i}.png"},
    }
    return {c.name: values[c.kind](i, c) for i, c in enumerate(table.columns)}


@pytest.mark.parametrize("name", TABLES)
def test_a_row_reads_back_from_duckdb_as_it_was(name):
    row = _distinct_row(TABLES[name])
    table = pa.Table.from_pylist([row], schema=arrow_schema(TABLES[name]))
    with open_connection({}, {name: table}) as opened:
        result = opened.execute(f"SELECT * FROM {name}")
        names = [column[0] for column in result.description]
        assert dict(zip(names, result.fetchone(), strict=True)) == row


def _insert(table, *rows):
    with duckdb.connect() as fresh:
        fresh.execute(ddl(table))
        for row in rows:
            fresh.execute(f"INSERT INTO {table.name} VALUES ({', '.join('?' for _ in row)})", list(row.values()))


@pytest.mark.parametrize("name", TABLES)
def test_the_ddl_keeps_key_nulls_and_allowed_values(name):
    table = TABLES[name]
    row = _distinct_row(table)
    _insert(table, row)
    with pytest.raises(duckdb.ConstraintException, match="Duplicate key"):
        _insert(table, row, row)
    for column in table.columns:
        if not column.nullable:
            with pytest.raises(duckdb.ConstraintException, match="NOT NULL"):
                _insert(table, {**row, column.name: None})
        if column.allowed:
            with pytest.raises(duckdb.ConstraintException, match="CHECK"):
                _insert(table, {**row, column.name: "something else"})
        if column.minimum is not None:
            with pytest.raises(duckdb.ConstraintException, match="CHECK"):
                _insert(table, {**row, column.name: column.minimum - 1})


@pytest.mark.parametrize("name", TABLES)
def test_features_and_arrow_schema_agree(name):
    found = features(TABLES[name]).arrow_schema
    declared = arrow_schema(TABLES[name])
    assert found.names == declared.names
    assert found.types == declared.types


def test_foreign_keys_point_at_keys():
    for table in TABLES.values():
        for foreign in table.foreign_keys:
            assert foreign.columns == TABLES[foreign.table].key
            assert set(foreign.columns) <= set(table.names)
