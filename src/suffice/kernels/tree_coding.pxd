from suffice.kernels.arrays cimport Codes, Numbers, OutFlags, Places
from suffice.kernels.tree_packing cimport Packing

cdef class Columns:
    cdef readonly Places offset
    cdef readonly Numbers edges
    cdef readonly OutFlags is_mixed
    cdef readonly Codes levels
    cdef readonly Places position
    cdef readonly Packing packed
