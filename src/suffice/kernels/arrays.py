"""What kernels read, and what they write (Out...), as Python sees it; `arrays.pxd` says it to the compiler."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NumberTable = Matrix = Column = OutNumbers = OutNumberTable = NDArray[np.float64]
Codes = CodeTable = OutCodes = OutCodeTable = NDArray[np.int32]
Places = PlaceTable = OutPlaces = NDArray[np.int64]
Flags = OutFlags = NDArray[np.bool_]
ByteTable = OutByteTable = NDArray[np.uint8]
PairTable = OutPairTable = NDArray[np.uint16]
ShortTable = NDArray[np.int16]
Words = WordTable = OutWords = OutWordTable = NDArray[np.uint64]
CodedTable = NDArray[np.unsignedinteger]
