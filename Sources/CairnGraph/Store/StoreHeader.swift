#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Describes the store: the first value of the engine, as JSON.
struct StoreHeader: Codable, Equatable, Sendable {
    /// The newest format that this release knows.
    static let newest = chunks
    /// The format of stores with long lists or large values. Others have format 1.
    static let chunks = 2
    static let kind = "cairn objects"

    var kind = Self.kind
    var format = 1
    var identity = UUID()

    init(identity: UUID? = nil) { self.identity = identity ?? UUID() }

    /// The fields that all formats share, so that newer formats are recognized.
    private struct Beginning: Decodable {
        var kind: String
        var format: Int
    }

    /// - Parameter name: The store's name in messages.
    init(decoding bytes: [UInt8], _ name: String) throws(ObjectStoreError) {
        let decoder = JSONDecoder()
        guard let beginning = try? decoder.decode(Beginning.self, from: Data(bytes)), beginning.kind == Self.kind else {
            throw ObjectStoreError(.foreignFile, "\(name) is not an object store")
        }
        guard beginning.format <= Self.newest else {
            throw ObjectStoreError(
                .unsupportedVersion,
                "\(name) has format \(beginning.format), but this release supports only up to \(Self.newest): a newer release wrote it"
            )
        }
        guard let header = try? decoder.decode(StoreHeader.self, from: Data(bytes)) else {
            throw ObjectStoreError(.corruption, "the header of \(name) is damaged")
        }
        self = header
    }

    func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // A string, a number and a UUID: encoding cannot fail.
        return (try? Array(encoder.encode(self))) ?? []
    }
}
