from suffice.kernels.arrays cimport Numbers, OutNumbers

cdef double least_cost(
    Py_ssize_t kind,
    Numbers before,
    Numbers own,
    Py_ssize_t at,
    Numbers behind,
    Py_ssize_t width,
    Numbers table,
    OutNumbers rest,
) noexcept nogil
