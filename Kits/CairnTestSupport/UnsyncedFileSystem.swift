package import CairnCore

extension FileSystem {
    /// System calls that do not wait for the disk, which takes longer than everything else in most tests.
    package static var unsynced: FileSystem { FileSystem(observer: Unsynced()) }

    /// For tests that are not about durability: waits for the disk only if everything is to run.
    package static var quick: FileSystem { Thorough.isOn ? .system : .unsynced }
}

private final class Unsynced: SystemCallObserver {
    func intercept(_ call: SystemCall, perform: (Int) -> Int) -> Int {
        call.kind == .fsync || call.kind == .msync ? 0 : perform(call.count ?? 0)
    }
}
