"""What is said of the dataset wherever it is described: the card, the Croissant file, the Hub's benchmark file."""

from __future__ import annotations

NAME = "calibench-outcomes"
TITLE = "CaliBench outcomes"
URL = "https://arxiv.org/abs/2608.16829"
LICENSE = "apache-2.0"
LICENSE_URL = "https://www.apache.org/licenses/LICENSE-2.0"
KEYWORDS = ("benchmark", "calibration", "video-generation", "world-models")
PUBLISHED = "2026-12-01"

DESCRIPTION = (
    "Do video world models produce the right distribution of outcomes? Released outcomes of the CaliBench benchmark, "
    "the exact reference distributions, human labels, and the figures that the CaliBench and PAWBench papers print, so "
    "that every score can be recomputed offline."
)

BIBTEX = """\
@article{sadeghi2026calibench,
  title   = {CaliBench: Are the Stochastic Dynamics of Video World Models Physically Calibrated?},
  author  = {Sadeghi, Jonathan and Seidenschwarz, Jenny and Allardice, Jesse and Srinivasan, Sirish and Graham, Benjamin and Hawke, Jeffrey},
  journal = {arXiv preprint arXiv:2608.16829},
  year    = {2026}
}

@article{pu2026pawbench,
  title   = {PAWBench: How Far Are We from Probabilistically Aligned World Modeling?},
  author  = {Pu, Yuandong and Zhuo, Le and Paul, Sayak and Menezes, Gabriel Jorge and Đorđević, Avram and Li, Shiyang and Zhou, Yifan and Fu, Bin and Zhang, Wenlong and He, Junjun and Qiao, Yu and Liu, Yihao and Xing, Jingbo and Chen, Xi},
  journal = {arXiv preprint arXiv:2608.27345},
  year    = {2026}
}
"""  # noqa: E501

# Where the rows of each table come from.
ORIGIN = {
    "scenes": "published: the papers' descriptions of their scenes",
    "distributions": "published, or by symmetry or counting; the column `source` says which",
    "models": "published: Table 1 of the CaliBench paper; for a submitted model what its submission says",
    "protocols": "derived from the other tables; for a submitted model what its submission says",
    "conditions": "published: the ablations of the papers",
    "frames": "edition `open`: drawn by this project; edition `paper`: the authors' repository",
    "prompts": "edition `open`: worded by this project; edition `paper`: the authors' repository",
    "videos": "published; digests and addresses only of submitted models",
    "votes": "votes: single readings of the videos of submitted models; none of the papers' models were released",
    "outcomes": "published majorities, `inferred` for one cell, counted from a submission's votes: the column `source`",
    "labels": "published: a person's labels of 162 videos; for others the column `source`",
    "published": "published: transcribed from the tables that the papers print",
}
