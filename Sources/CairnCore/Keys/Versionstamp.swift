/// A 96-bit version that FoundationDB assigns to a transaction: read and written here, never issued.
public struct Versionstamp: Hashable, Sendable {
    /// The version at which the transaction was committed.
    public var commit: UInt64
    /// The order among transactions committed at the same version.
    public var batch: UInt16
    /// The order among writes of one transaction, assigned by its author.
    public var user: UInt16

    /// Creates a versionstamp from its three parts.
    public init(commit: UInt64, batch: UInt16, user: UInt16 = 0) {
        self.commit = commit
        self.batch = batch
        self.user = user
    }

    /// Whether the transaction's part is known. In an incomplete versionstamp it is all ones, so it sorts after every complete one.
    public var isComplete: Bool { commit != .max || batch != .max }
}

extension Versionstamp: Comparable {
    /// Compares by commit, then by batch, then by user order.
    public static func < (left: Versionstamp, right: Versionstamp) -> Bool {
        (left.commit, left.batch, left.user) < (right.commit, right.batch, right.user)
    }
}

extension Versionstamp: KeyCodable {
    /// Appends the 12 bytes.
    public func encode(into encoder: inout KeyEncoder) {
        encoder.bytes.append(KeyTypeCode.versionstamp)
        encoder.appendBigEndian(commit)
        encoder.appendBigEndian(batch)
        encoder.appendBigEndian(user)
    }

    /// Decodes a versionstamp.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        try decoder.take(code: KeyTypeCode.versionstamp)
        commit = try decoder.takeBigEndian(UInt64.self)
        batch = try decoder.takeBigEndian(UInt16.self)
        user = try decoder.takeBigEndian(UInt16.self)
    }
}
