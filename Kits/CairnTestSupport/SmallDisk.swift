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

    /// Whether this user can also create one that is ext4, in a file: it needs loop devices, and the programs `mkfs.ext4` and `mount`.
    public static let isExt4Possible: Bool = {
        guard isPossible else { return false }
        let outcome = Outcome()
        let thread = Thread {
            if let directory = try? TemporaryDirectory() {
                outcome.isPossible = makeExt4(at: directory.path, size: 8_000_000)
                if outcome.isPossible { unmount(at: directory.path) }
            }
            outcome.done.signal()
        }
        thread.start()
        outcome.done.wait()
        return outcome.isPossible
    }()

    /// Same as ``mount(at:size:)``, with ext4 instead of a file system in memory: what a call allocates before the disk is full stays allocated.
    public static func mountExt4(at directory: String, size: Int) {
        precondition(makeExt4(at: directory, size: size), "no file system can be mounted: \(errno)")
    }

    /// Undoes a mount, at the latest once no file there is open.
    public static func unmount(at directory: String) {
        guard let unmount = unsafe dlsym(nil, "umount2") else { return }
        let detach: Int32 = 2
        _ = unsafe unsafeBitCast(unmount, to: (@convention(c) (UnsafePointer<CChar>, Int32) -> Int32).self)(directory, detach)
    }

    private static func makeExt4(at directory: String, size: Int) -> Bool {
        guard separate(), let parent = try? TemporaryDirectory(),
            let program = ["/usr/sbin/mkfs.ext4", "/sbin/mkfs.ext4"].first(where: FileManager.default.isExecutableFile)
        else { return false }
        let image = parent.path("disk")
        guard FileManager.default.createFile(atPath: image, contents: nil) else { return false }
        // Only root may take the blocks that are otherwise kept for it.
        let isMade = succeeds(program, ["-q", "-F", "-m", "0", image, "\(size / 1024)k"])
        // The device is released, and with it the file, once nothing is mounted.
        return isMade && succeeds("/bin/mount", ["-t", "ext4", "-o", "loop", image, directory])
    }

    /// Runs a program, which sees the mounts of this thread.
    private static func succeeds(_ program: String, _ arguments: [String]) -> Bool {
        guard let child = try? ChildProcess(program, arguments) else { return false }
        return (try? child.waitForEnd()) == .exited(0)
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
