from suffice.kernels.arrays cimport OutCodes, OutFlags, OutNumbers, OutPlaces
from suffice.kernels.tree_rule cimport Rule


cdef class Groups:
    cdef readonly OutPlaces start  # (open node + 1,) where its groups begin; a node's last are the missing values
    cdef readonly OutCodes code  # (group,) the level; -1 for the missing values
    cdef readonly OutNumbers statistic  # (group, width) in one line
    cdef readonly OutFlags takes_first  # (group,) whether it takes the first of two branches


cdef void fill_subset(
    Groups groups, Py_ssize_t node, Rule rule, OutFlags takes_first, Py_ssize_t begin, Py_ssize_t levels
) noexcept nogil
