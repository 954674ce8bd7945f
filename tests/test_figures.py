"""Every figure of every kind: drawn from the data, the same bytes each time, and no name can break it."""

import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from calibench_data.cards.exhibits import EXHIBITS
from calibench_data.cards.figures import FIGURES, paw
from calibench_data.cards.figures.agreement import agreement
from calibench_data.cards.figures.confusion import confusion
from calibench_data.cards.figures.distributions import observed_and_reference
from calibench_data.cards.figures.evalues import e_values
from calibench_data.cards.figures.heat_map import heat_map
from calibench_data.cards.figures.leaderboard import Place, leaderboard, tiers
from calibench_data.cards.figures.own_figures import heat_map_figure
from calibench_data.cards.figures.power import power_curves
from calibench_data.cards.figures.scorability import scorability_and_tv
from calibench_data.cards.figures.sheet import legend_below, panels, rendered
from calibench_data.cards.figures.style import labels, style, width
from calibench_data.cards.results import Results
from matplotlib.backends.backend_agg import FigureCanvasAgg
from submissions import submission

import calibench_data
from calibench_data import stats
from calibench_data.errors import CalibenchError

HOSTILE = [
    r"$\frac{a$",
    r"\textbf{x} $",
    "<script>&amp;",
    "long" * 60,
    "‮evil‬\nnext",
    "模型 🎲",
    "a_b^c%d~e",
    "long" * 59 + "lone",
]


@pytest.fixture(scope="module")
def results():
    with calibench_data.connect() as connection:
        yield Results(connection)


@pytest.fixture(scope="module")
def drawn(results):
    """Each figure, laid out as it is printed."""
    found = {}
    with style():
        for name, draw in FIGURES.items():
            found[name] = draw(results)
            found[name].draw_without_rendering()
        yield found


