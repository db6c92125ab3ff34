import CairnCore

/// Reads the text of a property from records, in the form in which it is searched. Makes an object only if the record doesn't contain the
/// text as such: it is coded by hand, or a default. Records of older versions of the class have no text yet, as they have no index entries.
struct TextReader {
    private let stored: StoredClass
    private let place: Int
    private var normalizer = TextNormalizer()

    /// - Parameter place: The property's index in the Swift class.
    init(_ stored: StoredClass, _ place: Int) {
        self.stored = stored
        self.place = place
    }

    /// The form of the text read last.
    var form: [UInt8] { normalizer.bytes }

    /// - Parameter view: Where a large text is.
    mutating func read(_ record: RawSpan, _ id: ObjectID, _ view: StoreView) throws(RecordError) {
        let header = try ObjectRecord.header(record)
        guard header.version >= stored.version else { return normalizer.normalize("") }
        if stored.entry.isHandCoded != true {
            let fields = stored.fields
            let rest = record.extracting(droppingFirst: header.size)
            var reader = RecordReader(bytes: rest, fields: fields, version: header.version)
            if try reader.find(fields.tag(at: place)) {
                if reader.field.kind == Wire.bytes {
                    return unsafe try take(RawSpan(_unsafeBytes: reader.field.takeBytes(as: String.self)))
                }
                if reader.field.kind == Wire.references { return try readLarge(record, id, view) }
            }
        }
        guard let schema = stored.schema else { return normalizer.normalize("") }
        let object = schema.type.init(_$fault: ())
        object._$state.flags = []
        _ = try ObjectRecord.read(record, into: object, stored.fields)
        normalizer.normalize(schema.properties[place].text?(object) ?? "")
    }

    private mutating func take(_ text: RawSpan) throws(RecordError) {
        unsafe text.withUnsafeBytes { unsafe normalizer.normalize(Span(_unsafeBytes: $0)) }
        guard normalizer.isWellFormed else {
            throw RecordError.malformed("a text is not UTF-8").about(field: stored.fields[place], index: place)
        }
    }

    private mutating func readLarge(_ record: RawSpan, _ id: ObjectID, _ view: StoreView) throws(RecordError) {
        let number = stored.fields[place]
        guard let value = try LargeValue.all(record)[UInt64(number)] else {
            throw RecordError.mismatch(Wire.references, "a text").about(field: number, index: place)
        }
        let found: Result<[UInt8], RecordError>
        do throws(ObjectStoreError) {
            found = try StoreReading.record(of: value, id, UInt16(truncatingIfNeeded: number), in: view)
        } catch {
            throw RecordError(.failed, error.message, cause: error).about(field: number, index: place)
        }
        let bytes = try found.get()
        unsafe try take(bytes.span.bytes.extracting(last: value.size))
    }
}
