// What is checked of the end of a sorted file before RocksDB may look at it.
#pragma once

#include "Internal.hpp"

namespace crk {

// Whether the file's end points into the file; over one that does not, RocksDB asserts, or asks for memory without measure. What else may be
// wrong with the file, or that it is not there, RocksDB says itself.
rocksdb::Status check_footer(rocksdb::Env *env, const std::string &path);

// The same for all sorted files of a database. RocksDB opens them in several threads, where an allocation that fails ends the process.
rocksdb::Status check_footers(const rocksdb::DBOptions &options, const std::string &path,
    const std::vector<rocksdb::ColumnFamilyDescriptor> &families);

}  // namespace crk
