// What is checked of a sorted file before RocksDB may look at it.
#pragma once

#include "Cursor.hpp"
#include "Footers.hpp"

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>
#include <rocksdb/table_properties.h>

namespace crk {

// Whether a column family with these options can read the file at `path`: sound at its end, of the same order, and without merge operands
// that nothing could combine, nor, unless `range_deletions`, deletions of ranges.
rocksdb::Status check_file(const std::string &path, const rocksdb::ColumnFamilyOptions &options, bool range_deletions);

}  // namespace crk
