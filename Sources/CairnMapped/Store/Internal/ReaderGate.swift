import CCairn

/// Counts readers without making them wait for each other: each thread counts on a line of memory of its own, without a locked instruction.
///
/// What readers may still be looking at is put aside, and let go once every line was seen without a reader, after ``fence()``: all who were
/// there before have left by then.
///
/// The child of a fork has none of its parent's threads: there the counts begin anew. Forking within a closure that the store was given,
/// and leaving it in the child, is not provided for.
@safe
final class ReaderGate: @unchecked Sendable {
    private static let size = Int(CAIRN_GATE_LINES * CAIRN_GATE_STRIDE)
    /// A reader that runs code of the caller's counts this much: closing does not wait for it.
    private static let scope: Int64 = 1 << 32

    private let lines: UnsafeMutableRawPointer

    init() {
        unsafe lines = .allocate(byteCount: Self.size, alignment: Int(CAIRN_GATE_STRIDE))
        unsafe lines.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
        unsafe cairn_zero_on_fork(lines, Self.size)
    }

    deinit {
        unsafe cairn_keep_on_fork(lines)
        unsafe lines.deallocate()
    }

    /// Counts a reader; give the result to ``leave(_:)``, on the same thread.
    @inline(__always)
    func enter() -> UInt32 { unsafe cairn_gate_enter(lines, 1) }

    @inline(__always)
    func leave(_ slot: UInt32) { unsafe cairn_gate_leave(lines, slot, 1) }

    /// Counts a reader that runs code of the caller's.
    func enterScope() -> UInt32 { unsafe cairn_gate_enter(lines, Self.scope) }

    func leaveScope(_ slot: UInt32) { unsafe cairn_gate_leave(lines, slot, Self.scope) }

    /// Has all readers be seen who entered before; those who enter afterwards see what was stored before. Returns whether that can be told.
    func fence() -> Bool { cairn_gate_fence() == 0 }

    /// How many readers run code of the caller's, as of the last ``fence()``.
    var scopeCount: Int { (0..<CAIRN_GATE_LINES).reduce(0) { unsafe $0 + Int(cairn_gate_count(lines, $1) / Self.scope) } }

    /// The lines without a reader, as of the last ``fence()``, as bits.
    var idleLines: UInt64 {
        (0..<CAIRN_GATE_LINES).reduce(0) { unsafe cairn_gate_count(lines, $1) == 0 ? $0 | 1 << UInt64($1) : $0 }
    }
}
