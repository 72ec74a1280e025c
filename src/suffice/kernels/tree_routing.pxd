from suffice.kernels.arrays cimport Codes, CodeTable, Flags, Numbers, OutCodes

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

cdef void take_branches(
    Routes routes, Py_ssize_t test, Cells cells, Codes rows, Py_ssize_t begin, Py_ssize_t end, OutCodes branch
) noexcept nogil
