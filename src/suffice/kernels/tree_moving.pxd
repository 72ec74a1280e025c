from suffice.kernels.arrays cimport OutCodes, OutNumbers, OutPlaces
from suffice.kernels.tree_divide cimport Division
from suffice.kernels.tree_frontier cimport Frontier


cdef class Moving:
    cdef Frontier frontier  # that was divided
    cdef Division division
    cdef OutCodes opened  # (branch,) its number in the next frontier, or -1
    cdef OutPlaces start  # (open node + 1,) of the next frontier
    cdef OutCodes moved  # (place,) the new place; -1: none; -2: several
    cdef OutPlaces several  # (place,) where its new places begin in the list of them
    cdef OutCodes copies  # (new place of those that have several,)
    cdef OutCodes source  # (new place,) where its row stood
    cdef OutCodes order  # of the next frontier, as value, known and code
    cdef OutNumbers value
    cdef OutPlaces known
    cdef OutCodes code
    cdef readonly tuple room  # the memory of the next frontier: order, values, codes
    cdef readonly Frontier following  # whole once every column is parted
