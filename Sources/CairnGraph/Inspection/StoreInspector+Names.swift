import CairnCore

extension StoreInspector {
    /// A name, and its value.
    public struct Name: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value, read by its kind, because its type is unknown.
        public var value: ObjectDump.Value
        /// The value as stored.
        public var bytes: [UInt8]

        /// Makes a name. The bytes matter only for values; references are taken from `value`.
        public init(name: String, value: ObjectDump.Value, bytes: [UInt8] = []) {
            self.name = name
            self.value = value
            self.bytes = bytes
        }
    }

    /// Calls `body` with each name, sorted by Unicode scalars, until it returns `false`. Unreadable names are passed as errors, and enumeration
    /// continues; where the engine's data is damaged, there is one error for all names from the first to the last damage.
    ///
    /// - Throws: Any error that `body` throws; ``ObjectStoreError``: `ioError`.
    public func forEachName(_ body: (Result<Name, ObjectStoreError>) throws -> Bool) throws {
        var range = KeyRange(prefix: [0x06])
        let (names, failure) = try view.readableEntries(range)
        for (key, bytes) in names where try !body(name(key, bytes)) { return }
        guard let failure else { return }
        let message = "names of \(store.name) cannot be read: \(failure.message)"
        guard try body(.failure(ObjectStoreError(.corruption, message, cause: failure.cause))) else { return }
        // From the other end up to the damage.
        if let last = names.last { range.lowerBound = last.key + [0] }
        for (key, bytes) in try view.readableEntries(range, reverse: true).entries.reversed() where try !body(name(key, bytes)) { return }
    }

    private func name(_ key: [UInt8], _ bytes: [UInt8]) -> Result<Name, ObjectStoreError> {
        let name = String(decoding: key.dropFirst(), as: UTF8.self)
        do throws(RecordError) {
            guard let field = try RecordDump(bytes).fields.first else { throw RecordError.truncated() }
            var value = ObjectDump.Value.value(field.value)
            if field.kind == .reference || field.kind == .references {
                value = try ObjectDump.Value(kind: field.kind, field.value, isDictionary: false) { _ throws(RecordError) in
                    throw RecordError.malformed("it is part of a long list")
                }
            }
            return .success(Name(name: name, value: value, bytes: bytes))
        } catch {
            let message = "the value under a name of \(store.name) cannot be read: \(error.message)"
            return .failure(ObjectStoreError(.corruption, message, userData: "the name \"\(name)\"", cause: error))
        }
    }
}
