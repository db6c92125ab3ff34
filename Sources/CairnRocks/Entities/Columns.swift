import CRocks
public import CairnCore

/// The columns of an entity, sorted by name, lent by the read that returned them.
@safe public struct Columns: ~Escapable {
    private let start: UnsafePointer<crk_column>?
    /// The number of columns.
    public let count: Int

    @unsafe @_lifetime(immortal)
    init(start: UnsafePointer<crk_column>?, count: Int) {
        unsafe self.start = start
        self.count = count
    }

    /// Returns the name of the column at `index`, which must be in `0..<count`.
    @_lifetime(copy self)
    public func name(at index: Int) -> RawSpan {
        unsafe _overrideLifetime(column(index).name.span, copying: self)
    }

    /// Returns the value of the column at `index`, which must be in `0..<count`.
    @_lifetime(copy self)
    public func value(at index: Int) -> RawSpan {
        unsafe _overrideLifetime(column(index).value.span, copying: self)
    }

    /// The value of the column with the given name, or `nil` if there is none.
    public subscript(name: some ByteSource & ~Escapable) -> RawSpan? {
        @_lifetime(copy self)
        get {
            for index in 0..<count where name.withBytes({ haveSameBytes($0, self.name(at: index)) }) { return value(at: index) }
            return nil
        }
    }

    private func column(_ index: Int) -> crk_column {
        precondition(index >= 0 && index < count, "column \(index) is out of bounds: there are \(count) columns")
        return unsafe start![index]
    }
}

extension Entity {
    /// Creates a copy of `columns`.
    public init(copying columns: borrowing Columns) {
        for index in 0..<columns.count {
            self[columns.name(at: index)] = [UInt8](copying: columns.value(at: index))
        }
    }
}

private func haveSameBytes(_ first: RawSpan, _ second: RawSpan) -> Bool {
    unsafe first.withUnsafeBytes { first in unsafe second.withUnsafeBytes { unsafe first.elementsEqual($0) } }
}
