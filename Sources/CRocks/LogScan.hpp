// The write-ahead log of a database that is not open, read as files.
#pragma once

#include "Internal.hpp"

namespace crk {

// Fails with NotSupported if a log in the directory holds marks of two-phase transactions: RocksDB's repair ends the process over them.
// `refuses_compressed`: what cannot be read counts as such a mark.
rocksdb::Status check_logs(rocksdb::Env &env, const std::string &directory, bool refuses_compressed);

}  // namespace crk
