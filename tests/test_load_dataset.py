"""The real `datasets` library reads the release from its folder, offline, with no script."""

import json
import os
import subprocess
import sys

from calibench_data.release.manifest import EMBEDDED

import calibench_data
from calibench_data.schema import TABLES, arrow_schema

READ = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
folder = sys.argv[1]
found = {}
for config in get_dataset_config_names(folder):
    dataset = load_dataset(folder, config, split="train")
    schema = {field.name: str(field.type) for field in dataset.features.arrow_schema}
    found[config] = [dataset.num_rows, schema, dataset[0] if config != "frames" else None]
found["default"] = load_dataset(folder, split="train").column_names
print(json.dumps(found))
"""


def test_every_config_loads_with_the_declared_features(built, tmp_path):
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", READ, str(built)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    filled = {path.name for path in (built / "data").iterdir()}
    assert filled == found.keys() - {"default"}
    assert found["default"] == TABLES["outcomes"].names
    for name in filled:
        rows, schema, _ = found[name]
        declared = arrow_schema(TABLES[name])
        assert list(schema) == declared.names
        (counted,) = calibench_data.sql(f"SELECT count(*) FROM {name}").row(0)
        assert rows == counted
        for column, kind in zip(declared.names, declared.types, strict=True):
            assert schema[column].replace("item", "element") == str(kind).replace("item", "element"), (name, column)
    # A null stays a null and a text stays the text it is.
    assert found["outcomes"][2]["requested"] is None
    assert found["outcomes"][2]["outcome"] == "6"


def test_the_card_quotes_what_yaml_would_read_as_something_else():
    import yaml

    text = (EMBEDDED / "README.md").read_text("utf-8")
    head = yaml.safe_load(text.split("---")[1])
    configs = {config["config_name"]: config for config in head["configs"]}
    assert all(isinstance(name, str) for name in configs)
    assert [name for name, config in configs.items() if config.get("default")] == ["outcomes"]
    assert head["license"] == "apache-2.0"


def test_the_card_is_valid_for_the_hub():
    from huggingface_hub import DatasetCard

    card = DatasetCard.load(EMBEDDED / "README.md")
    assert card.data.to_dict()["pretty_name"] == "CaliBench outcomes"
    for name in TABLES:
        if (EMBEDDED / "data" / name).exists():
            assert f"### {name}" in card.text
    assert "arXiv preprint arXiv:2608.16829" in card.text
    assert "arXiv preprint arXiv:2608.27345" in card.text
