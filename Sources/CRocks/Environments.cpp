// Environments: files in memory, files encrypted. The form of encrypted files: docs/formats/encrypted-files.md.
#include "Internal.hpp"
#include "Callbacks.hpp"

#include <rocksdb/env.h>
#include <rocksdb/env_encryption.h>
#include <rocksdb/file_system.h>

#include <cstring>
#include <random>

namespace {

constexpr size_t kHeader = 4096, kMagic = 8, kNonce = 16, kNonceAt = 16, kCheckAt = 32, kUsed = 48;
constexpr char kMagicText[kMagic + 1] = "CAIRNENC";
constexpr char kVersion = 1;
constexpr char kCheckText[17] = "the key is right";

using Crypt = bool (*)(void *, crk_bytes, uint64_t, void *, size_t);

class Cipher {
public:
    Cipher(void *context, Crypt crypt, void (*destroy)(void *)) : context_(context, destroy), crypt_(crypt) {}
    rocksdb::Status apply(const std::string &nonce, uint64_t offset, char *data, size_t size) const {
        if (size == 0) { return rocksdb::Status::OK(); }
        crk::CallbackScope scope;
        return crypt_(context_.get(), crk::lend(nonce), offset, data, size) ? rocksdb::Status::OK() : rocksdb::Status::IOError("the cipher failed");
    }

private:
    crk::Context context_;
    Crypt crypt_;
};

class CipherStream final : public rocksdb::BlockAccessCipherStream {
public:
    CipherStream(std::shared_ptr<const Cipher> cipher, std::string nonce) : cipher_(std::move(cipher)), nonce_(std::move(nonce)) {}
    size_t BlockSize() override { return 16; }
    // Whole buffers at once, not block by block.
    rocksdb::Status Encrypt(uint64_t offset, char *data, size_t size) override { return cipher_->apply(nonce_, offset, data, size); }
    rocksdb::Status Decrypt(uint64_t offset, char *data, size_t size) override { return cipher_->apply(nonce_, offset, data, size); }

protected:
    void AllocateScratch(std::string &) override {}
    rocksdb::Status EncryptBlock(uint64_t, char *, char *) override { return rocksdb::Status::NotSupported(); }
    rocksdb::Status DecryptBlock(uint64_t, char *, char *) override { return rocksdb::Status::NotSupported(); }

private:
    std::shared_ptr<const Cipher> cipher_;
    std::string nonce_;
};

class Provider final : public rocksdb::EncryptionProvider {
public:
    explicit Provider(std::shared_ptr<const Cipher> cipher) : cipher_(std::move(cipher)) {}
    const char *Name() const override { return "cairn"; }
    size_t GetPrefixLength() const override { return kHeader; }
    rocksdb::Status CreateNewPrefix(const std::string &, char *prefix, size_t length) const override {
        std::memset(prefix, 0, length);
        std::memcpy(prefix, kMagicText, kMagic);
        prefix[kMagic] = kVersion;
        std::random_device random;
        for (size_t i = 0; i < kNonce; ++i) { prefix[kNonceAt + i] = static_cast<char>(random()); }
        std::memcpy(prefix + kCheckAt, kCheckText, kUsed - kCheckAt);
        return cipher_->apply(std::string(prefix + kNonceAt, kNonce), kCheckAt, prefix + kCheckAt, kUsed - kCheckAt);
    }
    rocksdb::Status AddCipher(const std::string &, const char *, size_t, bool) override { return rocksdb::Status::NotSupported(); }
    rocksdb::Status CreateCipherStream(const std::string &file, const rocksdb::EnvOptions &, rocksdb::Slice &prefix,
        std::unique_ptr<rocksdb::BlockAccessCipherStream> *out) override {
        // What a power cut leaves of a file just made; there is nothing to decrypt.
        if (prefix.empty()) {
            *out = std::make_unique<CipherStream>(cipher_, std::string(kNonce, '\0'));
            return rocksdb::Status::OK();
        }
        bool right = false;
        rocksdb::Status status = check(prefix, right);
        if (!status.ok()) { return status; }
        // RocksDB asserts that reading some files fails in no other way.
        if (!right) { return rocksdb::Status::IOError(file, "it is not encrypted with this key, or its header is damaged"); }
        *out = std::make_unique<CipherStream>(cipher_, std::string(prefix.data() + kNonceAt, kNonce));
        return status;
    }

