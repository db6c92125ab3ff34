import CairnCore
public import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedImport {
    /// Reads a property list, binary or XML, whose outermost value is a dictionary, such as that of `UserDefaults`.
    ///
    /// All values keep their types. Nested dictionaries become JSON, to be read as `Codable` values: dates in them are seconds since 2001 and data is
    /// base64, as `JSONDecoder` expects by default. Damaged values of a binary list are left out; the others are read.
    ///
    /// - Throws: `MappedStoreError`: `notFound`, `ioError`, `foreignFile` if the file does not begin like a property list, `malformedInput` if the
    ///   list is damaged as a whole, or is not a dictionary.
    public static func propertyList(path: String) throws(MappedStoreError) -> MappedImport {
        try propertyList(path: path, fileSystem: .system)
    }

    package static func propertyList(path: String, fileSystem: FileSystem) throws(MappedStoreError) -> MappedImport {
        let bytes = try ImportFile.read(path, fileSystem)
        return try MappedStoreError.importing(path) { () throws(MappedStoreError) in try propertyList(bytes: bytes) }
    }

    /// Reads a property list, as ``propertyList(path:)`` does.
    ///
    /// - Throws: Same as ``propertyList(path:)``, except for `notFound` and `ioError`.
    public static func propertyList(bytes: [UInt8]) throws(MappedStoreError) -> MappedImport {
        let node: PropertyListNode
        if bytes.starts(with: BinaryPropertyListReader.magic) {
            node = try BinaryPropertyListReader.parse(bytes)
        } else if bytes.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "<") {
            node = try XMLPropertyListReader.parse(bytes)
        } else {
            throw MappedStoreError(.foreignFile, "this is neither a binary (bplist00) nor an XML property list")
        }
        guard case .dictionary(let members) = node else {
            throw MappedStoreError(.malformedInput, "the property list is not a dictionary of keys and values")
        }
        var result = MappedImport(entries: [])
        result.add(members.map { ($0.name, $0.node) }) { node in node.variant().map { ($0, nil) } }
        let damaged = members.count { if case .damaged = $0.node { true } else { false } }
        if damaged > 0 { result.report.damage = "\(damaged) of \(members.count) values or keys cannot be read" }
        if members.contains(where: { $0.node.losesTypes }) {
            result.report.warnings.append("dates and data in dictionaries became numbers (seconds since 2001) and base64")
        }
        return result
    }
}
