from suffice.kernels.arrays cimport Numbers, OutFlags, OutNumbers, OutPlaces
from suffice.kernels.tree_rule cimport Rule


cdef class SubsetSearch:
    cdef OutNumbers groups  # (group, width) in one line: the statistics of all groups
    cdef OutFlags takes_first  # (group,) whether it takes the first of two branches: what is found
    cdef Rule rule
    cdef Numbers table  # of x·log2(x)
    # Room for as many groups as are parted at once.
    cdef OutNumbers scores, shares, scatter, mean, direction, following, left, right
    cdef OutPlaces order, spare


cdef double best_subset(SubsetSearch search, Py_ssize_t low, Py_ssize_t count) noexcept nogil
