from suffice.kernels.arrays cimport Codes, CodeTable, Numbers, NumberTable, OutNumberTable

cdef void score_block(
    NumberTable rows, Py_ssize_t begin, Py_ssize_t count, NumberTable weights, Numbers constant, OutNumberTable out,
    Py_ssize_t to
) noexcept nogil

cdef void score_places(
    NumberTable dense, CodeTable places, Py_ssize_t count, Codes factors, NumberTable coded_weights,
    OutNumberTable out, Py_ssize_t to
) noexcept nogil

cdef void sum_block(
    NumberTable rows, Py_ssize_t begin, Py_ssize_t count, NumberTable numbers, OutNumberTable sums
) noexcept nogil

cdef void sum_places(
    NumberTable dense, CodeTable places, Py_ssize_t count, Codes factors, NumberTable numbers, OutNumberTable coded_sums
) noexcept nogil
