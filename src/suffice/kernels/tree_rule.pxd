cdef class Rule:
    cdef readonly Py_ssize_t kind  # of impurity
    cdef readonly bint is_ratio  # C4.5: choose by gain ratio, under its conditions
    cdef readonly bint is_multiway  # a nominal column has a branch for every level, rather than two
    cdef readonly Py_ssize_t missing  # EVERY_BRANCH: fractional instances; ONE_BRANCH: the better direction is learned
    cdef readonly double least  # the weight a branch must have
    cdef readonly double min_split  # the weight a node must have to be split
    cdef readonly Py_ssize_t max_depth
    cdef readonly Py_ssize_t width  # numbers in a node's statistic: one per class, or three
    cdef readonly Py_ssize_t classes  # also those that are declared and have no rows
    cdef readonly double scale  # the variance of all outcomes, where they are numbers
