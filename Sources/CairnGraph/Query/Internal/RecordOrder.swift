import CairnCore

/// Makes the sort keys of records. For a single thread.
final class RecordOrder {
    private enum Part {
        case field(Int, FieldForm)
        case path(Int, any TargetKeys)
    }

    private let parts: [Part]
    private let form: SortKeyForm
    @exclusivity(unchecked) private var encoder = KeyEncoder(capacity: 64)
    /// The key of the last record, if the properties' keys are not next to each other.
    @exclusivity(unchecked) private var mixed: [UInt8] = []

    /// `nil` if a key needs the object.
    init?(_ order: SortOrder, _ context: ObjectContext, _ stored: StoredClass) throws(ObjectStoreError) {
        guard let schema = stored.schema, !schema.isHandCoded else { return nil }
        var parts: [Part] = []
        for sort in order.sorts {
            if let path = sort.property.path {
                parts.append(.path(path.relationship, try path.makeKeys(context)))
            } else if let index = sort.property.index, sort.property.isValue, let form = sort.property.form() {
                parts.append(.field(index, form))
            } else {
                return nil
            }
        }
        self.parts = parts
        form = SortKeyForm(order.sorts.map(\.isDescending))
    }

    /// Whether keys are made of records only, so that a thread other than the context's can make them.
    var asksRecordsOnly: Bool { parts.allSatisfy { if case .field = $0 { true } else { false } } }

    /// Makes the key of a record; returns `false` if only the object can tell.
    func read(_ record: inout RecordReader) throws(RecordError) -> Bool {
        unsafe encoder.removeAll()
        unsafe mixed.removeAll(keepingCapacity: true)
        for (place, part) in parts.enumerated() {
            let start = unsafe encoder.bytes.count
            guard try append(part, &record) else { return false }
            if !form.isPlain { unsafe form.append(encoder.bytes[start...], at: place, to: &mixed) }
        }
        return true
    }

    /// A test that fails records whose key comes after another one; `nil` if making their key costs the same, or if skipped fields might be damaged.
    func test(through key: [UInt8]) -> RecordTest? {
        guard parts.count == 1, case .field(let index, let form) = parts[0] else { return nil }
        let spans =
            if self.form.isPlain { KeySpan(lower: [], upper: key + KeySpan.end) } else {
                KeySpan(lower: key.dropLast().map { ~$0 }, upper: KeySpan.end)
            }
        return form.quickTest(index, KeySpans([spans]))
    }

    /// The key made last.
    var key: [UInt8] { unsafe form.isPlain ? encoder.bytes : mixed }

    private func append(_ part: Part, _ record: inout RecordReader) throws(RecordError) -> Bool {
        switch part {
        case .field(let index, let form):
            let tag = record.tag(index)
            guard tag != 0, try record.find(tag) else { return false }
            if record.field.takeNull() {
                guard form.isOptional else { return false }
                unsafe encoder.encodeNull()
                return true
            }
            // A large value is not in the record.
            guard record.field.kind != Wire.references else { return false }
            do throws(RecordError) { unsafe try form.appendKey(&record.field, &encoder) } catch { throw record.failed(error, tag, index) }
            return true
        case .path(let index, let keys):
            let id = try record.readReference(index).id
            guard id.raw != 0 else {
                unsafe encoder.encodeNull()
                return true
            }
            // If the object cannot be read, its owner makes the key: the context records the error, and a substitute is sorted by.
            guard let key = try? keys.key(id) else { return false }
            unsafe encoder.append(encoded: key)
            return true
        }
    }
}
