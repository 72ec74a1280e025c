# What kernels read, and what they write (Out...): the type, the dimensions, and that it stands in C order.
# `arrays.py` names the same for Python.

ctypedef const double[::1] Numbers
ctypedef const double[:, ::1] NumberTable
ctypedef const double[:, :] Matrix  # in any order
ctypedef const double[:] Column  # of a matrix in any order
ctypedef const int[::1] Codes
ctypedef const int[:, ::1] CodeTable
ctypedef const long long[::1] Places
ctypedef const long long[:, ::1] PlaceTable
ctypedef const unsigned char[::1] Flags
ctypedef const unsigned char[:, ::1] ByteTable
ctypedef const unsigned short[:, ::1] PairTable
ctypedef const short[:, ::1] ShortTable
ctypedef const unsigned long long[::1] Words
ctypedef const unsigned long long[:, ::1] WordTable

ctypedef double[::1] OutNumbers
ctypedef double[:, ::1] OutNumberTable
ctypedef int[::1] OutCodes
ctypedef int[:, ::1] OutCodeTable
ctypedef long long[::1] OutPlaces
ctypedef unsigned char[::1] OutFlags
ctypedef unsigned char[:, ::1] OutByteTable
ctypedef unsigned short[:, ::1] OutPairTable
ctypedef unsigned long long[::1] OutWords
ctypedef unsigned long long[:, ::1] OutWordTable

ctypedef fused CodedTable:
    ByteTable
    PairTable
