public import CairnCore

/// All fields of a record, read without the program's types: for tools, and to verify records.
///
/// ```swift
/// let dump = try RecordDump(bytes, types: [1: .string, 2: .integer(bits: 64, isSigned: true)])
/// print(dump.json(names: [1: "artist", 2: "seconds"]))        // {"artist":"Katrina","seconds":298}
/// ```
public struct RecordDump: Hashable, Sendable {
    /// One field of a record.
    public struct Field: Hashable, Sendable {
        /// Its number in the store.
        public var number: Int
        /// How it is stored.
        public var kind: WireKind
        /// What is in it.
        public var value: RecordValue
    }

    /// The fields, by ascending numbers.
    public let fields: [Field]

    /// Reads a record, without what the store puts before it.
    ///
    /// - Parameters:
    ///   - bytes: The record.
    ///   - types: What the fields hold, by number. Others are read by their kind: as numbers or bytes that nothing is known of.
    /// - Throws: ``RecordError`` at the first field that is damaged or not of its type.
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

    /// The record as a JSON object, fields by ascending numbers: ``RecordValue/json`` has the form of values.
    ///
    /// - Parameter names: What to call the fields; those without a name are called by their number.
    public func json(names: [Int: String] = [:]) -> String {
        let members = fields.map { "\(RecordValue.quoted(names[$0.number] ?? "\($0.number)")):\($0.value.json)" }
        return "{" + members.joined(separator: ",") + "}"
    }
}
