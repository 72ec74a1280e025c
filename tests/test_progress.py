import pytest

from suffice.progress import doing, listening, report_rows


def test_reports_without_a_listener_are_heard_by_no_one():
    report_rows(3)
    with doing("reading"):
        report_rows(4)


def test_a_listener_hears_every_report_inside_its_block_only():
    seen = []
    report_rows(1)
    with listening(seen.append):
        report_rows(2)
        report_rows(3)
    report_rows(4)
    assert seen == [2, 3]


def test_a_task_listener_hears_what_is_being_done():
    rows, tasks = [], []
    with listening(rows.append, tasks.append):
        with doing("reading"):
            report_rows(5)
        with doing("fitting"):
            report_rows(6)
    assert (rows, tasks) == ([5, 6], ["reading", "fitting"])


def test_tasks_need_no_listener():
    rows = []
    with listening(rows.append), doing("reading"):
        report_rows(5)
    assert rows == [5]


def test_an_inner_listener_takes_over_and_gives_back():
    outer, inner, tasks = [], [], []
    with listening(outer.append, tasks.append):
        report_rows(1)
        with listening(inner.append), doing("unheard"):
            report_rows(2)
        with doing("heard"):
            report_rows(3)
    assert (outer, inner, tasks) == ([1, 3], [2], ["heard"])


def test_a_listener_is_gone_after_an_error():
    seen = []
    with pytest.raises(RuntimeError), listening(seen.append):
        raise RuntimeError
    report_rows(1)
    assert seen == []
