"""What the columns of a table are, and how its rows become numbers and codes."""

from suffice.schema.alignment import Alignment, picked, positions
from suffice.schema.arrays import AnyArray, Array, Codes
from suffice.schema.bags import Bags
from suffice.schema.batch import Batch, joined, joined_weights
from suffice.schema.chunk import Chunk, Coded, RawColumn, Values
from suffice.schema.class_position import class_position, said_of_classes
from suffice.schema.column_profile import ColumnProfile
from suffice.schema.columns import EVERY_RECORD, Column, Level, Nominal, Numeric, Target, Text
from suffice.schema.encoder import Encoder
from suffice.schema.left_out import LeftOut
from suffice.schema.profile import Profile
from suffice.schema.schema import Schema

__all__ = [
    "EVERY_RECORD",
    "Alignment",
    "AnyArray",
    "Array",
    "Bags",
    "Batch",
    "Chunk",
    "Coded",
    "Codes",
    "Column",
    "ColumnProfile",
    "Encoder",
    "LeftOut",
    "Level",
    "Nominal",
    "Numeric",
    "Profile",
    "RawColumn",
    "Schema",
    "Target",
    "Text",
    "Values",
    "class_position",
    "joined",
    "joined_weights",
    "picked",
    "positions",
    "said_of_classes",
]