def texts(figure):
    """The visible texts of a figure with the boxes they fill, in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    found = [text for text in figure.findobj(mpl.text.Text) if text.get_visible() and text.get_text().strip()]
    # A tick beyond the limits of its axis is kept by matplotlib and not drawn.
    ticks = {
        label
        for ax in figure.axes
        for axis, (low, high) in ((ax.xaxis, sorted(ax.get_xlim())), (ax.yaxis, sorted(ax.get_ylim())))
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
        if not low - 1e-9 <= place <= high + 1e-9
    }
    return [(text, text.get_window_extent(renderer)) for text in found if text not in ticks]


def check_layout(figure):
    """No text leaves the page or lies on another."""
    page = figure.bbox
    boxes = texts(figure)
    for text, box in boxes:
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= page.x1 + 1 and box.y1 <= page.y1 + 1
        assert inside, f"{text.get_text()!r} is cut off"
    for i, (text, box) in enumerate(boxes):
        for other, near in boxes[i + 1 :]:
            if text.get_rotation() % 90 or other.get_rotation() % 90:
                continue  # the upright box of a slanted text is larger than the text
            apart = (
                box.x1 <= near.x0 + 0.5 or near.x1 <= box.x0 + 0.5 or box.y1 <= near.y0 + 0.5 or near.y1 <= box.y0 + 0.5
            )
            assert apart, f"{text.get_text()!r} lies on {other.get_text()!r}"
    for legend in figure.legends:
        area = legend.get_window_extent(FigureCanvasAgg(figure).get_renderer())
        for ax in figure.axes:
            assert not area.overlaps(ax.get_window_extent()), "the legend lies over data"


@pytest.mark.parametrize("name", FIGURES)
def test_no_label_is_cut_off_or_overlaps(drawn, name):
    check_layout(drawn[name])


def test_the_papers_plots_are_all_there():
    assert {f"fig{number}" for number in range(4, 16)} <= set(FIGURES)


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_same_bytes_whatever_the_users_settings(results, form):
    with style():
        first = rendered(heat_map_figure(results), form)
    with mpl.rc_context({"font.size": 20, "svg.hashsalt": None, "axes.facecolor": "black", "text.usetex": True}):
        with style():
            second = rendered(heat_map_figure(results), form)
        assert mpl.rcParams["font.size"] == 20
    assert first == second
    assert not re.search(rb"20\d\d-\d\d-\d\d|Matplotlib v|D:20\d\d", first)
    assert first[:4] == {"svg": b"<?xm", "png": b"\x89PNG", "pdf": b"%PDF"}[form]


def test_tiers():
    apart = {(0, 2), (0, 3), (1, 3)}
    assert tiers(4, lambda i, j: (i, j) in apart) == [(0, 1), (1, 2), (2, 3)]
    assert tiers(4, lambda i, j: True) == []
    assert tiers(4, lambda i, j: False) == [(0, 3)]
    # 0 and 2 are alike but 1 is apart from both: no run may bridge it.
    assert tiers(3, lambda i, j: 1 in (i, j)) == []
    assert tiers(0, lambda i, j: False) == []


def test_bars_are_the_counts_and_marks_the_reference(results):
    cell = results.cells["dice", "seedance-2.0"]
    _, (ax,) = panels(1, 1)
    observed_and_reference(ax, cell.scene.outcomes, cell.cell.counts, [1 / 6] * 6)
    assert [bar.get_height() * cell.cell.valid for bar in ax.patches] == pytest.approx(list(cell.cell.counts))
    (marks,) = ax.collections
    assert [segment[0][1] for segment in marks.get_segments()] == pytest.approx([1 / 6] * 6)


def test_leaderboard_shows_what_the_table_says(drawn, results):
    exhibit = EXHIBITS["leaderboard"](results)
    by_item = {(one.item, one.measure): one.value for one in exhibit.figures}
    ax = drawn["leaderboard"].axes[0]
    titles = [label.get_text() for label in ax.get_yticklabels()]
    order = sorted(results.ranked, key=lambda model: by_item[model, "place"])
    assert titles == [results.models[model] for model in order]
    dots = [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata()) == 1]
    assert dots == pytest.approx([by_item[model, "corrected"] for model in order])


def test_heat_map_marks_what_is_rejected(drawn):
    written = [text.get_text() for text in drawn["heatmap"].axes[0].texts]
    assert len(written) == 54
    # CaliBench, Appendix D: Benjamini-Hochberg rejects 28 of 44 tested cells.
    assert sum(text.endswith("*") for text in written) == 28
    assert sum(text.endswith("†") for text in written) == 10


def test_e_values_end_where_the_statistic_does(drawn, results):
    axes = {ax.get_title(): ax for ax in drawn["evalue"].axes}
    (line,) = [line for line in axes["Dice"].lines if line.get_label() == "Veo 3.1"]
    cell = results.cells["dice", "veo-3.1"]
    assert len(line.get_ydata()) == 33
    assert line.get_ydata()[-1] == pytest.approx(stats.e_value(cell.cell.counts, cell.reference).log10)


def test_confusion_counts_compliance(drawn, results):
    query = "SELECT model, complied, valid FROM compliance WHERE scene = 'dice'"
    found = results.connection.execute(query).fetchall()
    expected = {f"{results.models[model]} ({complied}/{valid} as asked)" for model, complied, valid in found}
    assert {ax.get_title() for ax in drawn["fig15"].axes} == expected


def test_power_reaches_what_table_5_says(drawn, results):
    reference = results.scenes["dice"].reference
    found = stats.smallest_detectable_tv(32, reference).tv
    (line,) = [line for line in drawn["power"].axes[0].lines if line.get_label().startswith("Dice")]
    assert np.interp(0.8, line.get_ydata(), line.get_xdata()) == pytest.approx(found, abs=2e-3)


def test_paw_figure_8_is_table_11(drawn):
    ax = drawn["paw-fig8"].axes[0]
    (line,) = [line for line in ax.lines if line.get_label().startswith("upright")]
    # PAWBench, Table 11: left of readable at 0, 20, 50, 80 and 100 per cent.
    assert list(line.get_ydata()) == pytest.approx([0, 100 * 12 / 37, 100 * 25 / 34, 100 * 48 / 49, 100])


def every_panel(names):
    """A figure of every kind of panel, with these names wherever a name can stand."""
    two = dict.fromkeys(names, (0.5, 0.4))
    share = stats.label_agreement(["a"] * 9, ["a"] * 8 + ["b"])
    response = stats.dose_response([0, 50, 100], [[0, 9], [5, 5], [9, 1]], [0.5, 0.5])
    rows = [Place(name, 0.4, 0.3, 0.5, 0.35, 200, 288, i < 3) for i, name in enumerate(names)]
    return {
        "leaderboard": lambda ax: leaderboard(ax, rows, [(0, 1), (1, 2)], (0.0, 0.1)),
        "heat map": lambda ax: heat_map(ax, np.eye(len(names)), [["*"] * len(names)] * len(names), names, names),
        "cell": lambda ax: observed_and_reference(ax, names, [3] * len(names), None, title=names[0], intervals=True),
        "scorability": lambda ax: scorability_and_tv(ax, two, (0.1, 0.2), title=names[0]),
        "e-values": lambda ax: e_values(ax, dict.fromkeys(names, (0.1, 0.2)), title=names[0]),
        "power": lambda ax: power_curves(ax, dict.fromkeys(names, ([0, 1], [0, 1])), title=names[0]),
        "confusion": lambda ax: confusion(ax, np.eye(len(names), dtype=int), names, names, title=names[0]),
        "agreement": lambda ax: agreement(ax, names, {names[0]: dict.fromkeys(names, share)}, title=names[0]),
        "budget": lambda ax: paw.budget(ax, [1, 2, 3], dict.fromkeys(names, (10, 20, np.nan)), title=names[0]),
        "dose": lambda ax: paw.dose(ax, dict.fromkeys(names, response), title=names[0]),
        "null": lambda ax: paw.null_intervals(ax, [paw.Null(name, 30, 8, 7, 9) for name in names]),
    }


@pytest.mark.parametrize("kind", every_panel(["a", "b", "c"]))
def test_panels_take_and_return_ax_and_any_name(kind):
    names = labels(HOSTILE)
    with style():
        figure, (ax,) = panels(1, 1, 4.0)
        assert every_panel(names)[kind](ax) is ax
        legend_below(figure, [ax], 3)
        figure.draw_without_rendering()
        ET.fromstring(rendered(figure, "svg"))
        rendered(figure, "pdf")


def test_names_stay_apart_and_show_what_is_hidden():
    made = labels(HOSTILE)
    assert len(set(made)) == len(made)
    assert all(width(label) <= 13 and label.isprintable() for label in made)
    assert all(width(label) <= 9 for label in labels(["W" * 900, "W" * 901, "il" * 900], 9))
    assert made[0] == HOSTILE[0]
    assert made[2] == HOSTILE[2]
    assert made[4] == r"\u202eevil\u202c\nnext"
    assert labels(["same", "same"]) == ["same", "same (2)"]


@pytest.fixture(scope="module")
def landed(tmp_path_factory, built):
    """A repository with a submission of hostile title, with votes."""
    import shutil

    place = tmp_path_factory.mktemp("landed")
    shutil.copytree(built, place / "repo")
    folder = submission(place / "mine")
    toml = (folder / "submission.toml").read_text("utf-8")
    (folder / "submission.toml").write_text(toml.replace("My Model 1.0", r"$\\frac{<b>&_^%" + "x" * 40), "utf-8")
    calibench_data.open_submission(folder, place / "repo", yes=True)
    return place / "repo"


def test_a_landed_submission_is_in_the_figures(landed):
    with calibench_data.connect(landed) as connection, style():
        results = Results(connection)
        for name in ("leaderboard", "heatmap", "votes", "fig4", "fig9", "fig5"):
            figure = FIGURES[name](results)
            figure.draw_without_rendering()
            check_layout(figure)
            shown = " ".join(text.get_text() for text, _ in texts(figure))
            assert ("votes of gemini-3.1-pro-preview unanimous" if name == "votes" else "$") in shown, name


def test_verb(run, tmp_path):
    found = run("figures", "leaderboard", "cell", "--scene", "dice", "--model", "veo-3.1", "--out", "pictures",
                cwd=tmp_path, check=0)  # fmt: skip
    assert found.stdout.split() == ["pictures/leaderboard.svg", "pictures/cell.svg"]
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == ["cell.svg", "leaderboard.svg"]


def test_faults_write_nothing(tmp_path):
    with pytest.raises(CalibenchError, match=r"fig1: is no figure; allowed: leaderboard, .*fig15"):
        calibench_data.figures(["fig1", "heatmap"], tmp_path / "out")
    with pytest.raises(CalibenchError, match=r"figure cell: cannot be drawn: no cell .* scene coin"):
        calibench_data.figures(["heatmap", "cell"], tmp_path / "out", scene="coin")
    with pytest.raises(CalibenchError, match=r"bmp: is no format of figures; allowed: svg, png, pdf"):
        calibench_data.figures(["heatmap"], tmp_path / "out", "bmp")
    assert not (tmp_path / "out").exists()


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("calibench_data.drawing.find_spec", lambda name: None)
    with pytest.raises(CalibenchError, match=r"calibench-data\[plot\]"):
        calibench_data.figures(["heatmap"], tmp_path)
