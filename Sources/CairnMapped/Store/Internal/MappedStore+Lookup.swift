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
    /// What the record has behind its checksum: length of the value (32 bits), length of the key (16), flags (8), type (8). Or one of the two below.
    @usableFromInline let head: UInt64

    @inlinable
    @inline(__always)
    init(word: UInt64, head: UInt64) {
        self.word = word
        self.head = head
    }

    /// There is no value, for certain.
    @usableFromInline static var missing: UInt64 { @inlinable @inline(__always) get { .max } }
    /// Whether there is a value, ``MappedStore/read(_:_:)`` finds out.
    @usableFromInline static var unknown: UInt64 { @inlinable @inline(__always) get { .max - 1 } }

    @usableFromInline var isThere: Bool { @inlinable @inline(__always) get { head < Self.unknown } }
    @usableFromInline var count: Int { @inlinable @inline(__always) get { Int(UInt32(truncatingIfNeeded: head)) } }
    @usableFromInline var type: MappedValueType {
        @inlinable @inline(__always) get { MappedValueType(rawValue: UInt8(truncatingIfNeeded: head >> 56)) }
    }
    /// Whether the value is in the mapping, and the reader has to leave it.
    @usableFromInline var isLent: Bool { @inlinable @inline(__always) get { count > 8 || head >> 48 & 2 != 0 } }

    /// Lends the bytes of the value.
    @inlinable
    @inline(__always)
    func withBytes<Result, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
        try unsafe withUnsafeBytes(of: word) { here throws(Failure) in
            let start = unsafe isLent ? UnsafeRawPointer(bitPattern: UInt(word))! : here.baseAddress!
            return try unsafe body(RawSpan(_unsafeStart: start, byteCount: count))
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

/// The short way to a value, for what is nearly always so: the store is not encrypted, the view is current, and the record is intact. It calls no
/// closures, throws nothing and returns in registers: the less code, the more the processor overlaps the cache misses of one look-up with those of the
/// next. Where it finds nothing for certain, ``MappedStore/read(_:_:)`` takes the long way.
extension MappedStore {
    /// Looks up a key.
    @inlinable
    @inline(__always)
    func find(_ key: String) -> FoundValue {
        unsafe key.utf8.withContiguousStorageIfAvailable { unsafe find(UnsafeRawBufferPointer($0)) }
            ?? FoundValue(word: 0, head: FoundValue.unknown)
    }

    @usableFromInline
    func find(_ key: UnsafeRawBufferPointer) -> FoundValue {
        let line = gate.enter()
        guard let view = unsafe current.load(ordering: .sequentiallyConsistent) else {
            gate.leave(line)
            return FoundValue(word: 0, head: FoundValue.unknown)
        }
        let found = unsafe cairn_look_up(view._withUnsafeGuaranteedRef { unsafe $0.index }, key.baseAddress, key.count)
        let value = FoundValue(word: found.value, head: found.head)
        guard Self.isUsual(value) else {
            let judged = unsafe unusual(value, view)
            if !judged.isThere { gate.leave(line) }
            return judged
        }
        if !value.isLent { gate.leave(line) }
        return value
    }

    /// After a value was lent.
    @usableFromInline
    func leave() { gate.leave() }

    /// Counts this thread as a reader that runs the caller's code.
    @usableFromInline
    func enterScope() -> UInt32 { gate.enter(isScope: true) }

    @usableFromInline
    func leaveScope(_ scope: UInt32) { gate.leave(scope, isScope: true) }

    /// Whether this is a value that does not expire.
    @inline(__always)
    static func isUsual(_ found: FoundValue) -> Bool { found.head >> 48 & ~UInt64(MappedRecord.Flags.ofTransactions.rawValue) & 0xff == 0 }

    /// There is no value, or it expires, or only the long way shows whether there is one.
    @inline(never)
    func unusual(_ found: FoundValue, _ view: Unmanaged<MappedView>) -> FoundValue {
        var head = FoundValue.unknown
        if found.head != FoundValue.unknown, unsafe view._withUnsafeGuaranteedRef({ $0.region.isIntact }) {
            let flags = MappedRecord.Flags(rawValue: UInt8(truncatingIfNeeded: found.head >> 48))
            if flags.contains(.removed) || (flags.contains(.expires) && deadline(of: found) <= milliseconds) {
                head = FoundValue.missing
            } else if flags.contains(.expires) {
                return found
            }
        }
        return FoundValue(word: 0, head: head)
    }

    /// The deadline is before the key, which is before the value.
    private func deadline(of found: FoundValue) -> Int64 {
        let keyCount = UInt(UInt16(truncatingIfNeeded: found.head >> 32))
        return unsafe UnsafeRawPointer(bitPattern: UInt(found.word) &- keyCount &- 8)!.loadUnaligned(as: Int64.self)
    }
}
