"""The report as a page: it opens without an error, loads nothing, folds, and shows hostile names as text."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pytest
from browser import Browser
from mixed_tables import mixed_table
from sklearn.ensemble import RandomForestClassifier

import suffice as sf
from suffice.evaluation.page.model_data import script_json
from suffice.evaluation.page_parts import assets
from suffice.evaluation.page_parts.palette import colours_of

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
HOSTILE = "<script>alert(1)</script>"
NASTY = "</script><img src=x onerror=alert(2)>\u2028<!--"


@pytest.fixture(scope="module")
def iris(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "iris.html"
    sf.compare(sf.datasets.load("iris"), "species", folds=3).report(path, "iris")
    return path


def test_the_report_is_one_file_that_loads_nothing_and_logs_no_error(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    assert chrome.errors == []
    assert chrome.requests == [iris.resolve().as_uri()]
    assert iris.stat().st_size < 1_000_000
    assert not re.search(r'(src|href)="(https?:)?//', iris.read_text())


def test_the_tree_folds_and_unfolds_by_keyboard_and_by_button(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    tree = "document.querySelector('[data-tree=c45]')"
    chrome.run(f"{tree}.closest('details.chapter').open = true")
    assert chrome.run(f"{tree}.querySelector('details').open") is True
    assert "petal_" in chrome.run(f"{tree}.innerText")
    chrome.run(f"{tree}.querySelector('summary').focus()")
    chrome.press("Enter", "\r")
    assert chrome.run(f"{tree}.querySelector('details').open") is False
    chrome.run(f"{tree}.closest('.chapter').querySelector('[data-fold=open]').click()")
    assert chrome.run(f"[...{tree}.querySelectorAll('details')].every(item => item.open)") is True
    count = sf.c45().fit(sf.datasets.load("iris"), "species").model_.nodes.count
    assert chrome.run(f"{tree}.querySelectorAll('.node').length") == count
    assert "setosa: 50" in chrome.run(f"{tree}.querySelector('summary').title")


def test_a_link_of_the_leaderboard_unfolds_the_chapter(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    last = "[...document.querySelectorAll('details.chapter')].at(-1)"
    assert chrome.run(f"{last}.open") is False
    chrome.run(f"document.querySelector(`#leaderboard a[href='#${{{last}.id}}']`).click()")
    chrome.run("new Promise(done => setTimeout(done, 50))")
    assert chrome.run(f"{last}.open") is True


def test_the_path_of_the_row_is_marked_in_the_tree(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    chrome.run("document.getElementById('whatif-start').selectedIndex = 1")  # typical of setosa
    chrome.run("document.getElementById('whatif-start').dispatchEvent(new Event('change'))")
    chrome.run("document.querySelector('[data-tree=c45]').closest('details.chapter').open = true")
    marked = chrome.run("[...document.querySelectorAll('[data-tree=c45] .on-path')].at(-1).innerText")
    assert "setosa" in marked


def test_a_value_changes_every_prediction_and_the_explanation(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    results, why = (
        "document.getElementById('whatif-results').innerText",
        "document.getElementById('whatif-explanation').innerText",
    )
    assert "versicolor" in chrome.run(results)
    assert "lda" in chrome.run(why) or "qda" in chrome.run(why) or "logistic" in chrome.run(why)
    for name, value in (("petal_length", "1.4"), ("petal_width", "0,2"), ("sepal_length", "5")):
        field = f"document.getElementById('whatif-{name}')"
        chrome.run(f"{field}.value = '{value}'; {field}.dispatchEvent(new Event('input'))")
    lines = [line for line in chrome.run(results).splitlines() if line.startswith(("lda", "c45", "logistic"))]
    assert lines
    assert all("setosa" in line for line in lines)
    chrome.run("document.querySelector('[data-model=c45]').click()")
    assert "Why c45 predicts setosa" in chrome.run(why)


def test_missing_can_be_chosen_for_every_kind_of_column(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "mixed.html"
    table = mixed_table()
    comparison = sf.compare(table, "class", models=["naive_bayes", "c45"], folds=2)
    comparison.report(path)
    chrome.open(path)
    chrome.run("for (const box of document.querySelectorAll('#whatif-form [type=checkbox]')) box.click()")
    chrome.run(
        "for (const s of document.querySelectorAll('#whatif-form .field select:not(#whatif-start)'))"
        " { s.selectedIndex = s.options.length - 1; s.dispatchEvent(new Event('change')); }"
    )
    nothing = table.drop_columns(["class"]).slice(0, 1).to_pylist()[0]
    prior = comparison.fitted["naive_bayes"].predict_proba(
        pa.Table.from_pylist([dict.fromkeys(nothing)], table.schema.remove(6))
    )
    shown = chrome.run("document.querySelector('#whatif-results tbody tr').innerText")
    model = chrome.run("document.querySelector('#whatif-results tbody tr button').dataset.model")
    if model == "naive_bayes":
        assert f"{100 * prior[0, 0]:.1f}\u202f%" in shown
    assert chrome.errors == []


def test_of_very_many_branches_the_lighter_ones_wait_until_they_are_asked_for(chrome: Browser, tmp_path: Path) -> None:
    levels = [f"level {k:02}" for k in range(60) for _ in range(12 if k < 30 else 4)]
    table = pa.table({"shop": levels, "class": ["ab"[int(level[-2:]) % 2] for level in levels]})
    path = tmp_path / "many.html"
    sf.compare(table, "class", models=["id3"], folds=2).report(path)
    chrome.open(path)
    tree = "document.querySelector('[data-tree=id3]')"
    chrome.run(f"{tree}.closest('details.chapter').open = true")
    assert chrome.run(f"{tree}.querySelectorAll('.node.leaf').length") == 24
    assert "36 more branches, n = 192 together" in chrome.run(f"{tree}.innerText")
    chrome.run(f"{tree}.querySelector('.lighter > summary').click()")
    chrome.run(f"{tree}.closest('.chapter').querySelector('[data-fold=open]').click()")
    assert chrome.run(f"{tree}.querySelectorAll('.node.leaf').length") == 60
    assert chrome.errors == []


def test_hostile_names_levels_and_classes_stay_text(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    table = mixed_table().rename_columns(
        [HOSTILE, "__proto__", NASTY, "constructor", "toString", "a 'b' \"c\"", "class"]
    )
    classes = pa.array([{"a": HOSTILE, "b": NASTY}.get(value, value) for value in table["class"].to_pylist()])
    table = table.set_column(6, "class </title>", classes)
    names = {
        f"{name}{HOSTILE}": model for name, model in (("nb", sf.NaiveBayes()), ("lda", sf.LDA()), ("c45", sf.c45()))
    }
    comparison = sf.compare(table, "class </title>", models=names, folds=2)
    comparison.report(path, HOSTILE)
    chrome.open(path)
    assert chrome.errors == []
    assert chrome.run("document.querySelectorAll('script').length") == 2
    assert chrome.run("document.querySelectorAll('img').length") == 0
    assert HOSTILE in chrome.run("document.querySelector('#table').innerText")
    assert HOSTILE in chrome.run("document.querySelector('#whatif-results').innerText")
    assert chrome.run("document.querySelectorAll('.tree .node').length") > 1


def test_the_baseline_and_suspected_leaks_are_shown(chrome: Browser, tmp_path: Path) -> None:
    table = mixed_table()
    leaking = table.append_column("outcome_note", pa.array([f"was {value}" for value in table["class"].to_pylist()]))
    path = tmp_path / "leaking.html"
    sf.compare(leaking, "class", models=["naive_bayes", "c45"], folds=3).report(path)
    chrome.open(path)
    assert "majority" in chrome.run("document.querySelector('#leaderboard tr.baseline').innerText")
    assert "suspected leak" in chrome.run("document.querySelector('#table').innerText")
    assert "outcome_note" in chrome.run("document.querySelector('.notes').innerText")


def test_no_script_but_its_own_can_run(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    chrome.run(
        "{ const s = document.createElement('script'); s.textContent = 'globalThis.ran = 1'; document.body.append(s) }"
    )
    assert chrome.run("globalThis.ran") is None
    assert any("Content Security Policy" in error for error in chrome.errors)


def test_light_and_dark_follow_the_reader_and_the_switch(iris: Path, chrome: Browser) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    chrome.show(1400, 1000, "dark")
    chrome.open(iris)
    dark = chrome.run(paper)
    chrome.run("document.getElementById('theme').click()")
    assert chrome.run(paper) == "rgb(255, 255, 255)"
    chrome.show(1400, 1000, "light")
    chrome.open(iris)
    assert chrome.run(paper) == "rgb(255, 255, 255)"
    chrome.run("document.getElementById('theme').click()")
    assert chrome.run(paper) == dark != "rgb(255, 255, 255)"


def test_a_phone_needs_not_scroll_sideways(iris: Path, chrome: Browser) -> None:
    chrome.show(390, 844)
    chrome.open(iris)
    assert chrome.run("document.documentElement.scrollWidth") <= 390
    chrome.show(1400, 1000)


def test_long_words_neither_widen_the_page_nor_lie_over_each_other(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    table = mixed_table()
    table = table.set_column(6, "class", pa.array([str(value) * 70 for value in table["class"].to_pylist()]))
    sf.compare(table, "class", models=["naive_bayes", "logistic"], folds=2).report(path, "long")
    for width in (390, 1280):
        chrome.show(width, 844)
        chrome.open(path)
        assert chrome.run("document.documentElement.scrollWidth") <= width
        wide = (
            "[...document.querySelectorAll('.charts figure')].filter((each) => each.scrollWidth > each.clientWidth + 1)"
        )
        assert chrome.run(f"{wide}.length") == 0
    chrome.show(1400, 1000)


def test_words_above_the_confusion_matrix_and_numbers_of_an_explanation_are_not_broken(
    chrome: Browser, tmp_path: Path
) -> None:
    kinds = [number % 12 for number in range(240)]
    table = pa.table(
        {
            "x": [kind + number / 300 - 3 for number, kind in enumerate(kinds)],
            "y": [f"number {kind}" for kind in kinds],
        }
    )
    sf.compare(table, "y", models=["naive_bayes", "lda"], folds=2).report(tmp_path / "page.html")
    chrome.open(tmp_path / "page.html")
    counted = "(() => { const range = document.createRange(); return %s; })()"
    broken = (
        "[...document.querySelectorAll('.confusion thead th.number, .parts td:nth-child(2)')].filter((cell) => {"
        " const text = cell.firstChild; if (!text) return false;"
        " return [...text.data.matchAll(/\\S+/g)].some((word) => { range.setStart(text, word.index);"
        " range.setEnd(text, word.index + word[0].length); return range.getClientRects().length > 1; }); }).length"
    )
    assert chrome.run("document.querySelectorAll('.parts td:nth-child(2)').length") > 0
    assert chrome.run(counted % broken) == 0


def test_what_turns_text_around_is_written_out_in_the_panel(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "turned.html"
    table = pa.table({"level": ["\u202eevil", "good"] * 20, "class": ["p", "q"] * 20})
    sf.compare(table, "class", models=["naive_bayes"], folds=2).report(path, "turned")
    chrome.open(path)
    texts = chrome.run("[...document.querySelectorAll('#whatif-form option')].map((each) => each.textContent)")
    assert "\\u202eevil" in texts
    assert not any("\u202e" in text for text in texts)


def test_the_scale_of_shares_ends_at_one_and_settings_stand_on_one_line(iris: Path) -> None:
    html = iris.read_text()
    low, high = re.findall(r'class="ends"><span>([^<]*)</span>.*?<span>([^<]*)</span></span>', html)[0]
    assert 0 <= float(low) < float(high) <= 1
    settings = re.findall(r"<td><code>(.*?)</code></td>", html)
    assert any("criterion" in text for text in settings)
    assert not any("\\n" in text for text in settings)


def test_data_cannot_end_the_element_it_stands_in() -> None:
    text = script_json({NASTY: HOSTILE, "n": 0.1})
    assert "<" not in text
    assert "\u2028" not in text


def test_the_modules_of_the_script_share_no_name() -> None:
    found = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", assets.script(), re.MULTILINE)
    assert sorted(found) == sorted(set(found))
    assert "import " not in assets.script().replace("imports", "")


def test_a_report_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path) -> None:
    comparison = sf.compare(sf.datasets.load("play_tennis"), "PlayTennis", models=["id3"], folds=2)
    with pytest.raises(ValueError, match="cannot be written"):
        comparison.report(tmp_path / "nowhere" / "report.html")


def test_what_the_comparison_warns_of_stands_at_the_top(chrome: Browser, tmp_path: Path) -> None:
    table = mixed_table()
    names = pa.array([f"person {number}  of {table.num_rows}" for number in range(table.num_rows)])
    path = tmp_path / "warned.html"
    comparison = sf.compare(table.append_column("who", names), "class", models=["naive_bayes", "c45"], folds=3)
    comparison.report(path)
    assert any(warning.startswith("Column 'who' is left out") for warning in comparison.warnings)
    chrome.open(path)
    assert "Column 'who' is left out" in chrome.run("document.querySelector('#notes').innerText")


def test_that_no_model_beats_a_baseline_stands_at_the_top(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "linear.html"
    sf.compare(sf.datasets.load("iris"), "petal_width", folds=3).report(path)
    chrome.open(path)
    said = "No model is better than least_squares"
    assert said in chrome.run("document.querySelector('#notes').innerText")
    assert said not in chrome.run("document.querySelector('#leaderboard').innerText")


def test_levels_that_differ_in_spaces_are_seen_to_differ(chrome: Browser, tmp_path: Path) -> None:
    places = ["New York", "New  York", "Paris"] * 20
    path = tmp_path / "spaces.html"
    table = pa.table({"place": places, "class": ["a", "b", "b", "a"] * 15})
    sf.compare(table, "class", models=["naive_bayes"], folds=3).report(path)
    chrome.open(path)
    assert "'New  York'" in chrome.run("document.querySelector('#notes').innerText")


def test_ellipses_stay_within_the_map(iris: Path, chrome: Browser) -> None:
    chrome.open(iris)
    contours = "document.querySelectorAll('[data-map=lda] .chart > svg > .contour')"
    assert chrome.run(f"{contours}.length") == 6
    assert chrome.run("getComputedStyle(document.querySelector('[data-map=lda] .chart > svg')).overflow") == "hidden"


def test_a_tree_of_very_many_branches_prints_as_a_few_lines(chrome: Browser, tmp_path: Path) -> None:
    codes = [f"code {number // 2}" for number in range(600)]
    path = tmp_path / "wide.html"
    table = pa.table({"code": codes, "class": ["a", "b", "b"] * 200})
    sf.compare(table, "class", models=["id3"], folds=3, keep=["code"]).report(path)
    chrome.open(path)
    chrome.run("dispatchEvent(new Event('beforeprint'))")
    seen = "[...document.querySelectorAll('.tree .node')].filter(node => node.checkVisibility()).length"
    assert 1 < chrome.run(seen) <= 101


def test_no_line_begins_with_the_unit_of_a_number_and_names_stay_as_they_are(tmp_path: Path) -> None:
    table = pa.table({"discount": ["5 % off", "none"] * 20, "x": [1.0, 2.0, None, 4.0] * 10, "y": ["a", "b"] * 20})
    result = sf.compare(table, "y", models={"a tree of 5 % or more": sf.c45()}, folds=3)
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    document = page.index('type="application/json"')
    shown, data = page[:document], page[document:]
    assert "25\u202f%" in shown  # of x is missing
    assert not re.search("[0-9] %[^;]", re.sub(r"<style>.*</style>|data-tree=.[^>]*", "", shown, flags=re.S))
    assert 'data-tree="a tree of 5 % or more"' in shown
    assert "5 % off" in data


def test_weights_have_the_colours_of_the_classes_they_speak_for(tmp_path: Path) -> None:
    iris = sf.datasets.load("iris")
    two = iris.filter(pa.compute.not_equal(iris["species"], "setosa"))
    sf.compare(two, "species", models=["logistic", "perceptron"], folds=2).report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    first, second = colours_of(2)
    drawn = re.findall(r'<span class="part" style="background: (#\w+);.*?<td class="number">(.)', page, re.S)
    assert len(drawn) == 8
    assert {(colour, sign == "−") for colour, sign in drawn} == {(first, True), (second, False)}


def test_numbers_of_the_page_have_a_minus_sign_and_notes_end(tmp_path: Path) -> None:
    iris = sf.datasets.load("iris")
    sf.compare(iris, "petal_width", models=["cart"], folds=3).report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.search(r'class="number">−0\.\d+ ±', page)  # R² of the mean
    assert not re.search(r'class="(number|tick)"[^>]*>-\d', page)
    assert "prediction</code>" not in page
    assert "gives the prediction of any row" in page


def test_the_page_shows_the_predictions_of_numbers_in_line(chrome: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    sf.compare(sf.datasets.load("iris"), "petal_width", models=["cart", "id3"], folds=3).report(path)
    chrome.open(path)
    shown = chrome.run("[...document.querySelectorAll('#whatif-results td.number')].map((cell) => cell.innerText)")
    decimals = {len(text.partition(".")[2]) for text in shown[:2]}
    assert len(decimals) == 1
    assert chrome.errors == []


def test_other_libraries_models_alone_have_a_report(tmp_path: Path) -> None:
    forest = RandomForestClassifier(5, random_state=0)
    result = sf.compare(sf.datasets.load("iris"), "species", models={"forest": forest}, folds=3, skip="majority")
    result.report(tmp_path / "page.html")
    assert "The best model: forest" in (tmp_path / "page.html").read_text(encoding="utf-8")
