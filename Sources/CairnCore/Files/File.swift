import Synchronization

/// An open file: whole reads and writes at offsets, and errors that name the path.
///
/// Reads and writes may be called from any thread at once and block until done. The descriptor is closed by ``close()`` or with the last
/// reference.
package final class File: Sendable {
    /// The path given, for messages; the file may have been renamed since.
    package let path: String
    /// Where this file's calls go.
    package let fileSystem: FileSystem
    /// -1 after `close`.
    private let openDescriptor: Atomic<Int32>

    /// Opens `path`.
    ///
    /// - Parameter mode: of a new file, less the process's mask.
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
            throw error.during(options.contains(.create) ? "could not create or open" : "could not open", path)
        }
        self.path = path
        self.fileSystem = fileSystem
    }

    deinit {
        // An error here has no one to hear it: what must be on the disk is synced before.
        try? close()
    }

    /// Closes the file; repeated calls do nothing. No other call on this file may be under way.
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
        guard descriptor >= 0 else { throw FileError(.closed, "\(attempt()) \(path): it was closed before") }
        do throws(SystemCallError) { return try body(descriptor) } catch { throw error.during(attempt(), path) }
    }
}

extension File {
    /// Size, identity and mode, as they are now.
    package func status() throws(FileError) -> FileStatus {
        try perform("could not examine") { descriptor throws(SystemCallError) in try fileSystem.fstat(descriptor) }
    }

    /// Sets the permission bits, such as `0o644`.
    package func setMode(_ mode: UInt32) throws(FileError) {
        try perform("could not set the mode of") { descriptor throws(SystemCallError) in try fileSystem.fchmod(descriptor, mode: mode) }
    }

    /// Cuts the file, or extends it with zeros that take no space on the disk yet: see ``reserve(_:)``.
    package func truncate(to size: Int64) throws(FileError) {
        try perform("could not set the size to \(size) of") { descriptor throws(SystemCallError) in
            try fileSystem.ftruncate(descriptor, to: size)
        }
    }

    /// Extends the file to `size` bytes at least and takes the space on the disk, so that no later write there, through a mapping
    /// or not, finds the disk full. Never cuts.
    ///
    /// - Throws: ``FileError``: `noSpace`, `tooLarge`.
    package func reserve(_ size: Int64) throws(FileError) {
        try perform("could not reserve \(size) bytes for") { descriptor throws(SystemCallError) in
            try fileSystem.reserve(descriptor, size: size)
        }
    }

    /// Gives the file another name, in one step, in place of what has that name. ``path`` stays what it was.
    package func rename(to other: String) throws(FileError) {
        do throws(SystemCallError) { try fileSystem.rename(path, to: other) } catch {
            throw error.during("could not rename \(path) to", other)
        }
    }

    /// Has the disk confirm contents and size; the file's name needs a sync of its directory too.
    ///
    /// After an error, what was written since the last sync is in doubt, whatever later calls return.
    package func synchronize() throws(FileError) {
        try perform("could not sync") { descriptor throws(SystemCallError) in try fileSystem.fsync(descriptor) }
    }
}
