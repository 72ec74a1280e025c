from suffice.kernels.arrays cimport Codes, Numbers, OutNumbers


cdef class CutSearch:
    # Room for the rows of one cut, and what is asked of it; `best_cut` leaves here what it has found.
    cdef OutNumbers outcomes, weights
    cdef OutNumbers sides  # the statistics of the left and the right side of a cut
    cdef bint is_weighted
    cdef double least  # the weight that is asked of either side
    cdef double gap  # the next value must lie above by more
    cdef double most  # the cost must stay below
    cdef double slack  # and below that of the cuts before by more than this: of equal cuts the first is taken
    cdef double lowest  # cost of both sides
    cdef Py_ssize_t position  # of the last row on the left, counted from the first; -1: no cut does what is asked
    cdef Py_ssize_t cuts  # that leave a gap and enough weight on both sides


cdef void read_rows(
    CutSearch search, Codes order, Py_ssize_t low, Py_ssize_t high, Numbers outcome, Numbers weight
) noexcept nogil
cdef void best_cut(
    CutSearch search,
    Py_ssize_t kind,
    Numbers values,
    Py_ssize_t low,
    Py_ssize_t high,
    Numbers begin,
    Numbers total,
    Py_ssize_t at,
    Py_ssize_t width,
    Numbers table,
) noexcept nogil
cpdef double between(double low, double high) noexcept nogil
