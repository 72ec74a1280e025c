from suffice.kernels.arrays cimport ByteTable, Codes, OutCodes, PairTable, Places

cdef class CodedRows:
    cdef readonly bint is_wide
    cdef ByteTable narrow
    cdef PairTable wide

cdef class Packing:
    cdef readonly Places byte
    cdef readonly Places shift
    cdef readonly Places mask
    cdef readonly Places members
    cdef readonly Places first
    cdef readonly Places begin

cdef void codes_of_rows(
    CodedRows rows, Codes chosen, Py_ssize_t begin, Py_ssize_t end, Packing packed, Py_ssize_t column, OutCodes codes
) noexcept nogil
