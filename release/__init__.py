"""The dataset repository: written, opened and verified."""
