// This module has nothing of its own: it is object stores with their macros, on RocksDB, in one import.
@_exported public import CairnRocksGraph
@_exported public import CairnStored
