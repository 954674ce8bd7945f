"""The open edition's conditioning frames, as SVG documents and as the PNG files that are committed in `sources/frames`.

To draw them anew after a change: `python -m calibench_data.builders.drawing` (needs the extra `draw`).
"""
