extension FileSystem {
    /// Returns the status of the file at `path`, following symbolic links.
    package func stat(_ path: String) throws(SystemCallError) -> FileStatus {
        var status = FileStatus()
        try perform(SystemCall(.stat, path: path)) { _ in Platform.status(at: path, &status) }
        return status
    }

    /// Renames within one file system; atomically replaces a file at `destination`.
    package func rename(_ path: String, to destination: String) throws(SystemCallError) {
        try perform(SystemCall(.rename, path: path, to: destination)) { _ in Platform.rename(path, destination) }
    }

    /// Removes a file's name.
    package func unlink(_ path: String) throws(SystemCallError) {
        try perform(SystemCall(.unlink, path: path)) { _ in Platform.removeFile(path) }
    }

    package func mkdir(_ path: String, mode: UInt32 = 0o777) throws(SystemCallError) {
        try perform(SystemCall(.mkdir, path: path)) { _ in Platform.makeDirectory(path, mode) }
    }

    /// Creates a directory with the permission bits `mode`, whatever the process's umask. Until they are set, only its owner can use it.
    package func makeDirectory(_ path: String, mode: UInt32) throws(SystemCallError) {
        try mkdir(path, mode: 0o700)
        if mode != 0o700 { try setMode(ofDirectory: path, mode) }
    }

    /// Sets the permission bits of a directory.
    package func setMode(ofDirectory path: String, _ mode: UInt32) throws(SystemCallError) {
        let descriptor = try open(path, [.read, .directory, .noFollow])
        defer { try? close(descriptor) }
        try fchmod(descriptor, mode: mode)
    }

    /// Removes an empty directory.
    package func rmdir(_ path: String) throws(SystemCallError) {
        try perform(SystemCall(.rmdir, path: path)) { _ in Platform.removeDirectory(path) }
    }

    /// Returns the names in a directory, sorted, without `.` and `..`. Leaves out names that are not UTF-8, which no `String` can represent.
    package func list(_ path: String) throws(SystemCallError) -> [String] { try items(in: path).map(\.name).sorted() }

    /// Throws `notSupported` if there is a pipe, a device or a socket in the directory, or a link to one: a library that reads all files in it would wait
    /// for whatever writes to a pipe. A directory that cannot be listed is left for that library to report.
    ///
    /// - Complexity: Lists the directory; on file systems that tell the kinds of items, needs a further call only for each symbolic link.
    package func refuseSpecialFiles(in directory: String) throws(FileError) {
        for item in (try? items(in: directory)) ?? [] {
            let path = FileSystem.join(directory, item.name)
            if let kind = item.kind { try refuseSpecialFile(path, kind) } else { try refuseSpecialFile(at: path) }
        }
    }

    /// Throws `notSupported` if there is a pipe, a device or a socket at the path.
    package func refuseSpecialFile(at path: String) throws(FileError) { try refuseSpecialFile(path, (try? stat(path))?.kind) }

    private func refuseSpecialFile(_ path: String, _ kind: FileStatus.Kind?) throws(FileError) {
        if kind == .other { throw FileError(.notSupported, "'\(path)' is a pipe, a device or a socket, not a file") }
    }

    /// What is in a directory, in no order.
    private func items(in path: String) throws(SystemCallError) -> [(name: String, kind: FileStatus.Kind?)] {
        var items: [(name: String, kind: FileStatus.Kind?)] = []
        try perform(SystemCall(.list, path: path)) { _ in Platform.list(path, &items) }
        return items
    }

    /// Syncs a directory's entries to disk: files created, renamed and removed in it. Takes an open, an `fsync` and a close.
    ///
    /// Does nothing if the file system cannot sync directories and so persists entries in its own way.
    package func fsyncDirectory(_ path: String) throws(SystemCallError) {
        let descriptor = try open(path, [.read, .directory])
        var failure: SystemCallError?
        do throws(SystemCallError) {
            try fsync(descriptor)
        } catch {
            if Int(error.errno) != Platform.invalidArgument { failure = error }
        }
        do throws(SystemCallError) { try close(descriptor) } catch { failure = failure ?? error }
        if let failure { throw failure }
    }
}
