from suffice.kernels.arrays cimport OutCodes, OutNumbers, OutPlaces


cdef class SortSpace:
    # Room for one run; after `part_by_value` the parts begin at `begins`, counted from the run's first value.
    cdef OutNumbers values
    cdef OutCodes places, part
    cdef OutPlaces begins, cursor


cdef void sort_run(
    SortSpace space, OutNumbers values, OutCodes places, Py_ssize_t low, Py_ssize_t high
) noexcept nogil
cdef Py_ssize_t part_by_value(
    SortSpace space, OutNumbers values, OutCodes places, Py_ssize_t low, Py_ssize_t high, Py_ssize_t in_a_part
) noexcept nogil
cdef void sort_by_gaps(OutNumbers values, OutCodes places, Py_ssize_t low, Py_ssize_t high) noexcept nogil
