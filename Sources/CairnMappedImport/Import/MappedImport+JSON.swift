import CairnCore
public import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedImport {
    /// Reads a JSON file that contains one object: each member is a key and its value.
    ///
    /// Numbers without a point or exponent become integers, others `Double`s. Arrays become arrays, or JSON if they contain a `null`. Objects become
    /// JSON unchanged, to be read as `Codable` values. Objects such as `{"type": "date", "value": "2026-03-01T12:30:00Z"}`, as written by
    /// ``MappedExport``, become values of the stated type. A key whose value is `null` is left out.
    ///
    /// - Throws: `MappedStoreError`: `notFound`, `ioError`, `malformedInput` with the line, if the file is not JSON (RFC 8259) or not an object.
    public static func json(path: String) throws(MappedStoreError) -> MappedImport {
        try json(path: path, fileSystem: .system)
    }

    package static func json(path: String, fileSystem: FileSystem) throws(MappedStoreError) -> MappedImport {
        let bytes = try ImportFile.read(path, fileSystem)
        return try MappedStoreError.importing(path) { () throws(MappedStoreError) in try json(bytes: bytes) }
    }

    /// Reads a JSON text, as ``json(path:)`` does.
    ///
    /// - Throws: `MappedStoreError`: `malformedInput`, with the line.
    public static func json(bytes: [UInt8]) throws(MappedStoreError) -> MappedImport {
        guard case .object(let members) = try JSONReader.parse(bytes).value else {
            throw MappedStoreError(.malformedInput, "the JSON is not an object of keys and values")
        }
        var result = MappedImport(entries: [])
        result.add(members.map { ($0.name, $0.node) }) { node in
            guard let (value, expires) = MappedJSONForm.value(node, in: bytes) else { return .failure(LeftOut("the value is null")) }
            return .success((value, expires))
        }
        return result
    }

    /// The reason why a value is left out.
    struct LeftOut: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Adds what `value` returns for the last member of each name.
    mutating func add<Node>(
        _ members: [(name: String, node: Node)],
        _ value: (Node) -> Result<(value: MappedVariant, expires: Date?), LeftOut>
    ) {
        // Compared by bytes: strings that compare equal can be different keys.
        var last: [[UInt8]: Int] = [:]
        for (index, member) in members.enumerated() {
            if last.updateValue(index, forKey: Array(member.name.utf8)) != nil { report.supersededCount += 1 }
        }
        report.recordCount += members.count
        for (index, member) in members.enumerated() where last[Array(member.name.utf8)] == index {
            switch value(member.node) {
            case .success(let found): entries.append(MappedEntry(key: member.name, value: found.value, expires: found.expires))
            case .failure(let failure): report.leftOut.append(.init(key: member.name, reason: failure.reason))
            }
        }
        report.importedCount = entries.count
    }
}
