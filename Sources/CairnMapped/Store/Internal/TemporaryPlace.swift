import CairnCore

/// The place where a file is written before it replaces another: `.NAME.SUFFIX`, next to it.
struct TemporaryPlace {
    let path: String
    let suffix: String
    let fileSystem: FileSystem

    /// Opens the file, and locks it to keep other processes from doing the same. A file left by a process that died is reused.
    ///
    /// - Throws: ``MappedStoreError``: `busy` while another one has it.
    func take(_ purpose: String) throws(MappedStoreError) -> (File, FileLock) {
        let (directory, name) = FileSystem.split(path)
        let place = FileSystem.join(directory, ".\(name).\(suffix)")
        while true {
            do throws(FileError) {
                let file = try File(place, [.read, .write, .create, .noFollow], mode: 0o600, fileSystem: fileSystem)
                let lock = try FileLock(file, .exclusive, lastsUntilClosed: true)
                // Another process may have finished, and renamed the file, between the two calls.
                let identity = try file.status().identity
                if (try? fileSystem.stat(place).identity) == identity { return (file, lock) }
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
}
