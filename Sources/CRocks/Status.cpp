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

// rocksdb::Status keeps "retryable" to itself; IOStatus, which is made from it, tells.
static bool is_retryable(const rocksdb::Status &status) {
    rocksdb::Status copy = status;
    return rocksdb::status_to_io_status(std::move(copy)).GetRetryable();
}

// Whether another opener holds a database's lock file. RocksDB has no code for that: the words of its file systems must do.
static bool is_lock_held(const rocksdb::Status &status) {
    if (!status.IsIOError() || status.getState() == nullptr) { return false; }
    const char *text = status.getState();
    auto says = [text](const char *words) { return std::strstr(text, words) != nullptr; };
    if (says("lock hold by current process") || says("lock is already held")) { return true; }
    return says("While lock file") && (says(std::strerror(EAGAIN)) || says(std::strerror(EACCES)));
}

crk_status to_status(const rocksdb::Status &from) noexcept {
    try {
        const char *text = from.getState();
        const auto code = is_lock_held(from) ? static_cast<uint8_t>(CRK_LOCKED) : static_cast<uint8_t>(from.code());
        crk_status status = make_status(code, text == nullptr ? std::string() : std::string(text));
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
