#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a BNRPersistence object, read in the order in which they were written: a `BNRDataBuffer` that cannot be read past its end.
///
/// ```swift
/// let title = try buffer.readString()
/// let seconds = try buffer.readUInt32()
/// let playlist = try buffer.readObjectReference(ofClass: "Playlist")
/// ```
///
/// The names are those of `BNRDataBuffer`. A call that throws does not change the position.
public struct BNRBuffer: Sendable {
    /// The version of the class that wrote the object; `nil` in stores without versions (`usesPerInstanceVersioning` was `NO`), and in named buffers.
    public let version: UInt8?
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    /// Reads `bytes`, which follow the version.
    public init(_ bytes: [UInt8], version: UInt8? = nil) { self.init(bytes[...], version: version) }

    /// Reads a part of an array without copying it.
    public init(_ bytes: ArraySlice<UInt8>, version: UInt8? = nil) {
        self.bytes = bytes
        self.version = version
        position = bytes.startIndex
    }

    /// The number of bytes that have not been read.
    public var remainingCount: Int { bytes.endIndex - position }

    /// - Throws: ``BNRError``: `malformedRecord` if there are not enough bytes, as for all other methods.
    public mutating func readUInt8() throws(BNRError) -> UInt8 { UInt8(truncatingIfNeeded: try little(1, "a UInt8")) }

    public mutating func readUInt32() throws(BNRError) -> UInt32 { try little(4, "a UInt32") }

    public mutating func readFloat32() throws(BNRError) -> Float {
        Float(bitPattern: UInt32(truncatingIfNeeded: try big(4, "a Float32")))
    }

    public mutating func readFloat64() throws(BNRError) -> Double { Double(bitPattern: try big(8, "a Float64")) }

    /// Text. `nil` was written as an empty string.
    ///
    /// - Throws: Also if it is not UTF-8.
    public mutating func readString() throws(BNRError) -> String {
        let start = position
        let bytes = try counted("a string")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            position = start
            throw malformed("a string at byte \(offset(start)) is not UTF-8")
        }
        return text
    }

    /// Bytes. `nil` was written as empty data.
    public mutating func readData() throws(BNRError) -> [UInt8] { Array(try counted("data")) }

    /// A date; `nil` if `nil` was written, or the first instant of 2001, which looks the same.
    public mutating func readDate() throws(BNRError) -> Date? {
        let seconds = try readFloat64()
        return seconds == 0 ? nil : Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// A reference to an object of a known class; `nil` if there is none.
    public mutating func readObjectReference(ofClass name: String) throws(BNRError) -> BNRReference? {
        let row: UInt32 = try little(4, "a reference")
        return row == 0 ? nil : BNRReference(.name(name), row: row)
    }

    /// A reference that includes the class; `nil` if there is none.
    public mutating func readObjectReferenceOfUnknownClass() throws(BNRError) -> BNRReference? {
        guard remainingCount >= 5 else { throw tooShort(5, "a reference with its class") }
        let number = try readUInt8()
        let row = try readUInt32()
        return row == 0 ? nil : BNRReference(.number(number), row: row)
    }

    /// A list of objects of one class (`readArrayOfClass:usingStore:`). Empty references are skipped, as in BNRPersistence.
    public mutating func readArray(ofClass name: String) throws(BNRError) -> [BNRReference] {
        try list(4) { buffer throws(BNRError) in try buffer.readObjectReference(ofClass: name) }
    }

    /// A list of objects of any class (`readHeteroArrayUsingStore:`).
    public mutating func readHeteroArray() throws(BNRError) -> [BNRReference] {
        try list(5) { buffer throws(BNRError) in try buffer.readObjectReferenceOfUnknownClass() }
    }

    /// All remaining bytes.
    public mutating func readRest() -> [UInt8] {
        defer { position = bytes.endIndex }
        return Array(bytes[position...])
    }

    // MARK: Bytes

    private func offset(_ position: Int) -> Int { position - bytes.startIndex }

    private func malformed(_ what: String) -> BNRError { BNRError(.malformedRecord, what) }

    private func tooShort(_ count: Int, _ what: String) -> BNRError {
        malformed("expected \(what) of \(count) bytes at byte \(offset(position)), but only \(remainingCount) are left")
    }

    private mutating func take(_ count: Int, _ what: String) throws(BNRError) -> ArraySlice<UInt8> {
        guard count <= remainingCount else { throw tooShort(count, what) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func little(_ count: Int, _ what: String) throws(BNRError) -> UInt32 {
        try take(count, what).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func big(_ count: Int, _ what: String) throws(BNRError) -> UInt64 {
        try take(count, what).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func counted(_ what: String) throws(BNRError) -> ArraySlice<UInt8> {
        let start = position
        let count = Int(try little(4, "the size of \(what)"))
        guard count <= remainingCount else {
            defer { position = start }
            throw tooShort(count, what)
        }
        return try take(count, what)
    }

    private mutating func list(
        _ size: Int,
        _ element: (inout BNRBuffer) throws(BNRError) -> BNRReference?
    ) throws(BNRError) -> [BNRReference] {
        let start = position
        let count = Int(try little(4, "the size of a list"))
        guard count <= remainingCount / size else {
            defer { position = start }
            throw tooShort(count * size, "a list of \(count) references")
        }
        var references: [BNRReference] = []
        references.reserveCapacity(count)
        for _ in 0..<count {
            if let reference = try element(&self) { references.append(reference) }
        }
        return references
    }
}

/// A reference to an object.
public struct BNRReference: Hashable, Sendable {
    /// How the class is identified.
    public enum Class: Hashable, Sendable {
        /// By its name, which is the name of its file.
        case name(String)
        /// By its number in the old store.
        case number(UInt8)
    }

    public var target: Class
    public var row: UInt32

    public init(_ target: Class, row: UInt32) {
        self.target = target
        self.row = row
    }
}
