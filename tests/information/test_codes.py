import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import TableError

weights = st.lists(st.integers(1, 1000), min_size=1, max_size=30)


@settings(deadline=None)
@given(weights)
def test_no_word_begins_another_and_the_length_is_within_a_bit_of_the_entropy(counts):
    code = sf.optimal_code({k: count / sum(counts) for k, count in enumerate(counts)})
    for i, word in enumerate(code.words):
        assert all(not other.startswith(word) for j, other in enumerate(code.words) if i != j)
    assert code.entropy - 1e-9 <= code.expected_length < code.entropy + 1 + 1e-9
    assert sum(2.0**-length for length in code.lengths) == 1.0  # Kraft's sum: no room is left


@settings(deadline=None)
@given(st.lists(st.integers(1, 20), min_size=2, max_size=5))
def test_no_other_lengths_are_shorter(counts):
    """Every set of lengths that leaves room for all words (Kraft), tried one by one."""
    share = np.sort(np.array(counts) / sum(counts))[::-1]
    grids = np.stack(np.meshgrid(*[np.arange(1, len(counts))] * len(counts), indexing="ij"), -1).reshape(
        -1, len(counts)
    )
    possible = grids[(2.0**-grids).sum(axis=1) <= 1]
    code = sf.optimal_code({k: count / sum(counts) for k, count in enumerate(counts)})
    assert code.expected_length == pytest.approx((possible @ share).min())


def test_a_column_is_coded_by_its_shares():
    code = sf.optimal_code(["b", "a", "a", None])
    assert code.outcomes == ("a", "b")
    assert (code["a"], code["b"]) == ("1", "0")


def test_a_single_outcome_needs_no_bit_and_an_impossible_one_has_an_infinite_ideal():
    assert sf.optimal_code({"only": 1.0}).words == ("",)
    code = sf.optimal_code({"never": 0.0, "always": 1.0})
    assert code.ideal_lengths.tolist() == [0.0, np.inf]
    assert "inf" in str(code)
    assert code._repr_html_().startswith("<table>")


@pytest.mark.parametrize("nothing", [[], [None, None]])
def test_nothing_to_code_is_the_error_that_entropy_gives(nothing):
    with pytest.raises(TableError) as of_entropy:
        sf.entropy(nothing)
    with pytest.raises(TableError, match="nothing to measure") as of_code:
        sf.optimal_code(nothing)
    assert str(of_code.value) == str(of_entropy.value)
