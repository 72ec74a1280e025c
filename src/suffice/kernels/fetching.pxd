# Asks the processor to bring what stands at an address into its cache; it goes on without waiting.

cdef extern from *:
    void fetch "__builtin_prefetch" (const void *address) noexcept nogil
