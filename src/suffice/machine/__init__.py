"""What the machine offers: processors and threads, forks, memory, compiled variants of the kernels."""
