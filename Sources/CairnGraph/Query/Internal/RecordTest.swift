/// A condition compiled to test records: most objects that a query examines are never made.
///
/// For a single thread.
class RecordTest {
    /// Whether it asks records only, so that a thread other than the context's can use it.
    var asksRecordsOnly: Bool { true }

    /// Whether the values of a record meet the condition; `nil` if only the object can tell, such as when the record lacks a property whose declared
    /// default counts.
    func holds(_ record: inout RecordReader) throws(RecordError) -> Bool? { nil }
}

extension RecordTest {
    /// All of several conditions, or any of them.
    final class Several: RecordTest {
        private let tests: [RecordTest]
        private let end: Bool

        /// - Parameter end: The answer of one test that decides: false if all must hold, true if any may.
        init(_ tests: [RecordTest], endsAt end: Bool) {
            self.tests = tests
            self.end = end
        }

        override func holds(_ record: inout RecordReader) throws(RecordError) -> Bool? {
            var isKnown = true
            for test in tests {
                guard let answer = try test.holds(&record) else {
                    isKnown = false
                    continue
                }
                if answer == end { return end }
            }
            return isKnown ? !end : nil
        }

        override var asksRecordsOnly: Bool { tests.allSatisfy(\.asksRecordsOnly) }
    }

    /// The opposite of a condition.
    final class Not: RecordTest {
        private let test: RecordTest

        init(_ test: RecordTest) { self.test = test }

        override func holds(_ record: inout RecordReader) throws(RecordError) -> Bool? { try test.holds(&record).map { !$0 } }
        override var asksRecordsOnly: Bool { test.asksRecordsOnly }
    }

    /// A test of one field.
    class Field: RecordTest {
        private let index: Int
        /// What a null counts as; `nil` if the property cannot be `nil`.
        private let whenNull: Bool?
        /// What a missing field counts as; `nil` if the class decides.
        private let whenMissing: Bool?

        init(_ index: Int, whenNull: Bool?, whenMissing: Bool? = nil) {
            self.index = index
            self.whenNull = whenNull
            self.whenMissing = whenMissing
        }

        final override func holds(_ record: inout RecordReader) throws(RecordError) -> Bool? {
            let tag = record.tag(index)
            guard tag != 0, try record.find(tag) else { return whenMissing }
            do throws(RecordError) {
                let answer: Bool? =
                    if record.field.kind == Wire.references {
                        // A large value is not in the record.
                        nil
                    } else if record.field.takeNull() { whenNull } else { try holds(&record.field) }
                if record.field.kind != Wire.none { try record.field.skip(record.field.kind) }
                return answer
            } catch {
                throw record.failed(error, tag, index)
            }
        }

        /// Whether a value that is not null meets the condition; `nil` if it is not stored as expected.
        func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? { nil }
    }

    /// A test of a to-one property.
    class Reference: Field {
        private let whenNil: Bool

        init(_ index: Int, whenNil: Bool) {
            self.whenNil = whenNil
            super.init(index, whenNull: whenNil, whenMissing: whenNil)
        }

        final override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            let id = try field.takeReference()
            return id.raw == 0 ? whenNil : holds(id)
        }

        /// Whether an object that the property refers to meets the condition; `nil` if that cannot be decided here.
        func holds(_ id: ObjectID) -> Bool? { nil }
    }
}

extension RecordReader {
    /// The tag of a property; 0 if the store does not have it.
    @inline(__always)
    func tag(_ index: Int) -> UInt32 { UInt(bitPattern: index) < UInt(bitPattern: tagCount) ? unsafe tags[index] : 0 }
}
