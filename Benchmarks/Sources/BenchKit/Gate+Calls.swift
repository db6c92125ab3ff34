import Foundation
import Synchronization

extension Gate {
    /// What each operation of a probe may ask of the kernel.
    public struct Calls: Sendable {
        /// Calls that wait for the disk: exactly so many, as one too few can lose what was to be kept.
        public var syncs: Double
        /// Calls, at most, without those that get or return memory: how many there are depends on how full the heap was before.
        public var all: Double
        /// Bytes written for each byte of keys and values, at most.
        public var written: Double?

        public init(syncs: Double, all: Double, written: Double? = nil) {
            self.syncs = syncs
            self.all = all
            self.written = written
        }
    }

    /// Gates on a probe, which runs once for all of them in a process of its own. It gets the path of a place where nothing is, then `arguments`.
    ///
    /// - Parameters:
    ///   - operations: What it does between ``Count/begin()`` and ``Count/end()``.
    ///   - bytes: The keys and values of one operation.
    public static func calls(
        _ name: String,
        probe: String,
        _ arguments: [String] = [],
        operations: Int,
        bytes: Int = 0,
        limits: Calls,
        because reason: String
    ) -> [Gate] {
        let outcome = Once {
            let folder = try Folder(in: nil)
            defer { folder.remove() }
            return try Count.calls(of: probe, [folder.makePlace()] + arguments)
        }
        let each = Double(operations)
        var gates = [
            Gate("\(name) waits for the disk", exactly: limits.syncs, because: reason) { try outcome.value().syncs / each },
            Gate("\(name) system calls", atMost: limits.all, because: reason) { try outcome.value().all / each },
        ]
        if let written = limits.written {
            let user = each * Double(bytes)
            gates.append(Gate("\(name) bytes written per byte", atMost: written, because: reason) { try outcome.value().written / user })
        }
        return gates
    }
}

extension Gate {
    /// A gate on the instructions of each operation of a probe, which runs in a process of its own. It gets the path of a place where nothing is.
    /// Functions of the C library have more or fewer on other processors, which the limit has to allow for.
    public static func instructions(_ name: String, probe: String, operations: Int, atMost limit: Double, because reason: String) -> Gate {
        Gate("\(name) instructions", atMost: limit, because: reason) {
            let folder = try Folder(in: nil)
            defer { folder.remove() }
            return Double(try Count.instructions(of: probe, [folder.makePlace()])) / Double(operations)
        }
    }
}

/// What is counted once and asked for by several gates.
private final class Once: Sendable {
    private let made = Mutex<Result<Count.Calls, any Error>?>(nil)
    private let make: @Sendable () throws -> Count.Calls

    init(_ make: @escaping @Sendable () throws -> Count.Calls) { self.make = make }

    func value() throws -> Count.Calls {
        try made.withLock { made in
            let result = made ?? Result { try make() }
            made = result
            return try result.get()
        }
    }
}
