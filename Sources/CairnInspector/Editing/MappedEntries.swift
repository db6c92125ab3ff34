import CairnCore
import CairnForms
import CairnMapped
import CairnToolKit

/// The entries of a mapped store.
struct MappedEntries: EditedEntries {
    struct Content: Equatable {
        var value: MappedVariant
        /// In milliseconds since 1970.
        var deadline: Int64?

        /// Whether they are stored alike: NaN equals itself, and texts with different scalars differ.
        static func == (one: Content, other: Content) -> Bool {
            one.deadline == other.deadline && one.value.type == other.value.type && one.bytes == other.bytes
        }

        private var bytes: [UInt8] {
            (try? value.withStoredBytes { bytes, _ in [UInt8](copying: bytes) }) ?? []
        }
    }

    let store: MappedStore

    /// `{"set": {"key": …, "type": …, "text": …}}` or `{"delete": {"key": …}}`. A value that expires keeps its date.
    func read(_ edit: JSONTree) throws -> (String, Content?) {
        let (name, edit) = try edit.command()
        let key = try edit.text("key")
        guard name == "set" else {
            guard name == "delete" else { throw PageFault(.badRequest, "A mapped store has no edit '\(name)'.") }
            return (key, nil)
        }
        let text = try edit.text("text")
        guard let type = MappedTypeName(rawValue: try edit.text("type")) else { throw PageFault(.badRequest, "There is no such type.") }
        let bytes: [UInt8]
        if type == .bytes {
            guard let digits = Hex.bytes(text.utf8) else { throw PageFault(.badRequest, "Bytes must be given as hexadecimal digits.") }
            bytes = digits
        } else {
            bytes = Array(text.utf8)
        }
        guard let value = type.value(bytes) else { throw PageFault(.badRequest, "The value \(type.refusal).") }
        return (key, Content(value: value, deadline: try store.deadline(of: key)))
    }

    func content(at key: String) throws -> Content? {
        try store.get(key, as: MappedVariant.self).map { Content(value: $0, deadline: try store.deadline(of: key)) }
    }

    func replace(_ key: String, _ expected: Content?, with new: Content?) throws -> Bool {
        try store.transaction { changes in
            let found = try changes.get(key, as: MappedVariant.self).map { Content(value: $0, deadline: try store.deadline(of: key)) }
            guard found == expected else { return false }
            if let new {
                try changes.set(new.value, for: key, deadline: new.deadline)
            } else {
                changes.remove(key)
            }
            return true
        }
    }

    func isGone(_ content: Content) -> Bool { content.deadline.map { $0 <= store.milliseconds } ?? false }

    func name(of key: String) -> String { "'\(key)'" }

    func shown(_ content: Content?) -> JSONValue {
        switch content?.value {
        case nil: .null
        case .bytes(let bytes)?, .other(_, let bytes)?: Shown.bytes(bytes, limit: Shown.inList)
        case let value?: Shown.text("\(value.type): " + String(decoding: MappedText.bytes(value), as: UTF8.self), limit: Shown.inList)
        }
    }
}
