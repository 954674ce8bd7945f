"""A built wheel holds the package with its views and release, and nothing else. Run by CI: check_wheel.py WHEEL."""

import sys
import zipfile

names = zipfile.ZipFile(sys.argv[1]).namelist()
outside = [name for name in names if not name.startswith("calibench_data/") and ".dist-info/" not in name]
wanted = [
    "py.typed",
    "annotation/page/label.js",
    "queries/40_cells.sql",
    "release/dataset/release.json",
    "release/dataset/frames.png",
    "builders/drawing/pictures.py",
    "release/dataset/README.md",
]
missing = [name for name in wanted if f"calibench_data/{name}" not in names]
if outside or missing:
    sys.exit(f"{sys.argv[1]}: outside the package: {outside}; missing: {missing}")
print(f"{sys.argv[1]}: {len(names)} files, all in the package")
