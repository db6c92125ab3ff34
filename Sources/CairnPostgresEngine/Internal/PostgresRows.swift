import CPostgres
import CairnCore

/// The rows that a statement returned, in PostgreSQL's binary format.
@safe final class PostgresRows {
    private let result: OpaquePointer

    /// Takes the result over.
    init(_ result: OpaquePointer) { unsafe self.result = result }

    deinit { unsafe PQclear(result) }

    var count: Int { Int(unsafe PQntuples(result)) }

    func isNull(_ row: Int, _ column: Int32) -> Bool { unsafe PQgetisnull(result, Int32(row), column) == 1 }

    /// The bytes of a column; empty if it is NULL.
    @_lifetime(borrow self)
    func bytes(_ row: Int, _ column: Int32) -> RawSpan {
        let start = unsafe UnsafeRawPointer(PQgetvalue(result, Int32(row), column))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, Int32(row), column)))
        return unsafe _overrideLifetime(bytes.bytes, borrowing: self)
    }

    func number(_ row: Int, _ column: Int32) -> Int64 { Self.number(bytes(row, column)) }

    /// The elements of a column that contains a one-dimensional array of bytes; `nil` if one of them is NULL, which Cairn does not write.
    func parts(_ row: Int, _ column: Int32) -> [[UInt8]]? {
        let bytes = bytes(row, column)
        guard bytes.byteCount >= 20 else { return [] }
        var parts: [[UInt8]] = []
        var offset = 20
        for _ in 0..<Self.number(bytes.extracting(12..<16)) {
            let start = offset + 4
            guard start <= bytes.byteCount else { return nil }
            // NULL has the size -1.
            let size = Int(Self.number(bytes.extracting(offset..<start)))
            guard size <= bytes.byteCount - start else { return nil }
            offset = start + size
            parts.append([UInt8](copying: bytes.extracting(start..<offset)))
        }
        return parts
    }

    /// A number of 4 or 8 bytes.
    private static func number(_ bytes: RawSpan) -> Int64 {
        var number: UInt64 = 0
        for index in 0..<bytes.byteCount { number = number << 8 | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)) }
        return Int64(bitPattern: number)
    }
}
