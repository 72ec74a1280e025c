from suffice.kernels.arrays cimport OutCodes, OutFlags, OutNumbers, OutPlaces


cdef class Division:
    cdef readonly OutCodes branch  # (place,)
    cdef readonly OutPlaces first  # (open node,) the number of its first branch among all branches
    cdef readonly OutCodes branches  # (open node,) 0 where the node becomes a leaf
    cdef readonly OutNumbers share  # (branch of all nodes in turn,) of the known weight
    cdef readonly OutNumbers statistic  # (branch, width) in one line
    cdef readonly OutPlaces places  # (branch,) how many rows go there
    cdef readonly OutFlags is_open  # (branch,) whether it may be split again
    cdef readonly bint has_open  # whether any may
