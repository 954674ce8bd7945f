"""The verbs of the command line, a module a group. Each is parse, one call of a public function, print.

What a verb needs is imported inside it: `calibench --help` must not wait for numpy or DuckDB.
"""
