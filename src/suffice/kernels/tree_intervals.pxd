from suffice.kernels.arrays cimport Flags, Numbers, OutFlags, OutNumbers
from suffice.kernels.tree_rule cimport Rule

cdef class Sweep:
    cdef OutNumbers before, behind, left  # (interval,)
    cdef OutNumbers nothing, left_of, right_of, rest  # (width,)
    cdef double gain, limit, reach
    cdef int home

cdef Py_ssize_t mark_intervals(
    Sweep sweep,
    Numbers histogram,
    Py_ssize_t at,
    Py_ssize_t known,
    Flags is_mixed,
    Py_ssize_t first,
    Numbers total,
    Py_ssize_t total_at,
    Rule rule,
    Numbers table,
    double least_gain,
    OutFlags is_opened,
) noexcept nogil
