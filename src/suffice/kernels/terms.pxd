from suffice.kernels.arrays cimport Codes, CodeTable, Numbers, NumberTable, OutCodeTable, OutNumberTable

cdef class Terms:
    cdef readonly Numbers centre
    cdef readonly Numbers factor
    cdef readonly Numbers filled
    cdef readonly Codes missing_columns
    cdef readonly CodeTable products
    cdef readonly CodeTable coded
    cdef readonly Codes factors
    cdef readonly Codes places
    cdef readonly Py_ssize_t dense_count

cdef void require_rows(Terms terms, NumberTable numeric, CodeTable codes, Numbers weights) except *

cdef Py_ssize_t fill_dense(
    Terms terms, NumberTable numeric, Py_ssize_t begin, Py_ssize_t end, OutNumberTable dense
) noexcept nogil

cdef Py_ssize_t read_block(
    Terms terms, NumberTable numeric, CodeTable codes, Py_ssize_t begin, OutNumberTable dense, OutCodeTable places
) noexcept nogil
