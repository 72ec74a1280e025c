from suffice.kernels.arrays cimport Codes, Numbers, NumberTable, OutNumberTable

cdef double weigh_block(
    OutNumberTable scores, Codes outcome, Numbers weights, Py_ssize_t begin, Py_ssize_t count, OutNumberTable residual,
    NumberTable rows
) noexcept nogil
