import pytest

from suffice.evaluation.cross_validation.one_pass import all_but_one


@pytest.mark.parametrize("count", [2, 3, 5])
def test_all_but_one_leaves_exactly_one_out(count):
    class Names(frozenset):
        def merge(self, other):
            assert not self & other
            return Names(self | other)

    parts = [Names({k}) for k in range(count)]
    for k, rest in enumerate(all_but_one(parts)):
        assert rest == frozenset(range(count)) - {k}
