"""PyArrow, set up while it is imported: a fork waits for imports, and would not wait for Arrow's first call.

What that call sets up is guarded by locks of Arrow's own; a child forked in its midst would wait for ever.
"""

import pyarrow

pyarrow.array(["set up"]).dictionary_encode()
