#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A lock on a file that keeps out other processes, and other locks in this process. It is advisory: it only stops code that asks for a lock.
///
/// The lock is held until ``release()``, the deinitialization of this object, or the death of the process, however it dies. A child process does
/// not inherit it across `exec`, but does share it after a bare `fork`.
///
/// Linux uses open file description locks, which work on NFS; other platforms use `flock`. A lock belongs to the open file, so two locks through
/// the same ``File`` never conflict; the second replaces the first. A rename over a locked file removes the file and its lock with it.
///
/// Any thread may call.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Any number of shared locks may be held at once. The file must be open for reading.
        case shared
        /// No other lock may be held. The file must be open for writing.
        case exclusive
    }

    /// The part of the file to lock. With `flock`, it is always the whole file.
    package enum Part: Sendable { case whole, firstByte, rest }

    private let file: File
    private let lastsUntilClosed: Bool

    /// Locks `file`, and keeps it open.
    ///
    /// - Parameters:
    ///   - part: What to lock. Conflicts only with locks that have bytes in common with it.
    ///   - waits: Whether to block while there is a conflicting lock, for as long as that takes.
    ///   - lastsUntilClosed: Whether the lock outlives this object until the file is closed: after a fork, until the last of the processes closes it.
    ///     Otherwise, the first of them would release the lock for the others.
    /// - Throws: ``FileError``: `locked` if there is a conflicting lock and `waits` is false.
    package init(
        _ file: File,
        _ mode: Mode,
        _ part: Part = .whole,
        waits: Bool = false,
        lastsUntilClosed: Bool = false
    ) throws(FileError) {
        try file.perform("could not lock") { descriptor throws(SystemCallError) in
            try file.fileSystem.lock(descriptor, part, exclusive: mode == .exclusive, waits: waits)
        }
        self.file = file
        self.lastsUntilClosed = lastsUntilClosed
    }

    /// Locks the file at `path`. Creates an empty file if it does not exist, and leaves it in place afterwards.
    ///
    /// - Parameter permissions: The permission bits of the file; `nil` for `0o666` less the process's umask, for a new one.
    /// - Throws: ``FileError``: `invalidPath` for a symbolic link, `permissionDenied` for a file that somebody else may have put there to make users
    ///   wait: one that is not regular, that has another name too, or that belongs to another user and is in a directory that everybody may write to.
    package convenience init(
        path: String,
        _ mode: Mode,
        permissions: UInt32? = nil,
        waits: Bool = false,
        fileSystem: FileSystem = .system
    ) throws(FileError) {
        let file = try File(path, [.read, .write, .create, .noFollow], mode: permissions ?? 0o666, fileSystem: fileSystem)
        let status = try file.status()
        guard status.kind == .file else { throw FileError(.permissionDenied, "could not lock \(path): it is not a regular file") }
        guard status.linkCount <= 1 else { throw FileError(.permissionDenied, "could not lock \(path): it has another hard link") }
        if status.isOwn {
            if let permissions, status.mode != permissions { try file.setMode(permissions) }
        } else if status.owner != 0, (try? fileSystem.stat(FileSystem.split(path).directory).mode & 0o002) != 0 {
            throw FileError(
                .permissionDenied,
                "could not lock \(path): it belongs to another user, in a world-writable directory"
            )
        }
        try self.init(file, mode, waits: waits)
    }

    /// Locks `file`, waiting at most `limit`. No system has a call for that, so this retries, after some time every 20 ms.
    ///
    /// - Throws: ``FileError``: `locked` if there was a conflicting lock the whole time.
    package static func take(
        _ file: File,
        _ mode: Mode,
        _ part: Part = .whole,
        within limit: Duration,
        lastsUntilClosed: Bool = false
    ) throws(FileError) -> FileLock {
        let start = ContinuousClock.now
        var pause: UInt32 = 50
        while true {
            do throws(FileError) {
                return try FileLock(file, mode, part, lastsUntilClosed: lastsUntilClosed)
            } catch {
                guard error.code == .locked, start.duration(to: .now) < limit else { throw error }
            }
            usleep(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    /// Turns an exclusive lock into a shared one. No one can take an exclusive lock in between (except where locks are `flock`s).
    package func share() throws(FileError) {
        try file.perform("could not share the lock of") { descriptor throws(SystemCallError) in
            try file.fileSystem.lock(descriptor, exclusive: false, waits: true)
        }
    }

    /// Turns the part of a shared lock after the first byte into an exclusive one, without waiting; ``share()`` reverts that.
    ///
    /// - Throws: ``FileError``: `locked` if others have locked more than the first byte.
    package func takeRest() throws(FileError) {
        try file.perform("could not lock") { descriptor throws(SystemCallError) in
            try file.fileSystem.lock(descriptor, .rest, exclusive: true, waits: false)
        }
    }

    deinit { if !lastsUntilClosed { release() } }

    /// Releases the lock; repeated calls do nothing.
    package func release() {
        // Fails only if the file was closed, which released the lock.
        try? file.perform("could not unlock") { descriptor throws(SystemCallError) in try file.fileSystem.unlock(descriptor) }
    }
}
