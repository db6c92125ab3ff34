import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Finds the process that holds RocksDB's lock on a database, without taking the lock.
enum LockHolder {
    /// The ID of the process that has locked the file at `path`; `nil` if there is none.
    static func process(holding path: String) throws(SystemCallError) -> Int32? {
        let descriptor = try FileSystem.system.open(path, [.read])
        defer { try? FileSystem.system.close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard unsafe fcntl(descriptor, F_GETLK, &lock) == 0 else { throw SystemCallError(call: "fcntl", errno: errno) }
        return lock.l_type == Int16(F_UNLCK) ? nil : lock.l_pid
    }
}
