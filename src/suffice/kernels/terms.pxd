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

cdef void fill_dense(
    Terms terms, NumberTable numeric, Py_ssize_t begin, Py_ssize_t count, OutNumberTable dense
) noexcept nogil

cdef void find_places(
    Terms terms, CodeTable codes, Py_ssize_t begin, Py_ssize_t count, OutCodeTable out
) noexcept nogil
