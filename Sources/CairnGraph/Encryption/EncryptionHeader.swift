#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Describes how a store is encrypted; stored unencrypted, as a separate value in JSON.
struct EncryptionHeader: Codable, Equatable, Sendable {
    static let format = 1

    var format = Self.format
    /// Part of the context of all values, so that values of one store are invalid in another.
    var identity = UUID()
    /// The header of the cipher; `nil` while a plain store is being encrypted.
    var cipher: Data?
    /// The unfinished change to another cipher, or to none.
    var change: Change?
    /// Whether the engine's files may still contain data that the last change replaced.
    var holdsFormer: Bool?
    /// Whether they may still contain keys that were replaced or deleted: a former header of the cipher, or the keys of groups.
    var holdsFormerKeys: Bool?

    struct Change: Codable, Equatable, Sendable {
        /// The header of the new cipher; `nil` for none.
        var cipher: Data?
        /// The first key whose value has not been changed.
        var next = Data()
    }

    init(identity: UUID = UUID(), cipher: Data?) {
        self.identity = identity
        self.cipher = cipher
    }

    private struct Beginning: Decodable { var format: Int }

    /// - Parameter name: The store's name in messages.
    init(decoding bytes: [UInt8], _ name: String) throws(ObjectStoreError) {
        let decoder = JSONDecoder()
        if let beginning = try? decoder.decode(Beginning.self, from: Data(bytes)), beginning.format > Self.format {
            throw ObjectStoreError(
                .unsupportedVersion,
                "\(name) is encrypted in format \(beginning.format), but this release supports only up to \(Self.format): a newer release wrote it"
            )
        }
        guard let header = try? decoder.decode(EncryptionHeader.self, from: Data(bytes)) else {
            throw ObjectStoreError(.corruption, "the encryption header of \(name) is damaged; restore it from a backup")
        }
        self = header
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers, flags, bytes and a UUID: encoding cannot fail.
        return (try? Array(encoder.encode(self))) ?? []
    }
}

extension EncryptionHeader {
    /// The keys whose replaced or deleted values may still be in the engine's files.
    var formerRanges: [KeyRange] {
        if holdsFormer == true { return [.all] }
        return holdsFormerKeys == true ? [KeyRange(prefix: Keyspace.encryption), KeyRange(prefix: Keyspace.groups)] : []
    }

    /// The same for the store in an engine, with the keys of groups that were deleted; none for a plain store.
    static func formerRanges(_ view: StoreView, _ name: String) throws(ObjectStoreError) -> [KeyRange] {
        guard let header = try read(view, name) else { return [] }
        var ranges = header.formerRanges
        if try view.contains(Keyspace.formerGroups) { ranges.append(KeyRange(prefix: Keyspace.groups)) }
        return ranges
    }

    /// Reads the header of the store in an engine; `nil` for a plain store.
    static func read(_ view: StoreView, _ name: String) throws(ObjectStoreError) -> EncryptionHeader? {
        let bytes = try view.get(Keyspace.encryption)
        guard let bytes else { return nil }
        return try EncryptionHeader(decoding: bytes, name)
    }
}
