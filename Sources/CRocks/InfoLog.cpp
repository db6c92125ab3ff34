// RocksDB's text log (`LOG`). RocksDB's own logger asserts that no write follows a failed one, which on a full disk ends the process; this one
// lets lines go that cannot be written. Files are named, and old ones are kept or deleted, as RocksDB does.
// A receiver gets the lines as well, or instead.
#include "Callbacks.hpp"

#include <rocksdb/env.h>

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <sys/time.h>

// Gets lines without their time.
class crk::LogReceiver {
public:
    LogReceiver(void *context, crk_log_sink each, void (*destroy)(void *)) : context_(context, destroy), each_(each) {}
    void receive(uint8_t level, const char *format, va_list arguments) {
        char few[1024];
        std::vector<char> many;
        const char *text = few;
        va_list again;
        va_copy(again, arguments);
        int length = std::vsnprintf(few, sizeof few, format, arguments);
        if (length >= static_cast<int>(sizeof few)) {
            many.resize(static_cast<size_t>(length) + 1);
            length = std::vsnprintf(many.data(), many.size(), format, again);
            text = many.data();
        }
        va_end(again);
        while (length > 0 && text[length - 1] == '\n') { --length; }
        CallbackScope scope;
        each_(context_.get(), level, {text, static_cast<size_t>(std::max(length, 0))});
    }

private:
    Context context_;
    crk_log_sink each_;
};

namespace {

// The name of the log in a separate directory: the database's path with everything unusual made an underscore.
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
    // Without a path nothing is written.
    TextLog(std::string path, const crk_db_options &options)
        : Logger(options.object.info_log_level), path_(std::move(path)), size_limit_(options.object.max_log_file_size),
          seconds_limit_(options.object.log_file_time_to_roll), receiver_(options.log), kept_(options.environment),
          environment_(kept_ == nullptr ? rocksdb::Env::Default() : kept_.get()) {}

    void LogHeader(const char *format, va_list arguments) override {
        pass(rocksdb::InfoLogLevel::HEADER_LEVEL, format, arguments);
        Logv(format, arguments);
    }
    void Logv(const rocksdb::InfoLogLevel level, const char *format, va_list arguments) override {
        if (level < GetInfoLogLevel()) { return; }
        pass(level, format, arguments);
        if (!path_.empty()) { rocksdb::Logger::Logv(level, format, arguments); }
    }
    void Logv(const char *format, va_list arguments) override {
        if (path_.empty()) { return; }
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
        if (file_ != nullptr && is_due(now.tv_sec)) { file_.reset(); }
        if (file_ == nullptr) { open_file(now); }
        if (file_ == nullptr) { return; }
        if (file_->Append(rocksdb::Slice(line, static_cast<size_t>(length))).ok()) { size_ += static_cast<size_t>(length); }
    }
    size_t GetLogFileSize() const override { return size_; }

private:
    void pass(rocksdb::InfoLogLevel level, const char *format, va_list arguments) {
        if (receiver_ == nullptr) { return; }
        va_list again;
        va_copy(again, arguments);
        receiver_->receive(static_cast<uint8_t>(level), format, again);
        va_end(again);
    }
    bool is_due(time_t now) const {
        return (size_limit_ > 0 && size_ >= size_limit_) || (seconds_limit_ > 0 && static_cast<size_t>(now - opened_) >= seconds_limit_);
    }
    // The directory may not be there yet: then the next line tries again.
    void open_file(const timeval &now) {
        if (environment_->FileExists(path_).ok()) {
            const uint64_t stamp = static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_usec);
            environment_->RenameFile(path_, path_ + ".old." + std::to_string(stamp)).PermitUncheckedError();
        }
        rocksdb::EnvOptions plain;
        plain.use_mmap_writes = false;
        if (!environment_->NewWritableFile(path_, &file_, plain).ok()) { file_.reset(); }
        opened_ = now.tv_sec;
        size_ = 0;
    }

    const std::string path_;
    const size_t size_limit_, seconds_limit_;
    const std::shared_ptr<crk::LogReceiver> receiver_;
    const std::shared_ptr<rocksdb::Env> kept_;
    rocksdb::Env *const environment_;
    std::mutex mutex_;  // guards what follows
    std::unique_ptr<rocksdb::WritableFile> file_;
    time_t opened_ = 0;
    std::atomic<size_t> size_{0};
};

}  // namespace

std::shared_ptr<rocksdb::Logger> crk::make_info_log(const std::string &path, const crk_db_options &options, bool may_write) {
    const auto &database = options.object;
    const std::string file = database.db_log_dir.empty() ? path + "/LOG" : database.db_log_dir + "/" + flattened(path);
    const bool writes = may_write && options.log_file;
    if (!may_write && options.log == nullptr) { return nullptr; }
    return std::make_shared<TextLog>(writes ? file : std::string(), options);
}

crk_status crk_db_options_set_log(crk_db_options *options, bool writes_file, void *context, crk_log_sink each, void (*destroy)(void *)) {
    return crk::guarded([&] {
        options->log = std::make_shared<crk::LogReceiver>(context, each, destroy);
        options->log_file = writes_file;
        return rocksdb::Status::OK();
    });
}
