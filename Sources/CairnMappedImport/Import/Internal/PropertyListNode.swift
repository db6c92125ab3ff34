import CairnCore
import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value of a property list.
///
/// Foundation's decoder is not used: it does not distinguish `1` from `1.0`, and traps on damaged lists.
enum PropertyListNode {
    case bool(Bool)
    case int(Int128)
    case float(Float)
    case double(Double)
    case string(String)
    case data([UInt8])
    case date(Date)
    case array([PropertyListNode])
    case dictionary([Member])
    /// The reference that keyed archives use for their objects.
    case uid(UInt64)
    /// Why the value could not be read.
    case damaged(String)

    /// Values nested more deeply than this are rejected.
    static let deepest = 512

    struct Member {
        var name: String
        var node: PropertyListNode
    }
}

extension PropertyListNode {
    /// The value in the form the store keeps. Dictionaries become JSON, as `JSONEncoder` would write them.
    func variant() -> Result<MappedVariant, MappedImport.LeftOut> {
        switch self {
        case .bool(let value): return .success(.bool(value))
        case .int(let value): return .success(.int(value))
        case .float(let value): return .success(.float(value))
        case .double(let value): return .success(.double(value))
        case .string(let text): return .success(.string(text))
        case .data(let bytes): return .success(.bytes(bytes))
        case .date(let date): return .success(.date(date))
        case .damaged(let reason): return .failure(.init(reason))
        case .array(let elements):
            var variants: [MappedVariant] = []
            for element in elements {
                switch element.variant() {
                case .success(let variant): variants.append(variant)
                case .failure(let failure): return .failure(failure)
                }
            }
            return .success(.array(variants))
        case .dictionary, .uid: return json().map { .json($0) }
        }
    }

    private func json() -> Result<String, MappedImport.LeftOut> {
        switch self {
        case .bool(let value): return .success("\(value)")
        case .int(let value): return .success("\(value)")
        case .float(let value): return Self.json(value)
        case .double(let value): return Self.json(value)
        case .string(let text): return .success(JSONText.string(text))
        case .data(let bytes): return .success(JSONWriter.base64(bytes))
        case .date(let date): return Self.json(date.timeIntervalSinceReferenceDate)
        case .uid(let number): return .success(JSONWriter.object([("CF$UID", "\(number)")]))
        case .damaged(let reason): return .failure(.init(reason))
        case .array(let elements): return Self.json(elements).map { JSONWriter.array($0) }
        case .dictionary(let members):
            // Sorted, so that equal values have equal bytes.
            let members = members.sorted { $0.name < $1.name }
            return Self.json(members.map(\.node)).map { texts in
                JSONWriter.object(zip(members, texts).map { ($0.name, $1) })
            }
        }
    }

    private static func json(_ nodes: [PropertyListNode]) -> Result<[String], MappedImport.LeftOut> {
        Result { () throws(MappedImport.LeftOut) in
            var texts: [String] = []
            for node in nodes { texts.append(try node.json().get()) }
            return texts
        }
    }

    private static func json(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> Result<String, MappedImport.LeftOut> {
        number.isFinite ? .success("\(number)") : .failure(.init("a dictionary contains a number that JSON cannot represent: \(number)"))
    }

    /// Whether something loses its type: a date or data in a dictionary.
    var losesTypes: Bool {
        switch self {
        case .array(let elements): elements.contains { $0.losesTypes }
        case .dictionary(let members): members.contains { $0.node.isForeignToJSON }
        default: false
        }
    }

    private var isForeignToJSON: Bool {
        switch self {
        case .date, .data: true
        case .array(let elements): elements.contains { $0.isForeignToJSON }
        case .dictionary(let members): members.contains { $0.node.isForeignToJSON }
        default: false
        }
    }
}
