"""The connection that runs a user's query reads the tables and views, and nothing else."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest
from calibench_data.queries.asking import ask

import calibench_data
from calibench_data import CalibenchError


@pytest.fixture(scope="module")
def connection():
    with calibench_data.connect() as opened:
        yield opened


REFUSED = [
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/hostname')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')",
    "SELECT * FROM read_parquet('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM 'file.parquet'",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM parquet_metadata('/etc/passwd')",
    "SELECT * FROM 'https://127.0.0.1/x.parquet'",
    "SELECT getenv('HOME')",
    "SELECT * FROM duckdb_secrets()",
    "COPY outcomes TO '/tmp/calibench-stolen.csv'",
    "COPY (SELECT 1) TO '/tmp/calibench-stolen.parquet' (FORMAT parquet)",
    "EXPORT DATABASE '/tmp/calibench-stolen'",
    "ATTACH '/tmp/calibench-stolen.db'",
    "ATTACH ':memory:' AS other",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET memory_limit = '1TB'",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CREATE SECRET stolen (TYPE s3)",
    "CREATE TABLE mine AS SELECT 1",
    "CREATE MACRO mine(a) AS a",
    "DROP VIEW cells",
    "DROP TABLE outcomes",
    "DELETE FROM outcomes",
    "UPDATE outcomes SET outcome = '6'",
    "INSERT INTO outcomes SELECT * FROM outcomes",
    "WITH gone AS (DELETE FROM outcomes RETURNING video) SELECT * FROM gone",
    "EXPLAIN ANALYZE DELETE FROM outcomes",
    "PREPARE mine AS SELECT 1",
    "BEGIN",
    "COMMIT",
    "CHECKPOINT",
    "VACUUM",
    "USE memory",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE outcomes",
    "",
    "-- nothing",
    "SELECT * FROM no_such_table",
    "SELEC 1",
]


@pytest.mark.parametrize("query", REFUSED)
def test_what_reaches_outside_or_changes_anything_is_refused(connection, query):
    with pytest.raises(CalibenchError):
        ask(connection, query)
    assert ask(connection, "SELECT count(*) FROM outcomes").item() == 3284
    assert not list(Path("/tmp").glob("calibench-stolen*"))


def test_a_python_variable_is_no_table(connection):
    votes_of_mine = calibench_data.sql("SELECT 1 AS a")
    assert votes_of_mine.height == 1
    with pytest.raises(CalibenchError, match="votes_of_mine does not exist"):
        ask(connection, "SELECT * FROM votes_of_mine")


def test_the_connection_itself_is_locked(connection):
    mine = calibench_data.sql("SELECT 1 AS a")
    assert mine.height == 1
    for query in ("SELECT * FROM mine", "SET memory_limit = '1TB'", "RESET memory_limit", "SET TimeZone = 'UTC'"):
        with pytest.raises(duckdb.Error):
            connection.sql(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM cells LIMIT 1",
        "FROM cells LIMIT 1",
        "WITH a AS (SELECT 1 AS b) SELECT * FROM a",
        "VALUES (1)",
        "SHOW TABLES",
        "DESCRIBE cells",
        "SUMMARIZE cells",
        "EXPLAIN SELECT 1",
        "PIVOT cells ON model USING sum(valid) GROUP BY scene",
    ],
)
def test_what_reads_is_answered(connection, query):
    assert ask(connection, query).height >= 1


def test_sums_of_counts_are_plain_integers(connection):
    import polars as pl

    frame = ask(connection, "SELECT sum(valid) AS valid FROM cells WHERE condition = 'main'")
    assert frame.schema["valid"] == pl.Int64
    assert frame.item() == 1117


LONG = "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b"


def test_a_long_query_can_be_interrupted(connection):
    timer = threading.Timer(0.3, connection.interrupt)
    timer.start()
    with pytest.raises(CalibenchError, match="interrupted"):
        ask(connection, LONG)
    assert ask(connection, "SELECT 1").item() == 1


# One long task: DuckDB itself does not look for Ctrl-C before it is done.
UNDIVIDED = "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE a.range * b.range % 7 = 3"


@pytest.mark.parametrize("query", [LONG, UNDIVIDED])
def test_control_c_ends_a_long_query_in_one_line(query):
    root = str(Path(calibench_data.__file__).parent.parent)
    process = subprocess.Popen(
        [sys.executable, "-m", "calibench_data.cli", "sql", query],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    output, talk = process.communicate(timeout=30)
    assert process.returncode == 130
    assert output == ""
    assert "interrupted" in talk
    assert "Traceback" not in talk
    assert len(talk.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("query", "message"),
    [("SELECT INTERVAL 1 DAY", "cast it, say to VARCHAR"), ("SELECT '\ud800'", "the query is not UTF-8 text")],
)
def test_what_no_frame_and_no_query_can_hold(connection, query, message):
    with pytest.raises(CalibenchError, match=message):
        ask(connection, query)
    assert ask(connection, "SELECT 1").item() == 1


def test_a_faulty_query_is_told_in_duckdbs_words(run):
    found = run("sql", "SELECT modle FROM cells", check=1)
    assert "modle" in found.stderr
    assert found.stdout == ""


def test_values_that_json_lacks(run):
    import json

    query = "SELECT 'nan'::DOUBLE AS a, 1.5::DECIMAL(4, 2) AS b, [1, NULL] AS c, DATE '2026-01-02' AS d, NULL AS e"
    found = json.loads(run("sql", query, "--format", "json", check=0).stdout)
    assert found == [{"a": None, "b": "1.50", "c": [1, None], "d": "2026-01-02", "e": None}]
