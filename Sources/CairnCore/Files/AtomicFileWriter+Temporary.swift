import Synchronization

// The new file, until it is put in place: `.cairn-….tmp`, locked by its writer.
extension AtomicFileWriter {
    private static let (prefix, suffix) = (".cairn-", ".tmp")

    /// Creates and locks the new file. If the file system does not support locks, the file has none, and nobody removes it if this process dies.
    static func makeTemporary(
        in directory: String,
        mode: UInt32,
        _ fileSystem: FileSystem
    ) throws(FileError) -> (file: File, lock: FileLock?) {
        while true {
            // 128 random bits, and `exclusive` refuses planted files.
            let path = FileSystem.join(directory, prefix + String(UInt128.random(in: .min ... .max), radix: 36) + suffix)
            let file = try File(path, [.read, .write, .create, .exclusive], mode: mode, fileSystem: fileSystem)
            do throws(FileError) {
                let lock = try lock(path, fileSystem)
                // Before it was locked, another writer may have taken it for an abandoned file.
                if try file.status().linkCount > 0 { return (file, lock) }
            } catch {
                if error.code == .notFound { continue }
                try? file.close()
                try? fileSystem.unlink(path)
                throw error
            }
        }
    }

    private static func lock(_ path: String, _ fileSystem: FileSystem) throws(FileError) -> FileLock? {
        let file = try File(path, [.read], fileSystem: fileSystem)
        do throws(FileError) {
            return try FileLock(file, .shared, waits: true, lastsUntilClosed: true)
        } catch {
            guard let number = error.systemCall?.errno, Platform.meansNoLocks(number) else { throw error }
            return nil
        }
    }

    /// The directories where this process has removed the files of dead processes. Once is enough: its own writers do not die before it.
    private static let cleaned = Mutex<Set<String>>([])

    /// Removes the files of writers that died, once in each directory. Files that cannot be removed stay, such as those of other users.
    static func removeAbandoned(in directory: String, _ fileSystem: FileSystem) {
        guard cleaned.withLock({ $0.insert(directory).inserted }) else { return }
        for name in (try? fileSystem.list(directory)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let path = FileSystem.join(directory, name)
            guard let file = try? File(path, [.read, .write, .noFollow], fileSystem: fileSystem),
                (try? file.status().kind) == .file, let lock = try? FileLock(file, .exclusive)
            else { continue }
            try? fileSystem.unlink(path)
            lock.release()
        }
    }
}
