import CairnCore

/// The place where a file is written before it replaces another: `.NAME.SUFFIX`, next to it.
struct TemporaryPlace {
    /// The path of the file to be replaced, for messages.
    let path: String
    /// The same path; absolute if the current directory may change in the meantime.
    let place: String
    let suffix: String
    let fileSystem: FileSystem

    private var temporary: String {
        let (directory, name) = FileSystem.split(place)
        return FileSystem.join(directory, ".\(name).\(suffix)")
    }

    /// Opens the file, and locks it to keep other processes from doing the same. A file left by a process that died is reused, unless others have it under
    /// another name, or it belongs to another user, who may have it open: it is then removed.
    ///
    /// - Throws: ``MappedStoreError``: `busy` while another one has it; `permissionDenied` for a file that is not regular, or that cannot be removed.
    func take(_ purpose: String) throws(MappedStoreError) -> (File, FileLock) {
        let temporary = temporary
        while true {
            do throws(FileError) {
                let file = try File(temporary, [.read, .write, .create, .noFollow], mode: 0o600, fileSystem: fileSystem)
                guard try file.status().kind == .file else {
                    throw FileError(.permissionDenied, "could not \(purpose) \(path): \(temporary) is not a regular file")
                }
                let lock = try FileLock(file, .exclusive, lastsUntilClosed: true)
                // Another process may have finished, and renamed the file, between the two calls.
                let status = try file.status()
                guard (try? fileSystem.stat(temporary).identity) == status.identity else { continue }
                if status.isOwn, status.linkCount == 1 { return (file, lock) }
                do throws(SystemCallError) { try fileSystem.unlink(temporary) } catch {
                    throw FileError("could not \(purpose) \(path): could not remove another user's file", temporary, cause: error)
                }
            } catch {
                guard error.code != .locked else {
                    throw MappedStoreError(
                        .busy,
                        "could not \(purpose) \(path): another process is doing the same",
                        cause: error
                    )
                }
                throw MappedStoreError(error)
            }
        }
    }

    /// Removes the file if a process that died left it, with values that may be less protected than those in the store. A file that cannot be removed stays.
    func removeLeftover() {
        let temporary = temporary
        guard let file = try? File(temporary, [.read, .write, .noFollow], fileSystem: fileSystem), let status = try? file.status(),
            status.kind == .file, let lock = try? FileLock(file, .exclusive)
        else { return }
        defer { lock.release() }
        // Another process may have finished, and renamed the file, between the two calls.
        guard (try? fileSystem.stat(temporary).identity) == status.identity else { return }
        try? fileSystem.unlink(temporary)
    }
}
