"""The Croissant description of a release (MLCommons, version 1.1): its files, and each column's type and meaning."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from calibench_data.schema import TABLES, Column, Kind, Relation

from .about import BIBTEX, DESCRIPTION, KEYWORDS, LICENSE_URL, NAME, URL

_TYPES: dict[Kind, str] = {
    "string": "sc:Text",
    "integer": "cr:Int64",
    "number": "cr:Float64",
    "strings": "sc:Text",
    "integers": "cr:Int64",
    "image": "sc:ImageObject",
}

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(parts: Mapping[str, Mapping[str, int]], version: str, published: str) -> str:
    """croissant.json of the release `version` with these files (table -> path -> rows), first published on a date.

    The files are those beside it. A file that an earlier version had and this one has not is not read.
    """
    names = [name for name in TABLES if name in parts]
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": NAME,
        "description": DESCRIPTION,
        "license": LICENSE_URL,
        "url": URL,
        "version": version,
        "datePublished": published,
        "keywords": list(KEYWORDS),
        "citeAs": BIBTEX,
        "isLiveDataset": False,
        "distribution": [_files(name, sorted(parts[name])) for name in names],
        "recordSet": [_records(TABLES[name]) for name in names],
    }
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def _files(table: str, paths: list[str]) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{table}",
        "name": f"files-{table}",
        "description": f"The Parquet files of the table {table}.",
        "encodingFormat": "application/x-parquet",
        "includes": paths,
    }


def _records(table: Relation) -> dict[str, Any]:
    key = [{"@id": f"{table.name}/{column}"} for column in table.key]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": f"One row a {table.grain}.",
        "key": key,
        "field": [_field(table.name, column) for column in table.columns],
    }


def _field(table: str, column: Column) -> dict[str, Any]:
    source: dict[str, Any] = {"fileSet": {"@id": f"files-{table}"}, "extract": {"column": column.name}}
    if column.kind == "image":
        source["transform"] = {"jsonPath": "bytes"}
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": _TYPES[column.kind],
        "source": source,
    }
    if column.kind in ("strings", "integers"):
        field |= {"isArray": True, "arrayShape": "-1"}
    return field
