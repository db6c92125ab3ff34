import CCairn

/// Counts readers without making them wait for each other: each thread counts on its own cache line, without a locked instruction.
///
/// Objects that readers may still be using are retired, and released once every line has been seen without a reader after ``fence()``: all readers
/// from before have then left.
///
/// The child of a fork has none of its parent's threads, so the counts start from zero there. Forking within a closure passed to the store, and leaving
/// that closure in the child, is not supported.
@safe
final class ReaderGate: @unchecked Sendable {
    private static let size = Int(CAIRN_GATE_LINES * CAIRN_GATE_STRIDE)
    /// A reader that runs the caller's code counts this much: closing does not wait for it.
    private static let scope: Int64 = 1 << 32

    let lines: UnsafeMutableRawPointer

    init() {
        unsafe lines = .allocate(byteCount: Self.size, alignment: Int(CAIRN_GATE_STRIDE))
        unsafe lines.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
        unsafe cairn_zero_on_fork(lines, Self.size)
    }

    deinit {
        unsafe cairn_keep_on_fork(lines)
        unsafe lines.deallocate()
    }

    /// Counts a reader, with `isScope` as one that runs the caller's code; pass the result to ``leave(_:isScope:)``, on the same thread.
    @inline(__always)
    func enter(isScope: Bool = false) -> UInt32 { unsafe cairn_gate_enter(lines, isScope ? Self.scope : 1) }

    /// Subtracts a reader that this thread counted.
    @inline(__always)
    func leave() { unsafe cairn_gate_leave(lines, cairn_slot_of_this_thread(), 1) }

    @inline(__always)
    func leave(_ slot: UInt32, isScope: Bool = false) { unsafe cairn_gate_leave(lines, slot, isScope ? Self.scope : 1) }
    /// Makes all readers that entered before visible; readers that enter afterwards see everything stored before. Returns whether that worked.
    func fence() -> Bool { cairn_gate_fence() == 0 }

    /// The number of readers that run the caller's code, as of the last ``fence()``.
    var scopeCount: Int { (0..<CAIRN_GATE_LINES).reduce(0) { unsafe $0 + Int(cairn_gate_count(lines, $1) / Self.scope) } }

    /// The lines without a reader, as of the last ``fence()``, as bits.
    var idleLines: UInt64 {
        (0..<CAIRN_GATE_LINES).reduce(0) { unsafe cairn_gate_count(lines, $1) == 0 ? $0 | 1 << UInt64($1) : $0 }
    }
}
