import CRocks
import CairnCore

/// How `merge` combines an operand with the stored value; RocksDB's `MergeOperator`.
///
/// A merge is a write without a read: RocksDB keeps the operands and combines them when the key is read, flushed or compacted.
///
/// ```swift
/// let add = MergeOperator(name: "example.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in (sum ?? 0) + n }
/// let plays = TableDefinition("plays", key: String.self, value: Int.self, codec: .littleEndian, options: .init(mergeOperator: add))
/// ```
///
/// ``init(name:keys:values:associative:)`` combines values of a type; ``init(name:associative:)`` does the same with bytes, and
/// ``init(name:full:partial:)`` takes operands that are not values.
///
/// The closures run on many threads at once, including RocksDB's own. They must depend only on their arguments and must not call the database. Spans
/// are only valid during the call. Many databases may share a merge operator, and keep it alive while RocksDB refers to it. RocksDB does not check
/// the name when a database is reopened: a different operator is applied to the old operands.
public final class MergeOperator: Sendable {
    /// The name that is written to the options file.
    public let name: String
    let handle: ObjectHandle
    private let isBuiltIn: Bool

    /// Creates an associative operator: operands are of the same kind as values, and may be combined with each other in groups, in order.
    ///
    /// - Parameters:
    ///   - name: The name that is written to the options file; opening throws ``RocksError/Code/invalidArgument`` if it contains `;`, `{`, `}`,
    ///     `=` or line breaks.
    ///   - merge: Receives the key, the value so far (`nil` if there is none) and one operand, and returns the new value. `nil` means failure:
    ///     reads of the key then throw ``RocksError/Code/corruption`` until it is overwritten.
    public convenience init(
        name: String,
        associative merge: @escaping @Sendable (_ key: RawSpan, _ existing: RawSpan?, _ operand: RawSpan) -> [UInt8]?
    ) {
        self.init(
            name: name,
            full: { key, existing, operands in operands.reduce(key: key, from: existing, merge) },
            partial: { key, operands in operands.reduce(key: key, from: nil, merge) }
        )
    }

    /// Creates an operator whose operands are of another kind than its values.
    ///
    /// - Parameters:
    ///   - name: The name that is written to the options file; opening throws ``RocksError/Code/invalidArgument`` if it contains `;`, `{`, `}`,
    ///     `=` or line breaks.
    ///   - full: Receives the key, the stored value (`nil` if there is none) and the operands, oldest first, and returns the new value. `nil`
    ///     means failure: reads of the key then throw ``RocksError/Code/corruption`` until it is overwritten.
    ///   - partial: Combines adjacent operands, oldest first, into one; returns `nil` if they cannot be combined yet, which is not a failure.
    ///     Omit it if operands never combine.
    public init(
        name: String,
        full: @escaping Full,
        partial: Partial? = nil
    ) {
        self.name = name
        self.handle = ObjectHandle(mergeOperatorNamed: name, body: MergeBody(full: full, partial: partial))
        self.isBuiltIn = false
    }

    /// Merges operands into the stored value.
    public typealias Full = @Sendable (_ key: RawSpan, _ existing: RawSpan?, _ operands: MergeOperands) -> [UInt8]?
    /// Combines operands.
    public typealias Partial = @Sendable (_ key: RawSpan, _ operands: MergeOperands) -> [UInt8]?

    /// Refuses a name that RocksDB could not read back; names of RocksDB's operators may include settings.
    func checkName() throws(RocksError) {
        if !isBuiltIn { try checkObjectName(name, "merge operator name") }
    }

    /// Creates one of RocksDB's own operators by its name. The known operators have functions: ``addUInt64()``, ``appendText(separator:)``,
    /// ``largest()``, ``last()``, ``xor()``.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` or ``RocksError/Code/invalidArgument`` if the installed library has no operator of that name;
    ///   ``RocksError/Code/invalidArgument`` also for `sortlist`, which ends the process on operands that are not lists of numbers.
    public init(named name: String) throws(RocksError) {
        try checkForZeroByte(in: name, "merge operator name")
        if let reason = OptionRules.refusal(ofMergeOperator: name) {
            throw RocksError(.invalidArgument, "the merge operator '\(name)' is refused: \(reason)")
        }
        var pointer: OpaquePointer?
        try unsafe crk_merge_operator_named(name, &pointer).check("looking up the merge operator '\(name)'")
        self.name = name
        self.handle = unsafe ObjectHandle(owning: pointer!) { unsafe crk_merge_operator_release($0) }
        self.isBuiltIn = true
    }
}

/// The operands of a merge, oldest first, valid only during the call. `[[UInt8]](copying: operands)` returns copies of them.
///
/// ```swift
/// let longest = MergeOperator(name: "example.longest") { _, existing, operands in
///     var longest: [UInt8] = if let existing { [UInt8](copying: existing) } else { [] }
///     operands.forEach { if $0.byteCount > longest.count { longest = [UInt8](copying: $0) } }
///     return longest
/// }
/// ```
@safe public struct MergeOperands: ~Escapable {
    private let start: UnsafePointer<crk_bytes>
    /// The number of operands; at least one.
    public let count: Int

    @unsafe @_lifetime(immortal)
    init(start: UnsafePointer<crk_bytes>, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// The operand at `index`, which must be in `0..<count`.
    public subscript(index: Int) -> RawSpan {
        @_lifetime(copy self)
        get {
            precondition(index >= 0 && index < count, "operand \(index) is out of bounds: there are \(count) operands")
            return unsafe _overrideLifetime(start[index].span, copying: self)
        }
    }

    /// The positions of the operands.
    public var indices: Range<Int> { 0..<count }

    /// Calls `body` with each operand, oldest first.
    public func forEach<Failure>(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        for index in indices { try body(self[index]) }
    }

    /// Folds the operands one by one onto `existing`, or onto the first of them.
    func reduce(key: RawSpan, from existing: RawSpan?, _ merge: (RawSpan, RawSpan?, RawSpan) -> [UInt8]?) -> [UInt8]? {
        guard var value = merge(key, existing, self[0]) else { return nil }
        for index in 1..<max(count, 1) {
            guard let next = merge(key, value.span.bytesOfUInt8, self[index]) else { return nil }
            value = next
        }
        return value
    }
}

extension [[UInt8]] {
    /// Copies the operands of a merge, oldest first.
    public init(copying operands: borrowing MergeOperands) {
        self.init()
        reserveCapacity(operands.count)
        for index in operands.indices { append([UInt8](copying: operands[index])) }
    }
}
