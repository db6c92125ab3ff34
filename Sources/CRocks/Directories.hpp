// Directories that RocksDB fills. Its files are readable by everybody (0644): it is the permissions of their directory that protect them.
#pragma once

#include "Internal.hpp"

namespace crk {

// Has `make` create a directory, given its path, and puts it at `path` for good, with the permissions of `source`. Until then it is in a directory
// that only this user can enter, whose name is `path`, a dot and a unique ID. Fails if something exists at `path`.
rocksdb::Status make_directory(rocksdb::Env *env, const std::string &path, const std::string &source,
    const std::function<rocksdb::Status(const std::string &)> &make);

}  // namespace crk