    static bool is_encrypted(const rocksdb::Slice &prefix) { return prefix.size() >= kUsed && std::memcmp(prefix.data(), kMagicText, kMagic) == 0; }
    rocksdb::Status check(const rocksdb::Slice &prefix, bool &right) const {
        if (!is_encrypted(prefix)) { return rocksdb::Status::OK(); }
        if (prefix[kMagic] != kVersion) { return rocksdb::Status::IOError("the file is encrypted in an unknown format"); }
        std::string text(prefix.data() + kCheckAt, kUsed - kCheckAt);
        rocksdb::Status status = cipher_->apply(std::string(prefix.data() + kNonceAt, kNonce), kCheckAt, text.data(), text.size());
        right = text == kCheckText;
        return status;
    }

private:
    std::shared_ptr<const Cipher> cipher_;
};

// RocksDB's encrypted file system asserts that every file has a whole header, which a truncated one has not.
class WholeHeaders final : public rocksdb::FileSystemWrapper {
public:
    WholeHeaders() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
    const char *Name() const override { return "CairnWholeHeaders"; }
    rocksdb::IOStatus GetFileSize(const std::string &file, const rocksdb::IOOptions &options, uint64_t *size, rocksdb::IODebugContext *debug) override {
        auto status = FileSystemWrapper::GetFileSize(file, options, size, debug);
        if (status.ok() && *size > 0) { *size = std::max<uint64_t>(*size, kHeader); }
        return status;
    }
    rocksdb::IOStatus GetChildrenFileAttributes(const std::string &directory, const rocksdb::IOOptions &options,
        std::vector<rocksdb::FileAttributes> *result, rocksdb::IODebugContext *debug) override {
        auto status = FileSystemWrapper::GetChildrenFileAttributes(directory, options, result, debug);
        if (status.ok()) {
            for (auto &file : *result) { file.size_bytes = std::max<uint64_t>(file.size_bytes, kHeader); }
        }
        return status;
    }
};

rocksdb::Env *environment(const crk_db_options *options) {
    return options->environment == nullptr ? rocksdb::Env::Default() : options->environment.get();
}

}  // namespace

crk_environment *crk_environment_create_memory(void) {
    try {
        return new crk_environment{std::shared_ptr<rocksdb::Env>(rocksdb::NewMemEnv(rocksdb::Env::Default()))};
    } catch (...) {
        return nullptr;
    }
}

crk_environment *crk_environment_create_encrypted(void *context, Crypt crypt, void (*destroy)(void *)) {
    try {
        auto provider = std::make_shared<Provider>(std::make_shared<const Cipher>(context, crypt, destroy));
        auto files = rocksdb::NewEncryptedFS(std::make_shared<WholeHeaders>(), provider);
        return new crk_environment{std::shared_ptr<rocksdb::Env>(rocksdb::NewCompositeEnv(files)), provider};
    } catch (...) {
        return nullptr;
    }
}
void crk_environment_release(crk_environment *environment) { delete environment; }
void crk_db_options_set_environment(crk_db_options *options, crk_environment *environment) {
    options->environment = environment->object;
    options->encryption = environment->encryption;
    options->object.env = environment->object.get();
}

bool crk_file_exists(const char *path, const crk_db_options *options) {
    try {
        return environment(options)->FileExists(path).ok();
    } catch (...) {
        return false;
    }
}
crk_status crk_list_files(const char *directory, const crk_db_options *options, void *context, crk_sink each) {
    return crk::guarded([&] {
        std::vector<std::string> names;
        rocksdb::Status status = environment(options)->GetChildren(directory, &names);
        for (const auto &name : names) { each(context, crk::lend(name)); }
        return status;
    });
}

crk_status crk_check_encryption(const char *path, const crk_db_options *options) {
    return crk::guarded([&]() -> crk_status {
        // Only what is on disk can be encrypted.
        if (options->environment != nullptr && options->encryption == nullptr) { return {}; }
        std::unique_ptr<rocksdb::SequentialFile> file;
        rocksdb::EnvOptions plain;
        plain.use_mmap_reads = false;
        rocksdb::Status status = rocksdb::Env::Default()->NewSequentialFile(path, &file, plain);
        char scratch[kUsed];
        rocksdb::Slice prefix;
        if (status.ok()) { status = file->Read(sizeof scratch, &prefix, scratch); }
        if (!status.ok()) { return crk::to_status(status); }
        const bool encrypted = Provider::is_encrypted(prefix);
        if (options->encryption == nullptr) {
            return encrypted ? crk::make_status(CRK_WRONG_KEY, "it is encrypted; open it with an encrypted environment") : crk_status{};
        }
        if (!encrypted) { return crk::make_status(CRK_WRONG_KEY, "it is not encrypted, or its header is damaged"); }
        bool right = false;
        status = static_cast<const Provider *>(options->encryption.get())->check(prefix, right);
        if (!status.ok()) { return crk::to_status(status); }
        return right ? crk_status{} : crk::make_status(CRK_WRONG_KEY, "it is encrypted with another key, or its header is damaged");
    });
}
