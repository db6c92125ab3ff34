/// Writes a new file next to the one it replaces, and then atomically puts it in place: readers see the old contents or the new, never a part.
///
/// ```swift
/// let writer = try AtomicFileWriter(replacing: "music.cdb")
/// try writer.write(header)
/// try writer.write(records)
/// try writer.write(finalHeader, at: 0)
/// try writer.finish()
/// ```
///
/// With ``Durability/synced``, the default, the new contents are on disk when ``finish()`` returns. With ``Durability/buffered``, a power
/// failure soon afterwards leaves either the old contents or the new. With ``Durability/none``, nothing is synced: a power failure can leave a
/// damaged file, but the death of the process cannot.
///
/// Until `finish()` returns, any error leaves the old file unchanged and removes the new one, as do ``cancel()`` and the deinitialization of the
/// writer. Writers with the same target do not disturb each other; the last to finish wins. The mode of the old file is kept, but its owner is
/// not. A symbolic link is replaced, not followed. If the process dies, it leaves a file named `.cairn-….tmp`, which is no longer locked: the first
/// writer of another process in the same directory removes it.
///
/// Use from one thread at a time. Calls block on the disk.
package final class AtomicFileWriter {
    /// The path of the file to replace, as it was given.
    package let path: String
    /// The same path, which stays valid after the current directory has changed.
    private let place: String
    /// The path of the new file until it is put in place, for reading it before that; empty once finished or cancelled.
    package var temporaryPath: String { temporary?.path ?? "" }
    /// The number of bytes written so far: the offset of the next ``write(_:)``.
    package var count: Int64 { flushedCount + Int64(buffer.count) }

    private let fileSystem: FileSystem
    private let durability: Durability
    private let directory: String
    let bufferSize: Int
    /// The new file; `nil` once finished or cancelled.
    private var temporary: File?
    /// Shows that the new file has a writer. It locks through a descriptor of its own, since ``temporary`` is closed before the lock is released.
    private var lock: FileLock?
    /// The bytes after the first `flushedCount`, which are already in the file.
    var buffer: [UInt8] = []
    var flushedCount: Int64 = 0

    /// Creates the new, empty file in the directory of `path`, which need not exist itself.
    ///
    /// - Parameters:
    ///   - mode: The permission bits of the new file. By default those of the replaced file, or else `0o666` less the process's umask.
    ///   - bufferSize: How much is buffered in memory before it is written.
    /// - Throws: ``FileError``: `notFound` if the directory is missing, `isDirectory`, `permissionDenied`, `noSpace`...
    package init(
        replacing path: String,
        durability: Durability = .synced,
        mode: UInt32? = nil,
        bufferSize: ByteCount = .kibibytes(64),
        fileSystem: FileSystem = .system
    ) throws(FileError) {
        if let flaw = FileSystem.flaw(in: path) { throw FileError(.invalidPath, "could not replace '\(path)'; \(flaw)") }
        let place = FileSystem.absolute(path)
        let (directory, name) = FileSystem.split(place)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw FileError(.invalidPath, "could not replace \(path): it does not end with a file name")
        }
        let former = try Self.mode(of: path, in: fileSystem)
        let mode = mode ?? former
        self.path = path
        self.place = place
        self.fileSystem = fileSystem
        self.durability = durability
        self.directory = directory
        self.bufferSize = Int(clamping: max(bufferSize.bytes, 1))

        // Others cannot read it until it has its mode. The name has 128 random bits, and `exclusive` refuses planted files.
        Self.removeAbandoned(in: directory, fileSystem)
        let temporary: File
        do throws(FileError) {
            (temporary, lock) = try Self.makeTemporary(in: directory, mode: mode == nil ? 0o666 : 0o600, fileSystem)
        } catch {
            // The error must not name the temporary file.
            throw error.code == .notFound ? .missingDirectory(of: path, cause: error.cause) : Self.failure(error, path)
        }
        self.temporary = temporary
        if let mode {
            try cancellingOnFailure { () throws(FileError) in
                try temporary.perform("could not set the mode of") { descriptor throws(SystemCallError) in
                    try fileSystem.fchmod(descriptor, mode: mode)
                }
            }
        }
    }

    deinit { cancel() }

    /// The mode of the file to replace, if there is one.
    private static func mode(of path: String, in fileSystem: FileSystem) throws(FileError) -> UInt32? {
        let status: FileStatus
        do throws(SystemCallError) {
            status = try fileSystem.stat(path)
            if status.kind == .directory { throw SystemCallError(call: "stat", errno: Platform.isDirectory) }
        } catch {
            let failure = error.during("could not replace", path)
            if failure.code == .notFound { return nil }
            throw failure
        }
        guard status.kind == .file else {
            // The new file would replace a device such as /dev/null.
            throw FileError(.notSupported, "could not replace \(path): it is a device, a pipe or a socket, not a file")
        }
        return status.mode
    }
}

extension AtomicFileWriter {
    /// Puts the new file in place of the old one and ends this writer.
    ///
    /// - Throws: ``FileError``. The old file is then unchanged, with one exception: if the directory cannot be synced, the new contents are in
    ///   place, and only a power failure can bring back the old ones. The message says so. `closed` on a second call.
    package func finish() throws(FileError) {
        try complete()
        try takePlace()
        guard durability == .synced else { return }
        do throws(SystemCallError) {
            try fileSystem.fsyncDirectory(directory)
        } catch {
            throw error.during("replaced \(path), but could not sync its directory", directory)
        }
    }

    /// Does the slow part of ``finish()``: writes everything to the file, and syncs it to disk. Nothing can be written afterwards.
    package func complete() throws(FileError) {
        let file = try openFile()
        try flush(to: file)
        try cancellingOnFailure { () throws(FileError) in
            if durability != .none { try file.synchronize() }
            try file.close()
        }
    }

    /// Puts the new file in place of the old one, after ``complete()``, and ends this writer; does not sync the directory.
    package func takePlace() throws(FileError) {
        let file = try openFile()
        try cancellingOnFailure { () throws(FileError) in
            try file.rename(to: place)
        }
        temporary = nil
        lock = nil
    }

    /// Removes the new file and leaves the old one unchanged; does nothing after ``finish()`` or an error.
    package func cancel() {
        guard let file = temporary else { return }
        temporary = nil
        buffer = []
        try? file.close()
        // Nothing more can be done about a file that cannot be removed; its name says what it is.
        try? fileSystem.unlink(file.path)
        lock = nil
    }

    func openFile() throws(FileError) -> File {
        guard let temporary else {
            throw FileError(.closed, "could not continue replacing \(path): the writer was already finished or cancelled")
        }
        return temporary
    }

    func cancellingOnFailure(_ body: () throws(FileError) -> Void) throws(FileError) {
        do throws(FileError) { try body() } catch {
            cancel()
            throw Self.failure(error, path)
        }
    }

    /// Names the target, which the caller knows, in addition to the temporary file, which only the system knows.
    private static func failure(_ error: FileError, _ path: String) -> FileError {
        FileError(error.code, "could not replace \(path): \(error.message)", cause: error.cause)
    }
}
