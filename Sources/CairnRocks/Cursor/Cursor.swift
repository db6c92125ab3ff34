import CRocks
public import CairnCore

/// Moves through a range of entries as of the moment the cursor was made; RocksDB's `Iterator`.
///
/// ```swift
/// var cursor = try db.makeCursor(.prefix("user/"))
/// while let entry = try cursor.next() {
///     print(try entry.key(as: String.self), entry.value.byteCount)
/// }
/// ```
///
/// A new cursor is positioned before the first entry. Every move returns the entry it reaches, or `nil` past either end; from there, moving in the
/// other direction returns to the range. `next` follows the range's direction: over a reversed range it moves to smaller keys.
///
/// A cursor belongs to one thread at a time and cannot be copied; keep it in a variable or in a class. It keeps its database alive, as well as the
/// memory and files that were current when it was made, so do not hold it for long. While it exists, ``RocksDB/close()`` throws
/// ``RocksError/Code/busy``.
@safe public struct Cursor: ~Copyable {
    private var pointer: OpaquePointer?
    // C++ uses objects that these two own.
    private let owner: any CursorOwner
    private let options: ReadOptionsHandle

    init(family: ColumnFamilyHandle, options: ReadOptionsHandle, range: ScanRange) throws(RocksError) {
        try unsafe self.init(family: family, options: options, range: range) { range, cursor in
            unsafe crk_cursor_create(family.pointer, options.pointer, range, &cursor)
        }
    }

    /// Makes a cursor that the shim creates in another way.
    init(
        family: ColumnFamilyHandle,
        options: ReadOptionsHandle,
        range: ScanRange,
        create: (UnsafePointer<crk_range>, inout OpaquePointer?) -> crk_status
    ) throws(RocksError) {
        owner = family
        self.options = options
        unsafe pointer = nil
        try unsafe range.withShimRange { unsafe create($0, &pointer) }.check(family.attempt("making a cursor over"))
    }

    init(file: SSTFileHandle, options: ReadOptionsHandle, range: ScanRange) throws(RocksError) {
        owner = file
        self.options = options
        unsafe pointer = nil
        try unsafe range.withShimRange { unsafe crk_sst_reader_cursor(file.pointer, options.pointer, $0, &pointer) }
            .check(file.attempt("making a cursor over"))
    }

    deinit { if let pointer = unsafe pointer { unsafe crk_cursor_free(pointer) } }

    /// Makes closing the database wait for this cursor, which must be destroyed on this thread before the call that made it returns. Do not use it
    /// where client code runs in between: that code could wait for a thread that waits for the close.
    func lastsForCall() { if let pointer = unsafe pointer { unsafe crk_cursor_lasts_for_call(pointer) } }

    /// Closes the cursor. Every later move throws ``RocksError/Code/closed``. Closing again does nothing.
    public mutating func close() {
        if let pointer = unsafe pointer { unsafe crk_cursor_free(pointer) }
        unsafe pointer = nil
    }

    /// Moves to the next entry of the range; from a position before the range, to its first entry.
    ///
    /// - Returns: The entry, lent until the cursor moves or is destroyed; `nil` past the last entry.
    /// - Throws: ``RocksError/Code/corruption`` or ``RocksError/Code/ioError`` if the data cannot be read; it never returns `nil` for data that
    ///   exists. After an error, only ``first()``, ``last()`` and the seeks can continue.
    @_lifetime(&self)
    public mutating func next() throws(RocksError) -> Entry? {
        let cursor = unsafe try open()
        var key = unsafe crk_bytes()
        var value = unsafe crk_bytes()
        let outcome = unsafe crk_cursor_next(cursor, &key, &value)
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(Entry(key: key.span, value: value.span, cursor: cursor), mutating: &self)
    }

    /// Whether the cursor is at an entry: false before the first move, past either end, after an error and once closed; RocksDB's `Valid`.
    /// If the cursor is over a transaction or batch that has ended, this does not change: the next move, or ``current``, throws.
    public var isValid: Bool { if let pointer = unsafe pointer { unsafe crk_cursor_is_at_entry(pointer) } else { false } }

    /// The entry that the last move has reached, lent until the cursor moves, this property is read again, or the cursor is destroyed;
    /// `nil` if the cursor is not ``isValid``, or if the entry was deleted in the transaction or batch that the cursor is over.
    ///
    /// - Throws: The error of the last move; ``RocksError/Code/closed``.
    public var current: Entry? {
        // A cursor over a transaction may have to look up the entry again.
        @_lifetime(&self)
        mutating get throws(RocksError) {
            let cursor = unsafe try open()
            var key = unsafe crk_bytes()
            var value = unsafe crk_bytes()
            let outcome = unsafe crk_cursor_current(cursor, &key, &value)
            guard outcome == 1 else {
                if outcome < 0 { throw failure() }
                return nil
            }
            return unsafe _overrideLifetime(Entry(key: key.span, value: value.span, cursor: cursor), mutating: &self)
        }
    }

    /// Moves to the previous entry of the range; from a position past the range, to its last entry.
    @_lifetime(&self)
    public mutating func previous() throws(RocksError) -> Entry? { try move(CRK_PREVIOUS) }

    /// Moves to the first entry of the range.
    @_lifetime(&self)
    public mutating func first() throws(RocksError) -> Entry? { try move(CRK_FIRST) }

    /// Moves to the last entry of the range.
    @_lifetime(&self)
    public mutating func last() throws(RocksError) -> Entry? { try move(CRK_LAST) }

    /// Moves to the entry with `key`, or else to the first entry after it in the cursor's direction.
    @_lifetime(&self)
    public mutating func seek(to key: some ByteSource & ~Escapable) throws(RocksError) -> Entry? {
        try seek(key, orBefore: false)
    }

