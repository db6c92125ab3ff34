/// A lock on a file that keeps other processes, and other locks in this one, away. Advisory: it stops only those who ask for a lock.
///
/// Held until ``release()``, the end of this object, or the death of the process, however it dies. A child process does not inherit it
/// across `exec`, but does share it after a bare `fork`.
///
/// Linux: open file description locks, which work on NFS. Elsewhere: `flock`. A lock belongs to the opened file, so two locks through
/// one ``File`` never conflict; the second takes the place of the first. A file that is renamed over takes its lock away with it.
///
/// Any thread may call.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Any number of shared locks may be held at once. The file must be open for reading.
        case shared
        /// No other lock may be held. The file must be open for writing.
        case exclusive
    }

    private let file: File
    private let lastsUntilClosed: Bool

    /// Locks `file`, and keeps it open.
    ///
    /// - Parameters:
    ///   - waits: Whether to block while another lock is in the way, for as long as that takes.
    ///   - lastsUntilClosed: Whether the end of this object leaves the lock in place until the file is closed. Where the process forks,
    ///     that is until the last of the processes closes it; else the first of them would take the lock from the others.
    /// - Throws: ``FileError``: `locked` where another lock is in the way and `waits` is false.
    package init(_ file: File, _ mode: Mode, waits: Bool = false, lastsUntilClosed: Bool = false) throws(FileError) {
        try file.perform("could not lock") { descriptor throws(SystemCallError) in
            try file.fileSystem.lock(descriptor, exclusive: mode == .exclusive, waits: waits)
        }
        self.file = file
        self.lastsUntilClosed = lastsUntilClosed
    }

    /// Locks the file at `path`, which is made, empty, where it does not exist, and is left in place afterwards.
    package convenience init(path: String, _ mode: Mode, waits: Bool = false, fileSystem: FileSystem = .system) throws(FileError) {
        try self.init(File(path, [.read, .write, .create], fileSystem: fileSystem), mode, waits: waits)
    }

    /// Turns an exclusive lock into a shared one; nobody can take an exclusive one in between (where locks are `flock`s, somebody may).
    package func share() throws(FileError) {
        try file.perform("could not share the lock of") { descriptor throws(SystemCallError) in
            try file.fileSystem.lock(descriptor, exclusive: false, waits: true)
        }
    }

    deinit { if !lastsUntilClosed { release() } }

    /// Gives the lock up; repeated calls do nothing.
    package func release() {
        // Fails only for a file that was closed, which gave up the lock.
        try? file.perform("could not unlock") { descriptor throws(SystemCallError) in try file.fileSystem.unlock(descriptor) }
    }
}
