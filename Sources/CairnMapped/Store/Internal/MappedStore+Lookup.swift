import CCairn
import CairnCore
import Synchronization

/// What a look-up found, in two words.
@safe
@usableFromInline
struct FoundValue {
    /// The value itself, if it has at most 8 bytes and does not expire; otherwise its address in the mapping, where it stays until
    /// ``MappedStore/leave()``.
    @usableFromInline let word: UInt64
    /// The fields of the record after its checksum: length of the value (32 bits), length of the key (16), flags (8), type (8). Or one of the two below.
    @usableFromInline let head: UInt64

    @inlinable
    @inline(__always)
    init(word: UInt64, head: UInt64) {
        self.word = word
        self.head = head
    }

    /// There is no value, for certain.
    @usableFromInline static var missing: FoundValue { @inlinable @inline(__always) get { FoundValue(word: 0, head: .max) } }
    /// It is not known whether there is a value: ``MappedStore/read(_:_:)`` finds out.
    @usableFromInline static var unknown: FoundValue { @inlinable @inline(__always) get { FoundValue(word: 0, head: .max - 1) } }

    @usableFromInline var isMissing: Bool { @inlinable @inline(__always) get { head == .max } }
    @usableFromInline var isUnknown: Bool { @inlinable @inline(__always) get { head == .max - 1 } }
    @usableFromInline var isThere: Bool { @inlinable @inline(__always) get { head < .max - 1 } }
    @usableFromInline var count: Int { @inlinable @inline(__always) get { Int(UInt32(truncatingIfNeeded: head)) } }
    @usableFromInline var type: MappedValueType {
        @inlinable @inline(__always) get { MappedValueType(rawValue: UInt8(truncatingIfNeeded: head >> 56)) }
    }
    /// Whether the value has a deadline, or is missing or unknown.
    @usableFromInline var mayExpire: Bool { @inlinable @inline(__always) get { head >> 48 & 2 != 0 } }
    /// Whether the value is in the mapping, and the reader has to leave it.
    @usableFromInline var isLent: Bool { @inlinable @inline(__always) get { count > 8 || mayExpire } }

    /// Lends the bytes of the value.
    @inlinable
    @inline(__always)
    func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        guard isLent else { return try withWord(body) }
        return try unsafe body(RawSpan(_unsafeStart: UnsafeRawPointer(bitPattern: UInt(word)).unsafelyUnwrapped, byteCount: count))
    }

    /// Same as ``withBytes(_:)``, for a value that is not lent.
    @inlinable
    @inline(__always)
    func withWord<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe withUnsafeBytes(of: word) { bytes throws(Failure) in
            try unsafe body(RawSpan(_unsafeStart: bytes.baseAddress.unsafelyUnwrapped, byteCount: count))
        }
    }
}

extension FoundValue {
    /// The value that was found for `key`.
    @inlinable
    @inline(__always)
    func value<Value: MappedValue>(of key: String) throws(MappedStoreError) -> Value {
        do throws(MappedStoreError) {
            return try withBytes { bytes throws(MappedStoreError) in try Value(stored: bytes, as: type) }
        } catch {
            throw error.about(key)
        }
    }
}

/// The short way to a value, for the usual case: the store is not encrypted, the view is current, and the record is intact. It calls no closures,
/// throws nothing and returns in registers: the less code, the more the processor overlaps the cache misses of one look-up with those of the next.
/// If its result is ``FoundValue/unknown``, ``MappedStore/read(_:_:)`` takes the long way.
extension MappedStore {
    /// Looks up a key.
    @inlinable
    @inline(__always)
    func find(_ key: String) -> FoundValue {
        let found = unsafe key.utf8.withContiguousStorageIfAvailable { unsafe find($0.baseAddress, $0.count) } ?? .unknown
        return found.mayExpire ? unlessExpired(found) : found
    }

    /// Looks up a key, whose value may have expired. Its last call is a tail call, and it makes no other.
    @usableFromInline
    func find(_ key: UnsafePointer<UInt8>?, _ count: Int) -> FoundValue {
        let line = cairn_slot_of_this_thread()
        guard line != 0 else { return unsafe findFirst(key, count) }
        unsafe cairn_gate_enter_at(gate.lines, line, 1)
        let index = unsafe current.load(ordering: .sequentiallyConsistent)?._withUnsafeGuaranteedRef { unsafe $0.index }
        let found = unsafe cairn_look_up(key, count, index, gate.lines, line)
        return FoundValue(word: found.value, head: found.head)
    }

    /// Looks up a key on a thread that was never in the gate.
    @inline(never)
    private func findFirst(_ key: UnsafePointer<UInt8>?, _ count: Int) -> FoundValue {
        _ = cairn_take_slot()
        return unsafe find(key, count)
    }

    /// After a value was lent.
    @usableFromInline
    func leave() { gate.leave() }

    /// Counts this thread as a reader that runs the caller's code.
    @usableFromInline
    func enterScope() -> UInt32 { gate.enter(isScope: true) }

    @usableFromInline
    func leaveScope(_ scope: UInt32) { gate.leave(scope, isScope: true) }

    /// Returns the value found; if it has expired, leaves it and returns ``FoundValue/missing``.
    @inline(never)
    @usableFromInline
    func unlessExpired(_ found: FoundValue) -> FoundValue {
        guard isExpired(found) else { return found }
        leave()
        return .missing
    }

    func isExpired(_ found: FoundValue) -> Bool { found.mayExpire && found.isThere && deadline(of: found) <= milliseconds }

    /// The deadline is before the key, which is before the value.
    private func deadline(of found: FoundValue) -> Int64 {
        let keyCount = UInt(UInt16(truncatingIfNeeded: found.head >> 32))
        return unsafe UnsafeRawPointer(bitPattern: UInt(found.word) &- keyCount &- 8)!.loadUnaligned(as: Int64.self)
    }
}
