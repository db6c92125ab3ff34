// RocksDB's text log (`LOG`). RocksDB's own logger asserts that no write follows a failed one, which on a full disk ends the process; this one
// lets lines go that cannot be written. Files are named, and old ones are kept or deleted, as RocksDB does.
#include "Internal.hpp"

#include <rocksdb/env.h>

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

// The name of the log in a directory of its own: the database's path with everything unusual made an underscore.
std::string flattened(const std::string &path) {
    std::string name;
    for (size_t i = 0; i < path.size(); ++i) {
        const char c = path[i];
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_') {
            name += c;
        } else if (i > 0) {
            name += '_';
        }
    }
    return name + "_LOG";
}

class TextLog final : public rocksdb::Logger {
public:
    TextLog(std::string path, const rocksdb::DBOptions &options)
        : Logger(options.info_log_level), path_(std::move(path)), size_limit_(options.max_log_file_size),
          seconds_limit_(options.log_file_time_to_roll) {}
    ~TextLog() override { close_file(); }

    using rocksdb::Logger::Logv;
    void Logv(const char *format, va_list arguments) override {
        char line[4096];
        timeval now{};
        gettimeofday(&now, nullptr);
        tm parts{};
        localtime_r(&now.tv_sec, &parts);
        int length = std::snprintf(line, sizeof line, "%04d/%02d/%02d-%02d:%02d:%02d.%06d ", parts.tm_year + 1900, parts.tm_mon + 1,
            parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, static_cast<int>(now.tv_usec));
        const int text = std::vsnprintf(line + length, sizeof line - static_cast<size_t>(length), format, arguments);
        length = std::min(length + std::max(text, 0), static_cast<int>(sizeof line) - 2);
        if (line[length - 1] != '\n') { line[length++] = '\n'; }

        std::lock_guard<std::mutex> lock(mutex_);
        if (descriptor_ >= 0 && is_due(now.tv_sec)) { close_file(); }
        if (descriptor_ < 0) { open_file(now); }
        if (descriptor_ < 0) { return; }
        const ssize_t written = ::write(descriptor_, line, static_cast<size_t>(length));
        if (written > 0) { size_ += static_cast<size_t>(written); }
    }
    size_t GetLogFileSize() const override { return size_; }

private:
    bool is_due(time_t now) const {
        return (size_limit_ > 0 && size_ >= size_limit_) || (seconds_limit_ > 0 && static_cast<size_t>(now - opened_) >= seconds_limit_);
    }
    // The directory may not be there yet: then the next line tries again.
    void open_file(const timeval &now) {
        struct stat existing {};
        if (::stat(path_.c_str(), &existing) == 0) {
            const uint64_t stamp = static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_usec);
            const std::string old = path_ + ".old." + std::to_string(stamp);
            static_cast<void>(std::rename(path_.c_str(), old.c_str()));
        }
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        opened_ = now.tv_sec;
        size_ = 0;
    }
    void close_file() {
        if (descriptor_ >= 0) { ::close(descriptor_); }
        descriptor_ = -1;
    }

    const std::string path_;
    const size_t size_limit_, seconds_limit_;
    std::mutex mutex_;  // guards what follows
    int descriptor_ = -1;
    time_t opened_ = 0;
    std::atomic<size_t> size_{0};
};

}  // namespace

std::shared_ptr<rocksdb::Logger> crk::make_info_log(const std::string &path, const rocksdb::DBOptions &options) {
    const std::string file = options.db_log_dir.empty() ? path + "/LOG" : options.db_log_dir + "/" + flattened(path);
    return std::make_shared<TextLog>(file, options);
}
