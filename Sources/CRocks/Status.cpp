#include "Internal.hpp"

#include <rocksdb/io_status.h>
#include <rocksdb/version.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace crk {

crk_status make_status(uint8_t code, const std::string &message) noexcept {
    crk_status status{};
    status.code = code;
    if (!message.empty()) {
        status.message = static_cast<char *>(std::malloc(message.size()));
        if (status.message != nullptr) {
            std::memcpy(status.message, message.data(), message.size());
            status.message_size = message.size();
        }
    }
    return status;
}

// rocksdb::Status does not show "retryable"; IOStatus, which is made from it, does.
static bool is_retryable(const rocksdb::Status &status) {
    rocksdb::Status copy = status;
    return rocksdb::status_to_io_status(std::move(copy)).GetRetryable();
}

// Whether another opener holds a database's lock file. RocksDB has no code for that, only the messages of its file systems.
static bool is_lock_held(const rocksdb::Status &status) {
    if (!status.IsIOError() || status.getState() == nullptr) { return false; }
    const char *text = status.getState();
    auto says = [text](const char *words) { return std::strstr(text, words) != nullptr; };
    if (says("lock hold by current process") || says("lock is already held")) { return true; }
    return says("While lock file") && (says(std::strerror(EAGAIN)) || says(std::strerror(EACCES)));
}

// RocksDB gives an error number as the system's text, at the end of a message: its subcodes know few numbers.
static bool ends_with(const std::string &text, const char *end) {
    const size_t size = std::strlen(end);
    return text.size() >= size && text.compare(text.size() - size, size, end) == 0;
}

static uint8_t io_error_code(const rocksdb::Status &status, const std::string &text) {
    using Subcode = rocksdb::Status::SubCode;
    if (is_lock_held(status)) { return CRK_LOCKED; }
    if (status.subcode() == Subcode::kNoSpace || status.subcode() == Subcode::kSpaceLimit) { return CRK_NO_SPACE; }
    static constexpr struct { int number; crk_code code; } codes[] = {
        {EDQUOT, CRK_NO_SPACE}, {EACCES, CRK_PERMISSION_DENIED}, {EPERM, CRK_PERMISSION_DENIED}, {EROFS, CRK_PERMISSION_DENIED},
        {EISDIR, CRK_IS_DIRECTORY}, {ENOTDIR, CRK_NOT_A_DIRECTORY}, {EFBIG, CRK_TOO_LARGE},
    };
    for (const auto &entry : codes) {
        if (ends_with(text, std::strerror(entry.number))) { return entry.code; }
    }
    return ends_with(text, "exists but is not a directory") ? CRK_NOT_A_DIRECTORY : CRK_IO_ERROR;
}

// RocksDB has no code for writes to a database that was opened for reading only, but two texts.
static bool is_read_only(const std::string &text) {
    return text == kReadOnly || text == kReadOnlyBackups || ends_with(text, "in read only mode.") || ends_with(text, "in secondary mode.");
}

static uint8_t code_of(const rocksdb::Status &status, const std::string &text) {
    if (status.IsIOError()) { return io_error_code(status, text); }
    if (status.IsNotSupported() && is_read_only(text)) { return CRK_NOT_WRITABLE; }
    return static_cast<uint8_t>(status.code());
}

crk_status to_status(const rocksdb::Status &from) noexcept {
    try {
        const std::string text = from.getState() == nullptr ? "" : from.getState();
        crk_status status = make_status(code_of(from, text), text);
        status.subcode = static_cast<uint8_t>(from.subcode());
        status.severity = static_cast<uint8_t>(from.severity());
        status.retryable = !from.IsNotFound() && is_retryable(from);
        return status;
    } catch (...) {
        return exception_status();
    }
}

crk_status closed_status(const char *what) noexcept { return make_status(CRK_CLOSED, std::string("the ") + what + " is closed"); }

crk_status exception_status() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc &) {
        return make_status(CRK_OUT_OF_MEMORY, "");
    } catch (const std::exception &error) {
        return make_status(CRK_EXCEPTION, error.what());
    } catch (...) {
        return make_status(CRK_EXCEPTION, "");
    }
}

}  // namespace crk

void crk_status_free(crk_status status) { std::free(status.message); }

// The library's own word, not the headers': they may differ where it is linked dynamically.
uint32_t crk_version(void) {
    unsigned major = 0, minor = 0, patch = 0;
    std::sscanf(rocksdb::GetRocksVersionAsString(true).c_str(), "%u.%u.%u", &major, &minor, &patch);
    return major * 1000000u + minor * 1000u + patch;
}
