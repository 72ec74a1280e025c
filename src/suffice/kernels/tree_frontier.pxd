from suffice.kernels.arrays cimport Codes, Numbers, OutNumbers, Places


cdef class Frontier:
    cdef readonly Py_ssize_t nodes, places, columns, numeric
    cdef readonly Codes node  # (open node,) its number in the tree
    cdef readonly Codes depth  # (open node,)
    cdef readonly Places start  # (open node + 1,)
    cdef readonly Numbers outcome  # (place,) the class, or the number less the node's mean
    cdef readonly Numbers weight  # (place,) or empty: every row weighs 1
    cdef readonly Codes levels  # (column,) how many it has; 0 if it is numeric
    cdef readonly Codes line  # (column,) where it stands among the columns of its kind
    cdef readonly Codes order  # (numeric column, place) the places of each node by rising value
    cdef readonly Numbers value  # (numeric column, place) the values in that order
    cdef readonly Places known  # (open node, numeric column) how many places have a value
    cdef readonly Codes code  # (nominal column, place) the level; -1 where it is missing
    cdef readonly Numbers total  # (open node, width) the statistic of the node's rows
    cdef readonly Numbers centre  # (open node,) the mean that is taken from its outcomes


cdef void add_totals(
    Py_ssize_t kind, Py_ssize_t width, Places start, Numbers outcome, Numbers weight, OutNumbers total
) noexcept nogil
