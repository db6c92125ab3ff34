/// The metadata of a BNRPersistence class, in row 1 of its file: `last row (4), version (1), number (1), salt (8)`, little-endian. Files from before
/// April 2010 have no salt.
public struct BNRMetadata: Hashable, Sendable {
    /// The highest row that was assigned.
    public var lastRow: UInt32
    /// The version of the class.
    public var version: UInt8
    /// The number of the class in references to objects of any class.
    public var number: UInt8
    /// The salt for encrypted objects; `nil` in old files.
    var salt: [UInt8]?

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 14 || bytes.count == 6 else { return nil }
        let bytes = Array(bytes)
        lastRow = UInt32(little: bytes[..<4])
        version = bytes[4]
        number = bytes[5]
        salt = bytes.count == 14 ? Array(bytes[6...]) : nil
    }
}
