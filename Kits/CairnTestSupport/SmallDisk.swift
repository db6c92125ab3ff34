#if os(Linux)
import Foundation

/// A disk that soon fills up: a file system in memory that only the calling thread, and those that it starts, can see.
///
/// On Linux, only privileged users can create one.
public enum SmallDisk {
    /// Whether this user can create one.
    public static let isPossible: Bool = {
        let outcome = Outcome()
        let thread = Thread {
            outcome.isPossible = separate()
            outcome.done.signal()
        }
        thread.start()
        outcome.done.wait()
        return outcome.isPossible
    }()

    /// Mounts an empty disk of `size` bytes over `directory`, for the rest of this thread's life. Use it in separate processes.
    public static func mount(at directory: String, size: Int) {
        precondition(separate(), "no file system may be mounted: \(errno)")
        let result = unsafe directory.withCString { path in unsafe call("tmpfs", path, "tmpfs", 0, "size=\(size)") }
        precondition(result == 0, "no file system can be mounted: \(errno)")
    }

    /// Gives the thread its own mounts from now on.
    private static func separate() -> Bool {
        let (newNamespace, recursivePrivate): (Int32, UInt) = (0x2_0000, 0x4000 | 0x4_0000)
        guard let unshare = unsafe dlsym(nil, "unshare") else { return false }
        guard unsafe unsafeBitCast(unshare, to: (@convention(c) (Int32) -> Int32).self)(newNamespace) == 0 else { return false }
        return unsafe "/".withCString { unsafe call("none", $0, nil, recursivePrivate, nil) } == 0
    }

    private static func call(_ source: String, _ target: UnsafePointer<CChar>, _ type: String?, _ flags: UInt, _ data: String?) -> Int32 {
        typealias Mount =
            @convention(c) (
                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafePointer<CChar>?
            ) -> Int32
        guard let mount = unsafe dlsym(nil, "mount") else { return -1 }
        let function = unsafe unsafeBitCast(mount, to: Mount.self)
        return unsafe source.withCString { source in
            unsafe (type ?? "").withCString { type in
                unsafe (data ?? "").withCString { data in unsafe function(source, target, type, flags, data) }
            }
        }
    }

    private final class Outcome: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        var isPossible = false
    }
}
#endif
