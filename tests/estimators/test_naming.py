"""What models are called where several stand side by side."""

import suffice as sf
from suffice.estimators.naming import one_line, under_names


def test_a_mapping_names_its_models_and_others_are_called_as_python_writes_them():
    lda, qda = sf.LDA(), sf.QDA(unbiased=True)
    assert under_names({"mine": lda, 2: qda}) == {"mine": lda, "2": qda}
    assert list(under_names((lda, qda))) == ["LDA()", "QDA(unbiased=True)"]
    assert under_names(lda) == {"LDA()": lda}


def test_equals_get_a_number():
    assert list(under_names([sf.LDA(), sf.QDA(), sf.LDA()])) == ["LDA()", "QDA()", "LDA() (3)"]


def test_a_name_is_one_line():
    long = sf.NaiveBayes(likelihoods={f"column {i}": "gaussian" for i in range(20)}, nominal=["a long name"] * 10)
    assert "\n" in repr(long)
    assert "\n" not in one_line(long)


def test_equal_models_are_all_compared():
    result = sf.compare(sf.datasets.load("iris"), "species", models=[sf.LDA(), sf.LDA()], folds=3, skip="majority")
    assert {row.model for row in result.rows} == {"LDA()", "LDA() (2)"}
