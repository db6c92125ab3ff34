import Synchronization

/// An open file, with complete reads and writes at offsets, and errors that name the path.
///
/// Any thread may call reads and writes concurrently; they block until done. ``close()`` or the release of the last reference closes the
/// descriptor.
package final class File: Sendable {
    /// The path that was given, for messages; the file may have been renamed since.
    package let path: String
    /// The file system that this file's calls go to.
    package let fileSystem: FileSystem
    /// -1 after `close`.
    private let openDescriptor: Atomic<Int32>

    /// Opens `path`.
    ///
    /// - Parameter mode: The permission bits of a new file, less the process's umask.
    /// - Throws: ``FileError``: `notFound`, `alreadyExists`, `isDirectory`, `permissionDenied`...
    package init(
        _ path: String,
        _ options: FileSystem.OpenOptions,
        mode: UInt32 = 0o666,
        fileSystem: FileSystem = .system
    ) throws(FileError) {
        do throws(SystemCallError) {
            openDescriptor = Atomic(try fileSystem.open(path, options, mode: mode))
        } catch {
            let attempt = options.contains(.create) ? "could not create or open" : "could not open"
            let failure = error.during(attempt, path)
            if options.contains(.noFollow), failure.code == .invalidPath, Platform.target(ofLink: path) != nil {
                let message = "\(attempt) \(path): it is a symbolic link; remove it if you did not create it"
                throw FileError(.invalidPath, message, cause: error)
            }
            guard options.contains(.create) else { throw failure }
            throw failure.code == .notFound ? .missingDirectory(of: path, cause: error) : failure
        }
        self.path = path
        self.fileSystem = fileSystem
    }

    deinit {
        // No one would see an error here: what must be on disk is synced before.
        try? close()
    }

    /// Closes the file; repeated calls do nothing. No other call on this file may be in progress.
    ///
    /// - Throws: ``FileError``: some file systems report a failed write only now. The file is closed nevertheless.
    package func close() throws(FileError) {
        let descriptor = openDescriptor.exchange(-1, ordering: .acquiringAndReleasing)
        guard descriptor >= 0 else { return }
        do throws(SystemCallError) { try fileSystem.close(descriptor) } catch { throw error.during("could not close", path) }
    }

    /// Runs `body` on the descriptor, and turns its error into one that says what was attempted.
    func perform<Value>(
        _ attempt: @autoclosure () -> String,
        _ body: (Int32) throws(SystemCallError) -> Value
    ) throws(FileError) -> Value {
        let descriptor = openDescriptor.load(ordering: .acquiring)
        guard descriptor >= 0 else { throw FileError(.closed, "\(attempt()) \(path): it is closed") }
        do throws(SystemCallError) { return try body(descriptor) } catch { throw error.during(attempt(), path) }
    }
}

extension File {
    /// Returns the current size, identity and mode.
    package func status() throws(FileError) -> FileStatus {
        try perform("could not examine") { descriptor throws(SystemCallError) in try fileSystem.fstat(descriptor) }
    }

    /// Same as ``status()``, but throws `isDirectory` for a directory, which opens like a file for reading, and `invalidPath` for pipes and devices.
    package func statusOfFile() throws(FileError) -> FileStatus {
        let status = try status()
        guard status.kind != .directory else {
            throw SystemCallError(call: "read", errno: Platform.isDirectory).during("could not read", path)
        }
        guard status.kind == .file else { throw FileError(.invalidPath, "could not read \(path): it is not a regular file") }
        return status
    }

    /// Sets the permission bits, such as `0o644`.
    package func setMode(_ mode: UInt32) throws(FileError) {
        try perform("could not set the mode of") { descriptor throws(SystemCallError) in try fileSystem.fchmod(descriptor, mode: mode) }
    }

    /// Truncates the file, or extends it with zeros that do not take disk space yet: see ``reserve(_:)``.
    package func truncate(to size: Int64) throws(FileError) {
        try perform("could not set the size to \(size) of") { descriptor throws(SystemCallError) in
            try fileSystem.ftruncate(descriptor, to: size)
        }
    }

    /// Extends the file to at least `size` bytes and allocates the disk space, so that no later write to this range, through a mapping or not,
    /// finds the disk full. Never truncates. If it fails, the file has its former size again, and the space is free, so no one else may extend the
    /// file at the same time.
    ///
    /// - Throws: ``FileError``: `noSpace`, `tooLarge`.
    package func reserve(_ size: Int64) throws(FileError) {
        try enlarging(to: size) { descriptor throws(SystemCallError) in try fileSystem.reserve(descriptor, size: size) }
    }

    /// Throws `noSpace` if the disk surely has no room for the file to grow to `size` bytes, which ``reserve(_:)`` then need not try. Changes nothing.
    package func requireRoom(for size: Int64) throws(FileError) {
        try enlarging(to: size) { descriptor throws(SystemCallError) in try fileSystem.requireRoom(descriptor, for: size) }
    }

    private func enlarging(to size: Int64, _ body: (Int32) throws(SystemCallError) -> Void) throws(FileError) {
        var failure: SystemCallError?
        try perform("could not enlarge") { descriptor throws(SystemCallError) in
            do throws(SystemCallError) { try body(descriptor) } catch { failure = error }
        }
        if let failure { throw failure.during("could not enlarge \(path) to", "\(ByteCount.bytes(size))") }
    }

    /// Renames the file in one step, replacing whatever has that name. ``path`` does not change.
    package func rename(to other: String) throws(FileError) {
        do throws(SystemCallError) { try fileSystem.rename(path, to: other) } catch {
            throw error.during("could not rename \(path) to", other)
        }
    }

    /// Syncs the contents and size to disk; the file's name also needs a sync of its directory.
    ///
    /// After an error, the state of what was written since the last sync is unknown, whatever later calls return.
    package func synchronize() throws(FileError) {
        try perform("could not sync") { descriptor throws(SystemCallError) in try fileSystem.fsync(descriptor) }
    }
}
