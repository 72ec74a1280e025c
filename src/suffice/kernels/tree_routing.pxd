from suffice.kernels.arrays cimport Codes, CodeTable, Flags, Numbers, OutCodes, OutFlags, OutNumbers

cdef class Routes:
    cdef readonly tuple arrays
    cdef readonly Py_ssize_t count
    cdef readonly bint tests_levels
    cdef readonly Flags is_nominal
    cdef readonly Codes position
    cdef readonly Numbers threshold
    cdef readonly Codes first_branch
    cdef readonly Codes branch_count
    cdef readonly Codes missing_branch
    cdef readonly Codes subset
    cdef readonly Flags takes_first
    cdef readonly Numbers share
    cdef Numbers limit
    cdef Codes onward
    cdef Codes missing

cdef class Cells:
    cdef Numbers line
    cdef Py_ssize_t row_step
    cdef Py_ssize_t column_step
    cdef CodeTable codes

cdef class Way:
    cdef OutCodes node  # in the order in which they were come by
    cdef OutNumbers part
    cdef OutFlags is_known  # whether a value led there, or it is the root
    cdef OutFlags takes_all  # whether the value tested there is missing, so that all branches are taken
    cdef OutCodes waiting  # nodes still to be looked at
    cdef OutNumbers waiting_part
    cdef OutFlags waiting_known

cdef Py_ssize_t find_way(
    Routes routes, Py_ssize_t root, Cells cells, Py_ssize_t row, double weight, Way way
) noexcept nogil
cdef void take_branches(
    Routes routes, Py_ssize_t test, Cells cells, Codes rows, Py_ssize_t begin, Py_ssize_t end, OutCodes branch
) noexcept nogil