    /// Moves to the entry with `key`, or else to the last entry before it in the cursor's direction (RocksDB's `SeekForPrev`).
    @_lifetime(&self)
    public mutating func seek(toOrBefore key: some ByteSource & ~Escapable) throws(RocksError) -> Entry? {
        try seek(key, orBefore: true)
    }

    /// Same as ``next()``, but does not read the value, which is cheaper if values are large.
    @_lifetime(&self)
    public mutating func nextKey() throws(RocksError) -> RawSpan? {
        let cursor = unsafe try open()
        var key = unsafe crk_bytes()
        let outcome = unsafe crk_cursor_next(cursor, &key, nil)
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(key.span, mutating: &self)
    }

    /// Same as ``previous()``, without reading the value.
    @_lifetime(&self)
    public mutating func previousKey() throws(RocksError) -> RawSpan? { try moveKey(CRK_PREVIOUS) }

    /// Same as ``first()``, without reading the value.
    @_lifetime(&self)
    public mutating func firstKey() throws(RocksError) -> RawSpan? { try moveKey(CRK_FIRST) }

    /// Same as ``last()``, without reading the value.
    @_lifetime(&self)
    public mutating func lastKey() throws(RocksError) -> RawSpan? { try moveKey(CRK_LAST) }

    /// Same as ``seek(to:)``, without reading the value.
    @_lifetime(&self)
    public mutating func seekKey(to key: some ByteSource & ~Escapable) throws(RocksError) -> RawSpan? {
        try seekKey(key, orBefore: false)
    }

    /// Same as ``seek(toOrBefore:)``, without reading the value.
    @_lifetime(&self)
    public mutating func seekKey(toOrBefore key: some ByteSource & ~Escapable) throws(RocksError) -> RawSpan? {
        try seekKey(key, orBefore: true)
    }

    @_lifetime(&self)
    private mutating func moveKey(_ move: crk_move) throws(RocksError) -> RawSpan? {
        let cursor = unsafe try open()
        var key = unsafe crk_bytes()
        let outcome = unsafe crk_cursor_move(cursor, move, &key, nil)
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(key.span, mutating: &self)
    }

    @_lifetime(&self)
    private mutating func seekKey(_ key: some ByteSource & ~Escapable, orBefore: Bool) throws(RocksError) -> RawSpan? {
        let cursor = unsafe try open()
        var found = unsafe crk_bytes()
        let outcome = key.withBytes { key in unsafe key.withShimBytes { unsafe crk_cursor_seek(cursor, $0, orBefore, &found, nil) } }
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(found.span, mutating: &self)
    }

    @inline(__always)
    @_lifetime(&self)
    private mutating func move(_ move: crk_move) throws(RocksError) -> Entry? {
        let cursor = unsafe try open()
        var key = unsafe crk_bytes()
        var value = unsafe crk_bytes()
        let outcome = unsafe crk_cursor_move(cursor, move, &key, &value)
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(Entry(key: key.span, value: value.span, cursor: cursor), mutating: &self)
    }

    @_lifetime(&self)
    private mutating func seek(_ key: some ByteSource & ~Escapable, orBefore: Bool) throws(RocksError) -> Entry? {
        let cursor = unsafe try open()
        var found = unsafe crk_bytes()
        var value = unsafe crk_bytes()
        let outcome = key.withBytes { key in
            unsafe key.withShimBytes { unsafe crk_cursor_seek(cursor, $0, orBefore, &found, &value) }
        }
        guard outcome == 1 else {
            if outcome < 0 { throw failure() }
            return nil
        }
        return unsafe _overrideLifetime(Entry(key: found.span, value: value.span, cursor: cursor), mutating: &self)
    }

    @inline(__always)
    private func open() throws(RocksError) -> OpaquePointer {
        guard let pointer = unsafe pointer else { throw closed() }
        return unsafe pointer
    }

    @inline(never)
    private func closed() -> RocksError {
        RocksError(.closed, owner.attempt("moving a cursor over") + ": the cursor is closed")
    }

    @inline(never)
    private func failure() -> RocksError {
        unsafe crk_cursor_status(pointer!).error(owner.attempt("moving a cursor over"), code: nil)
    }
}

/// The object a cursor iterates over and keeps alive.
protocol CursorOwner: AnyObject {
    /// "reading from column family 'songs' of '/data/music'", for error messages.
    func attempt(_ verb: String) -> String
}

extension ColumnFamilyHandle: CursorOwner {}

extension ScanRange {
    /// Calls `body` with the range in the shim's form.
    func withShimRange(_ body: (UnsafePointer<crk_range>) -> crk_status) -> crk_status {
        // One buffer for all bounds, so that a single pointer serves them all.
        let bounds = [start, end, keys?.lowerBound, keys?.upperBound, prefix]
        let buffer = bounds.flatMap { $0 ?? [] }
        return unsafe buffer.withUnsafeBytes { bytes in
            var offset = 0
            let lent = unsafe bounds.map { bound in
                defer { offset += bound?.count ?? 0 }
                return unsafe crk_bytes(data: bytes.baseAddress.map { unsafe $0 + offset }, size: bound?.count ?? 0)
            }
            var range = unsafe crk_range(
                has_from: bounds[0] != nil,
                has_to: bounds[1] != nil,
                has_lower: bounds[2] != nil,
                has_upper: bounds[3] != nil,
                has_prefix: bounds[4] != nil,
                reversed: isReversed,
                includes_to: includesEnd,
                from: lent[0],
                to: lent[1],
                lower: lent[2],
                upper: lent[3],
                prefix: lent[4]
            )
            return unsafe body(&range)
        }
    }
}
