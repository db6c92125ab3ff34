import CairnCore

extension RecordTest {
    /// A comparison of an integer of at most 64 bits with values.
    final class Integer: Field {
        private let ranges: [ClosedRange<Int64>]

        /// `nil` if the values are not ranges of numbers.
        init?(_ index: Int, _ spans: KeySpans, whenNull: Bool?) {
            guard let ranges = spans.integerRanges else { return nil }
            self.ranges = ranges
            super.init(index, whenNull: whenNull)
        }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            guard field.kind == Wire.varint else { return nil }
            let coded = try field.takeVarint(as: Int64.self)
            let number = Int64(bitPattern: coded >> 1) ^ -Int64(bitPattern: coded & 1)
            for range in ranges where range.contains(number) { return true }
            return false
        }
    }

    /// A comparison of a double or a date with values.
    final class Number: Field {
        private let ranges: [ClosedRange<UInt64>]

        /// `nil` if the values are not ranges of numbers.
        init?(_ index: Int, _ spans: KeySpans, whenNull: Bool?) {
            guard let ranges = spans.numberRanges else { return nil }
            self.ranges = ranges
            super.init(index, whenNull: whenNull)
        }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            guard field.kind == Wire.eight else { return nil }
            let bits: UInt64 = try field.takeFixed(Wire.eight, as: Double.self)
            // As in keys.
            let place = bits >> 63 == 1 ? ~bits : bits | 1 << 63
            for range in ranges where range.contains(place) { return true }
            return false
        }
    }

    /// A comparison of text with values.
    final class Text: Field {
        private let spans: TextSpans

        /// `nil` if their bytes do not decide.
        init?(_ index: Int, _ spans: KeySpans, whenNull: Bool?) {
            guard let texts = spans.textSpans else { return nil }
            self.spans = texts
            super.init(index, whenNull: whenNull)
        }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            guard field.kind == Wire.bytes else { return nil }
            return unsafe spans.contains(try field.takeBytes(as: String.self))
        }
    }

    /// A comparison of a value of any type by its key.
    final class Key: Field {
        private let spans: KeySpans
        private let appendKey: (inout FieldReader, inout KeyEncoder) throws(RecordError) -> Void
        @exclusivity(unchecked) private var encoder = KeyEncoder(capacity: 32)

        init(_ index: Int, _ spans: KeySpans, whenNull: Bool?, _ form: FieldForm) {
            self.spans = spans
            appendKey = form.appendKey
            super.init(index, whenNull: whenNull)
        }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            unsafe encoder.removeAll()
            unsafe try appendKey(&field, &encoder)
            return unsafe spans.contains(encoder.bytes)
        }
    }
}
