public import CairnCore

/// All fields of a record, read without the program's types: for tools and verification.
///
/// ```swift
/// let dump = try RecordDump(bytes, types: [1: .string, 2: .integer(bits: 64, isSigned: true)])
/// print(dump.json(names: [1: "artist", 2: "seconds"]))        // {"artist":"Katrina","seconds":298}
/// ```
public struct RecordDump: Hashable, Sendable {
    /// One field of a record.
    public struct Field: Hashable, Sendable {
        /// Its field number in the store.
        public var number: Int
        /// How it is stored.
        public var kind: WireKind
        /// Its value.
        public var value: RecordValue
    }

    /// The fields, in ascending order of their numbers.
    public let fields: [Field]

    /// Reads a record without its header.
    ///
    /// - Parameters:
    ///   - bytes: The record.
    ///   - types: The types of fields, by number. Other fields are read by their kind, as plain numbers or bytes.
    /// - Throws: ``RecordError`` at the first field that is damaged or has another type.
    public init(_ bytes: some ByteSource & ~Escapable, types: [Int: StoredType] = [:]) throws(RecordError) {
        fields = try bytes.withBytes { (bytes) throws(RecordError) in
            var reader = FieldReader(bytes)
            var fields: [Field] = []
            while let (number, kind) = try reader.nextField(after: fields.last?.number ?? 0) {
                do throws(RecordError) {
                    let value = if let type = types[number] { try reader.value(of: type) } else { try reader.value() }
                    fields.append(Field(number: number, kind: kind, value: value))
                } catch {
                    throw error.about(field: number)
                }
            }
            return fields
        }
    }

    /// The record as a JSON object, fields in ascending order of their numbers; ``RecordValue/json`` describes the format of values.
    ///
    /// - Parameter names: The names of fields; those without a name appear by number.
    public func json(names: [Int: String] = [:]) -> String {
        let members = fields.map { "\(JSONText.string(names[$0.number] ?? "\($0.number)")):\($0.value.json)" }
        return "{" + members.joined(separator: ",") + "}"
    }
}
