from suffice.kernels.arrays cimport Numbers, OutFlags, OutNumbers, OutPlaces


cdef class SubsetSpace:
    # Room for as many groups as are parted at once.
    cdef OutNumbers scores, shares, scatter, mean, direction, following, left, right
    cdef OutPlaces order, spare


cdef double best_subset(
    SubsetSpace space,
    Numbers groups,
    Py_ssize_t low,
    Py_ssize_t count,
    Py_ssize_t width,
    Py_ssize_t kind,
    double least,
    Numbers table,
    OutFlags takes_first,
) noexcept nogil
