"""The protocol of each benchmark in a release: that of the models that came with it."""

from __future__ import annotations

from .validate import Parts


def benchmark_protocols(parts: Parts) -> dict[str, str]:
    """Benchmark -> digest of the protocol of its first model; one without such a model, or digest, is absent."""
    digests = {
        (row["benchmark"], row["model"]): row["protocol"]
        for _, rows in parts.get("protocols", ())
        for row in rows.select(["benchmark", "model", "protocol"]).to_pylist()
    }
    came = [
        (row["position"], row["benchmark"], row["model"])
        for _, rows in parts.get("models", ())
        for row in rows.select(["benchmark", "model", "position"]).to_pylist()
        if row["position"] is not None and (row["benchmark"], row["model"]) in digests
    ]
    return {benchmark: digests[benchmark, model] for _, benchmark, model in sorted(came, reverse=True)}
