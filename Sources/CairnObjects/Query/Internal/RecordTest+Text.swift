import CairnCore

/// How text is compared with a part of it.
enum TextPartTest {
    case contains, ends, equals

    /// Compares whole UTF-8 texts.
    func holds(_ text: String.UTF8View, _ part: String.UTF8View) -> Bool {
        switch self {
        case .contains: text.contains(part)
        case .ends: text.ends(with: part)
        case .equals: text.elementsEqual(part)
        }
    }

    /// Compares bytes.
    func holds(_ text: RawSpan, _ part: RawSpan) -> Bool {
        switch self {
        case .contains: text.contains(part)
        case .ends: text.hasSuffix(part)
        case .equals: text.hasSameBytes(as: part)
        }
    }
}

extension RecordTest {
    /// A comparison of text with a part of it.
    final class TextPart: Field {
        private let test: TextPartTest
        private let ignoresCase: Bool
        /// In lower case, if case is ignored.
        private let part: String
        private let bytes: [UInt8]

        init(_ index: Int, _ test: TextPartTest, _ part: String, ignoresCase: Bool, isOptional: Bool) {
            self.test = test
            self.ignoresCase = ignoresCase
            self.part = part
            bytes = Array(part.utf8)
            super.init(index, whenNull: isOptional ? false : nil)
        }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            guard field.kind == Wire.bytes else { return nil }
            if ignoresCase { return test.holds(try String(reading: &field).lowercased().utf8, part.utf8) }
            let text = unsafe RawSpan(_unsafeBytes: try field.takeBytes(as: String.self))
            let bytes = bytes
            return unsafe test.holds(text, bytes.span.bytes)
        }
    }
}
