import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// The types of the keys and values to import: those of the command line, or else those that the input names or the database remembers.
struct ImportTypes {
    let given: (key: KeyTypes?, value: ValueType?)
    let remembered: RememberedTypes
    /// Whether keys and values are stored as they are.
    let isRaw: Bool

    func types(of family: String) -> Types {
        isRaw ? Types() : Types(key: given.key ?? remembered.keyTypes(of: family), value: given.value ?? remembered.valueType(of: family))
    }

    /// The types of the table `family`, for which the input names the given types.
    func types(of family: String, keyType: String?, valueType: String?) throws -> Types {
        var types = types(of: family)
        guard !isRaw else { return types }
        if given.key == nil, let keyType {
            guard let named = KeyTypes(argument: keyType) else { throw unknown(keyType) }
            if let known = types.key, known != named { throw mismatch("keys of type \(named)", known, family) }
            types.key = named
        }
        if given.value == nil, let valueType {
            guard let named = ValueType(valueType) else { throw unknown(valueType) }
            if let known = types.value, known != named { throw mismatch("values of type \(named)", known, family) }
            types.value = named
        }
        return types
    }

    private func unknown(_ name: String) -> Failure {
        Failure(.file, "The input names the type '\(name)', which this version of the tool does not know.")
    }

    private func mismatch(_ what: String, _ known: some CustomStringConvertible, _ family: String) -> Failure {
        Failure(.file, "The input has \(what); those of column family '\(family)' are of type \(known).")
    }

    struct Types {
        var key: KeyTypes?
        var value: ValueType?

        /// What to store for a record.
        func entry(of record: Record) throws -> (key: [UInt8], value: [UInt8]) { (try key(of: record), try value(of: record)) }

        private func key(of record: Record) throws -> [UInt8] {
            switch (record.keyForm, key) {
            case (.digits, _), (.text, nil): record.key
            case (.text, let types?): try types.bytes(String(decoding: record.key, as: UTF8.self), isPart: false)
            case (.json, let types?): try types.bytes(json: record.key)
            case (.json, nil): throw Failure(.file, "The field 'key' is not a string.")
            }
        }

        private func value(of record: Record) throws -> [UInt8] {
            guard let value, record.valueForm != .digits else { return record.value }
            guard let bytes = value.bytes(record.value) else {
                let text = record.value.count > 40 ? "The value" : "'\(EscapedText.string(record.value))'"
                throw Failure(.file, "\(text) is not a valid value of type \(value).")
            }
            return bytes
        }
    }
}
