import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// The entries of a RocksDB database.
struct RocksEntries: EditedEntries {
    struct Place {
        var family: String
        var key: [UInt8]
    }

    let database: RocksDB

    /// `{"set": {"family": …, "key": …, "value": …}}` or `{"delete": {"family": …, "id": …}}`. Keys and values are text of the types that the
    /// database remembers, `value_hex`, `key_hex` and `id` hexadecimal digits.
    func read(_ edit: JSONTree) throws -> (Place, [UInt8]?) {
        let (name, edit) = try edit.command()
        let family = try edit.text("family")
        guard database.columnFamilyNames.contains(family) else { throw PageFault(.notFound, "There is no such column family.") }
        let shape = EntryShape(family, in: database.path)
        switch name {
        case "set":
            let key = edit["key"] == nil ? try bytes("key_hex", edit) : try shape.key(try edit.text("key"))
            let value = edit["value"] == nil ? try bytes("value_hex", edit) : try shape.value(try edit.text("value"))
            return (Place(family: family, key: key), value)
        case "delete": return (Place(family: family, key: try bytes("id", edit)), nil)
        default: throw PageFault(.badRequest, "A database has no edit '\(name)'.")
        }
    }

    private func bytes(_ name: String, _ edit: JSONTree) throws -> [UInt8] {
        guard let bytes = Hex.bytes(try edit.text(name).utf8) else {
            throw PageFault(.badRequest, "Bytes must be given as hexadecimal digits.")
        }
        return bytes
    }

    func content(at place: Place) throws -> [UInt8]? {
        guard let entity = try database.columnFamily(place.family).entity(for: place.key) else { return nil }
        guard entity.columns.allSatisfy({ $0.name.isEmpty }) else {
            throw PageFault(.conflict, "\(name(of: place)) is an entity with several columns, which the page cannot edit.")
        }
        return entity.columns.first?.value ?? []
    }

    /// Not atomic: a program that writes to the same key between the two calls is not noticed.
    func replace(_ place: Place, _ expected: [UInt8]?, with new: [UInt8]?) throws -> Bool {
        let family = try database.columnFamily(place.family)
        guard try content(at: place) == expected else { return false }
        if let new { try family.put(new, for: place.key) } else { try family.delete(place.key) }
        return true
    }

    func name(of place: Place) -> String {
        let text = String(validating: place.key, as: UTF8.self) ?? String(decoding: Hex.digits(place.key), as: UTF8.self)
        return place.family == "default" ? "'\(text)'" : "'\(text)' of \(place.family)"
    }

    func shown(_ content: [UInt8]?) -> JSONValue { content.map { Shown.bytes($0, limit: Shown.inList) } ?? .null }
}

extension EntryShape {
    /// The whole key that a text stands for.
    fileprivate func key(_ text: String) throws -> [UInt8] {
        guard let keyTypes else { return Array(text.utf8) }
        do { return try keyTypes.bytes(text, isPart: false) } catch let failure as Failure { throw PageFault(.badRequest, failure.message) }
    }

    fileprivate func value(_ text: String) throws -> [UInt8] {
        guard let valueType else { return Array(text.utf8) }
        guard let bytes = valueType.bytes(Array(text.utf8)) else { throw PageFault(.badRequest, "The value is not a valid \(valueType).") }
        return bytes
    }
}
