// The ends of sorted files, which have no checksum before version 6 of their format.
#include "Footers.hpp"

#include <set>

namespace {

constexpr uint64_t kBlockBased = 0x88e241b785f4cff7ull, kLegacyBlockBased = 0xdb4775248b80fb57ull;
// Two numbers each for the index and for the block that lists other blocks, in 40 bytes, and the magic number; since version 1, the type of
// checksum before them, and the version between them.
constexpr size_t kLegacySize = 48, kSize = 53;
constexpr uint32_t kLastWithoutChecksum = 5;

uint64_t fixed(const char *bytes, int size) {
    uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i) { value = value << 8 | static_cast<unsigned char>(bytes[i]); }
    return value;
}

bool read_number(const char *&at, const char *end, uint64_t &number) {
    number = 0;
    for (int shift = 0; shift <= 63 && at < end; shift += 7) {
        const auto byte = static_cast<uint64_t>(static_cast<unsigned char>(*at++));
        number |= (byte & 0x7F) << shift;
        if (byte < 0x80) { return true; }
    }
    return false;
}

bool is_table(const std::string &name) { return name.size() > 4 && name.compare(name.size() - 4, 4, ".sst") == 0; }

}  // namespace

rocksdb::Status crk::check_footer(rocksdb::Env *env, const std::string &path) {
    std::unique_ptr<rocksdb::RandomAccessFile> file;
    uint64_t size = 0;
    char bytes[kSize];
    rocksdb::Slice end;
    if (!env->NewRandomAccessFile(path, &file, rocksdb::EnvOptions()).ok() || !env->GetFileSize(path, &size).ok() || size < kSize
        || !file->Read(size - kSize, kSize, &end, bytes).ok() || end.size() != kSize) {
        return rocksdb::Status::OK();
    }
    const uint64_t magic = fixed(end.data() + kSize - 8, 8);
    if (magic != kBlockBased && magic != kLegacyBlockBased) { return rocksdb::Status::OK(); }
    if (magic == kBlockBased && fixed(end.data() + kSize - 12, 4) > kLastWithoutChecksum) { return rocksdb::Status::OK(); }
    const char *at = end.data() + (magic == kBlockBased ? 1 : kSize - kLegacySize);
    const char *stop = at + 40;
    for (int i = 0; i < 2; ++i) {
        uint64_t offset, length;
        if (!read_number(at, stop, offset) || !read_number(at, stop, length)) { return rocksdb::Status::Corruption("the footer is damaged", path); }
        if (offset > size || length > size || offset + length > size - kLegacySize) {
            return rocksdb::Status::Corruption("the footer points past the file", path);
        }
    }
    return rocksdb::Status::OK();
}

rocksdb::Status crk::check_footers(const rocksdb::DBOptions &options, const std::string &path,
    const std::vector<rocksdb::ColumnFamilyDescriptor> &families) {
    std::set<std::string> directories{path};
    for (const auto &other : options.db_paths) { directories.insert(other.path); }
    for (const auto &family : families) {
        for (const auto &other : family.options.cf_paths) { directories.insert(other.path); }
    }
    for (const std::string &directory : directories) {
        std::vector<std::string> names;
        options.env->GetChildren(directory, &names).PermitUncheckedError();
        for (const std::string &name : names) {
            if (!is_table(name)) { continue; }
            rocksdb::Status status = check_footer(options.env, directory + "/" + name);
            if (!status.ok()) { return status; }
        }
    }
    return rocksdb::Status::OK();
}
