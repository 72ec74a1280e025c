from suffice.kernels.arrays cimport Numbers

cpdef double added_errors(double weight, double errors, double confidence, double z) noexcept nogil
cdef double expected_errors(Numbers counts, Py_ssize_t at, Py_ssize_t width, double confidence, double z) noexcept nogil
