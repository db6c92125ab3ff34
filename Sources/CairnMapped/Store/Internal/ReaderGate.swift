import CCairn
import Synchronization

/// Counts readers without making them wait for each other: each thread counts on a line of memory of its own, or nearly so.
///
/// What readers may still be looking at is put aside by ``retire(_:)``, and let go once every line was seen without a reader: all who were
/// there before have left by then.
///
/// The child of a fork has none of its parent's threads: there the counts begin anew. Forking within a closure that the store was given,
/// and leaving it in the child, is not provided for.
@safe
final class ReaderGate: @unchecked Sendable {
    private static let lineCount = 64
    private static let stride = 128
    /// A reader that runs code of the caller's counts this much: closing does not wait for it.
    private static let scope = 1 << 32

    private let lines: UnsafeMutableRawPointer

    init() {
        unsafe lines = .allocate(byteCount: Self.lineCount * Self.stride, alignment: Self.stride)
        for line in 0..<Self.lineCount {
            unsafe (lines + line * Self.stride).assumingMemoryBound(to: Atomic<Int>.self).initialize(to: Atomic(0))
        }
        unsafe cairn_zero_on_fork(lines, Self.lineCount * Self.stride)
    }

    deinit {
        unsafe cairn_keep_on_fork(lines)
        unsafe lines.deallocate()
    }

    @inline(__always)
    private func line(_ number: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        unsafe (lines + number &* Self.stride).assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// Counts a reader; give the result to ``leave(_:)``.
    @inline(__always)
    func enter() -> Int {
        let number = Int(cairn_thread_slot())
        unsafe line(number).pointee.add(1, ordering: .sequentiallyConsistent)
        return number
    }

    @inline(__always)
    func leave(_ number: Int) { unsafe line(number).pointee.subtract(1, ordering: .releasing) }

    /// Counts a reader that runs code of the caller's.
    func enterScope() -> Int {
        let number = Int(cairn_thread_slot())
        unsafe line(number).pointee.add(Self.scope, ordering: .sequentiallyConsistent)
        return number
    }

    func leaveScope(_ number: Int) { unsafe line(number).pointee.subtract(Self.scope, ordering: .releasing) }

    /// How many readers run code of the caller's.
    var scopeCount: Int {
        return (0..<Self.lineCount).reduce(0) { unsafe $0 + line($1).pointee.load(ordering: .sequentiallyConsistent) / Self.scope }
    }

    /// The lines without a reader now, as bits.
    var idleLines: UInt64 {
        var bits: UInt64 = 0
        for number in 0..<Self.lineCount where unsafe line(number).pointee.load(ordering: .sequentiallyConsistent) == 0 {
            bits |= 1 << UInt64(number)
        }
        return bits
    }
}
