// Directories that appear whole, with the permissions of the database that they are made of.
#include "Directories.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace {

// Environments in memory have no files, and no permissions.
rocksdb::Status set_mode(const std::string &path, mode_t mode) {
    if (::chmod(path.c_str(), mode) == 0 || errno == ENOENT) { return rocksdb::Status::OK(); }
    return rocksdb::Status::IOError("While setting the permissions of " + path, std::strerror(errno));
}

mode_t mode_of(const std::string &path) {
    struct stat found;
    return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0700;
}

// Puts a directory in its place, for good. Nothing is replaced.
rocksdb::Status settle(rocksdb::Env *env, const std::string &from, const std::string &to) {
    // Of two that make the same directory at once, the second finds files in it.
    rocksdb::Status status = env->RenameFile(from, to);
    if (!status.ok()) { return env->FileExists(to).ok() ? rocksdb::Status::InvalidArgument("something already exists at the path") : status; }
    const size_t slash = to.find_last_not_of('/') == std::string::npos ? std::string::npos : to.rfind('/', to.find_last_not_of('/'));
    const std::string parent = slash == std::string::npos ? "." : slash == 0 ? "/" : to.substr(0, slash);
    std::unique_ptr<rocksdb::Directory> directory;
    status = env->NewDirectory(parent, &directory);
    return status.ok() ? directory->Fsync() : status;
}

void delete_directory(rocksdb::Env *env, const std::string &path) {
    std::vector<std::string> names;
    env->GetChildren(path, &names).PermitUncheckedError();
    for (const std::string &name : names) { env->DeleteFile(path + "/" + name).PermitUncheckedError(); }
    env->DeleteDir(path).PermitUncheckedError();
}

}  // namespace

rocksdb::Status crk::make_directory(rocksdb::Env *env, const std::string &path, const std::string &source,
    const std::function<rocksdb::Status(const std::string &)> &make) {
    if (env->FileExists(path).ok()) { return rocksdb::Status::InvalidArgument("something already exists at the path"); }
    const std::string room = path + "." + env->GenerateUniqueId(), made = room + "/new";
    rocksdb::Status status = env->CreateDirIfMissing(room);
    if (!status.ok()) { return status; }
    status = set_mode(room, 0700);
    if (status.ok()) { status = make(made); }
    if (status.ok()) { status = set_mode(made, mode_of(source)); }
    if (status.ok()) { status = settle(env, made, path); }
    if (env->FileExists(made).ok()) { delete_directory(env, made); }
    env->DeleteDir(room).PermitUncheckedError();
    return status;
}
