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

    mutating func read(_ record: UnsafeRawBufferPointer) throws(RecordError) {
        let header = unsafe try ObjectRecord.header(record)
        guard header.version >= stored.version else { return normalizer.normalize("") }
        if stored.entry.isHandCoded != true {
            let fields = stored.fields
            let rest = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: record[header.size...]))
            var reader = RecordReader(bytes: rest, fields: fields, version: header.version)
            if try reader.find(fields.tag(at: place)), reader.field.kind == Wire.bytes {
                let text = unsafe try reader.field.takeBytes(as: String.self)
                unsafe normalizer.normalize(Span(_unsafeBytes: text))
                guard normalizer.isWellFormed else {
                    throw RecordError.malformed("a text is not UTF-8").about(field: fields[place], index: place)
                }
                return
            }
        }
        guard let schema = stored.schema else { return normalizer.normalize("") }
        let object = schema.type.init(_$fault: ())
        object._$state.flags = []
        _ = try unsafe ObjectRecord.read(record, into: object, stored.fields)
        normalizer.normalize(schema.properties[place].text?(object) ?? "")
    }
}
