"""L35, deck 004: bits, codes, entropy, conditional entropy and mutual information of the bikes."""

from __future__ import annotations

import pytest

import suffice as sf

SHARES = {"Trek": 0.5, "Specialized": 0.25, "Cervelo": 0.125, "Serrota": 0.125}
MAKERS = ["Trek", "Trek", "Specialized", "Cervelo", "Trek", "Trek", "Specialized", "Serrota"]
COLOURS = ["black"] * 4 + ["white"] * 4


def test_equal_shares_take_two_bits_a_bike() -> None:
    code = sf.optimal_code(dict.fromkeys(SHARES, 0.25))
    assert code.expected_length == 2.0
    assert code.words == ("11", "10", "01", "00")


def test_the_optimal_code_takes_as_many_bits_as_the_entropy() -> None:
    code = sf.optimal_code(SHARES)
    assert code.lengths.tolist() == code.ideal_lengths.tolist() == [1, 2, 3, 3]
    assert code.words == ("1", "01", "001", "000")
    assert code.expected_length == code.entropy == sf.entropy(SHARES) == 1.75


def test_the_colour_tells_a_quarter_of_a_bit() -> None:
    assert sf.entropy(MAKERS) == 1.75
    assert sf.conditional_entropy(MAKERS, COLOURS) == 1.5
    assert sf.mutual_information(MAKERS, COLOURS) == 0.25
    assert sf.information_gain(COLOURS, MAKERS) == pytest.approx(0.25)


def test_the_entropy_of_two_outcomes_is_largest_where_they_are_equally_likely() -> None:
    bits = [sf.entropy({"heads": k / 10, "tails": 1 - k / 10}) for k in range(11)]
    assert bits[0] == bits[10] == 0.0
    assert max(bits) == bits[5] == 1.0
