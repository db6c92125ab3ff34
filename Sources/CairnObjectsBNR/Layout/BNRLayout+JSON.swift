import CairnGraph

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BNRLayout {
    /// Reads a layout from JSON, in the form that `docs/formats/bnrpersistence.md` describes.
    ///
    /// ```
    /// {"classes": [
    ///   {"class": "Song", "fields": [
    ///     {"type": "string", "property": "title"},
    ///     {"type": "uint32", "property": "seconds", "as": "int64"}]},
    ///   {"class": "Playlist", "fields": [
    ///     {"type": "string", "property": "title"},
    ///     {"type": "array", "of": "Song", "property": "songs"}]}]}
    /// ```
    ///
    /// - Throws: ``BNRError``: `invalidLayout`, with the place, if it is not JSON, has unknown members, or is invalid.
    public init(json: [UInt8]) throws(BNRError) {
        do { self = try JSONDecoder().decode(Form.self, from: Data(json)).layout() } catch { throw Self.invalid(error) }
        try check()
    }

    private static func invalid(_ error: any Error) -> BNRError {
        if let error = error as? BNRError { return error }
        guard let error = error as? DecodingError else { return BNRError(.invalidLayout, "the layout cannot be read", cause: error) }
        let (context, what): (DecodingError.Context, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "has no member \"\(key.stringValue)\"")
            case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, "does not have the expected type")
            case .dataCorrupted(let context): (context, context.codingPath.isEmpty ? "is not valid JSON" : context.debugDescription)
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "cannot be read")
            }
        let path = context.codingPath.reduce(into: "the layout") { path, key in
            path += key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
        }
        return BNRError(.invalidLayout, "\(path) \(what)")
    }
}

/// A layout in JSON.
private struct Form: Decodable {
    var versioned: Bool?
    var classes: [ClassForm]
    var names: [NameForm]?

    enum CodingKeys: String, CodingKey, CaseIterable { case versioned, classes, names }

    init(from decoder: any Decoder) throws {
        let container = try decoder.onlyContainer(keyedBy: CodingKeys.self)
        versioned = try container.decodeIfPresent(Bool.self, forKey: .versioned)
        classes = try container.decode([ClassForm].self, forKey: .classes)
        names = try container.decodeIfPresent([NameForm].self, forKey: .names)
    }

    func layout() -> BNRLayout {
        BNRLayout(isVersioned: versioned ?? true, classes: classes.map(\.layout), names: names?.map(\.layout) ?? [])
    }
}

private struct ClassForm: Decodable {
    let layout: BNRClassLayout

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name = "class"
        case storedName = "as"
        case number, ignoresRest, fields
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.onlyContainer(keyedBy: CodingKeys.self)
        layout = BNRClassLayout(
            try container.decode(String.self, forKey: .name),
            as: try container.decodeIfPresent(String.self, forKey: .storedName),
            number: try container.byteIfPresent(.number),
            ignoresRest: try container.decodeIfPresent(Bool.self, forKey: .ignoresRest) ?? false,
            fields: try container.decode([FieldForm].self, forKey: .fields).map(\.field)
        )
    }
}

private struct FieldForm: Decodable {
    let field: BNRField

    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, of, property
        case storedType = "as"
        case since, until
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.onlyContainer(keyedBy: CodingKeys.self)
        let since = try container.byteIfPresent(.since) ?? 0
        let until = try container.byteIfPresent(.until) ?? 255
        guard since <= until else {
            throw DecodingError.dataCorruptedError(forKey: .until, in: container, debugDescription: "is before \"since\"")
        }
        field = BNRField(
            try BNRFieldKind(container, type: .type, of: .of),
            try container.decodeIfPresent(String.self, forKey: .property),
            as: try StoredType(container, .storedType),
            versions: since...until
        )
    }
}

private struct NameForm: Decodable {
    let layout: BNRNameLayout

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, prefix, type, of
        case storedType = "as"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.onlyContainer(keyedBy: CodingKeys.self)
        let prefix = try container.decodeIfPresent(String.self, forKey: .prefix)
        if prefix != nil, container.contains(.name) {
            throw DecodingError.dataCorruptedError(forKey: .name, in: container, debugDescription: "cannot be combined with \"prefix\"")
        }
        let names: BNRNameLayout.Names =
            if let prefix { .prefix(prefix) } else { .name(try container.decode(String.self, forKey: .name)) }
        layout = BNRNameLayout(names, try BNRFieldKind(container, type: .type, of: .of), as: try StoredType(container, .storedType))
    }
}

extension Decoder {
    /// A container with only these members. Otherwise, misspelled names would be ignored.
    fileprivate func onlyContainer<Keys: CodingKey & CaseIterable>(keyedBy type: Keys.Type) throws -> KeyedDecodingContainer<Keys> {
        let known = Set(Keys.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "is unknown; the members are: \(known.sorted().joined(separator: ", "))"
                )
            )
        }
        return try container(keyedBy: type)
    }
}

extension KeyedDecodingContainer {
    /// A number of 0 to 255. For any other, `JSONDecoder` says that the JSON is invalid, without the place.
    fileprivate func byteIfPresent(_ key: Key) throws -> UInt8? {
        guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
        guard let byte = UInt8(exactly: number) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "is not a whole number from 0 to 255")
        }
        return byte
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) { nil }
}

extension BNRFieldKind {
    private static let plain: [String: BNRFieldKind] = [
        "uint8": .uint8, "uint32": .uint32, "float32": .float32, "float64": .float64, "string": .string, "data": .data, "date": .date,
        "anyReference": .anyReference, "anyArray": .anyArray,
    ]

    fileprivate init<Keys: CodingKey>(_ container: KeyedDecodingContainer<Keys>, type: Keys, of target: Keys) throws {
        let name = try container.decode(String.self, forKey: type)
        switch name {
        case "reference": self = .reference(of: try container.decode(String.self, forKey: target))
        case "array": self = .array(of: try container.decode(String.self, forKey: target))
        default:
            guard let kind = Self.plain[name] else {
                let names = (Self.plain.keys + ["reference", "array"]).sorted().joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: type,
                    in: container,
                    debugDescription: "is not a field type; the types are: \(names)"
                )
            }
            guard !container.contains(target) else {
                throw DecodingError.dataCorruptedError(
                    forKey: target,
                    in: container,
                    debugDescription: "cannot be combined with \"\(name)\""
                )
            }
            self = kind
        }
    }
}

extension StoredType {
    /// The type that a member names.
    fileprivate init?<Keys: CodingKey>(_ container: KeyedDecodingContainer<Keys>, _ key: Keys) throws {
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let type = try? StoredType(parsing: text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "is not an object store type")
        }
        self = type
    }
}
