#include "LogScan.hpp"

#include <rocksdb/env.h>

#include <cstdlib>

#include "Records.hpp"

namespace {

// The format: db/log_format.h. A log is a sequence of blocks; records are in fragments, none of which crosses the end of a block. A header has a
// checksum (4 bytes), a length (2) and a type (1); in files that are used again, also the low half of the log's number (4).
constexpr size_t kBlock = 32768, kHeader = 7, kRecyclableHeader = 11;
enum Fragment { kFull = 1, kFirst, kMiddle, kLast, kRecyclableFull, kRecyclableLast = 8, kCompression = 9 };

uint32_t number_at(const char *bytes, size_t count) {
    uint32_t number = 0;
    for (size_t i = count; i-- > 0;) { number = number << 8 | static_cast<unsigned char>(bytes[i]); }
    return number;
}

// Checks the records of one log. Checksums are not compared: of a damaged record it does not matter what is found.
class Scan {
public:
    Scan(uint64_t number, bool refuses_compressed) : number_(static_cast<uint32_t>(number)), refuses_compressed_(refuses_compressed) {}

    rocksdb::Status read(rocksdb::Slice block) {
        while (block.size() >= kHeader) {
            const size_t length = number_at(block.data() + 4, 2);
            int type = static_cast<unsigned char>(block[6]);
            const bool recyclable = type >= kRecyclableFull && type <= kRecyclableLast;
            const size_t header = recyclable ? kRecyclableHeader : kHeader;
            if (block.size() < header + length) { break; }
            if (type == kCompression) { is_compressed_ = true; }
            if (recyclable) {
                // The rest is of the log that the file was before.
                if (number_at(block.data() + kHeader, 4) != number_) { break; }
                type -= kRecyclableFull - kFull;
            }
            if (type >= kFull && type <= kLast) {
                if (type == kFull || type == kFirst) { record_.clear(); }
                record_.append(block.data() + header, length);
                if (type == kFull || type == kLast) {
                    rocksdb::Status status = check();
                    if (status.IsNotSupported()) { return status; }
                }
            }
            block.remove_prefix(header + length);
        }
        return rocksdb::Status::OK();
    }

private:
    rocksdb::Status check() const {
        if (!is_compressed_) { return crk::check_records(record_, true); }
        if (!refuses_compressed_) { return rocksdb::Status::OK(); }
        return rocksdb::Status::NotSupported("the log is compressed, and may hold two-phase transactions");
    }

    const uint32_t number_;
    const bool refuses_compressed_;
    bool is_compressed_ = false;
    std::string record_;
};

}  // namespace

rocksdb::Status crk::check_logs(rocksdb::Env &env, const std::string &directory, bool refuses_compressed) {
    std::vector<std::string> names;
    if (!env.GetChildren(directory, &names).ok()) { return rocksdb::Status::OK(); }
    for (const auto &name : names) {
        if (name.size() <= 4 || name.compare(name.size() - 4, 4, ".log") != 0) { continue; }
        std::unique_ptr<rocksdb::SequentialFile> file;
        // What cannot be read is not replayed either.
        if (!env.NewSequentialFile(directory + "/" + name, &file, rocksdb::EnvOptions()).ok()) { continue; }
        Scan scan(std::strtoull(name.c_str(), nullptr, 10), refuses_compressed);
        std::string space(kBlock, '\0');
        rocksdb::Slice block;
        while (file->Read(kBlock, &block, space.data()).ok() && !block.empty()) {
            rocksdb::Status status = scan.read(block);
            if (!status.ok()) {
                return rocksdb::Status::NotSupported(
                    status.getState(), "open the database for transactions, write to it and flush it, or move " + name + " away, which RocksDB cannot repair");
            }
        }
    }
    return rocksdb::Status::OK();
}
