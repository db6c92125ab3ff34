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
    @safe
    final class TextPart: Field {
        private let test: TextPartTest
        private let ignoresCase: Bool
        /// In lower case, if case is ignored.
        private let part: String
        /// A copy of its bytes, since lending those of an array counts references.
        private let bytes: UnsafeMutableRawBufferPointer

        init(_ index: Int, _ test: TextPartTest, _ part: String, ignoresCase: Bool, isOptional: Bool) {
            self.test = test
            self.ignoresCase = ignoresCase
            self.part = part
            unsafe bytes = .allocate(byteCount: part.utf8.count, alignment: 1)
            unsafe bytes.copyBytes(from: part.utf8)
            super.init(index, whenNull: isOptional ? false : nil)
        }

        deinit { unsafe bytes.deallocate() }

        override func holds(_ field: inout FieldReader) throws(RecordError) -> Bool? {
            guard field.kind == Wire.bytes else { return nil }
            if ignoresCase { return test.holds(try String(reading: &field).lowercased().utf8, part.utf8) }
            let text = unsafe RawSpan(_unsafeBytes: try field.takeBytes(as: String.self))
            return unsafe test.holds(text, RawSpan(_unsafeBytes: UnsafeRawBufferPointer(bytes)))
        }
    }
}
