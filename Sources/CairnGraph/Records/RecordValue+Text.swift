import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RecordValue {
    /// Reads a value of a type from text, as people and CSV files write it.
    ///
    /// Numbers are decimal, or `inf`, `-inf` and `nan`; Booleans `true` and `false`; bytes hexadecimal digits; dates ISO 8601, a day alone
    /// (`2026-01-31`, 00:00 UTC), or seconds since 2001; enumerations their raw values; other text is unchanged.
    ///
    /// - Returns: `nil` if the text is not a valid value, or values of the type have no such text: lists, sets, dictionaries, `Codable`
    ///   types.
    public init?(_ text: String, as type: StoredType) {
        switch type {
        case .raw(let wrapped, _), .optional(let wrapped):
            guard let value = RecordValue(text, as: wrapped) else { return nil }
            self = value
        case .bool:
            guard let value = Bool(text) else { return nil }
            self = .bool(value)
        case .integer(let bits, true):
            guard let value = Int128(text), value >> Int128(bits - 1) == (value < 0 ? -1 : 0) else { return nil }
            self = .signed(value)
        case .integer(let bits, false):
            guard let value = UInt128(text), bits == 128 || value >> UInt128(bits) == 0 else { return nil }
            self = .unsigned(value)
        case .float:
            guard let value: Float = NumberText.number(text) else { return nil }
            self = .float(value)
        case .double:
            guard let value: Double = NumberText.number(text) else { return nil }
            self = .double(value)
        case .string: self = .text(text)
        case .url:
            guard URL(string: text, encodingInvalidCharacters: false) != nil else { return nil }
            self = .text(text)
        case .decimal:
            guard let value = DecimalText.number(written: text) else { return nil }
            self = .decimal(DecimalText.text(value))
        case .bytes:
            guard let bytes = Self.bytes(digits: text) else { return nil }
            self = .bytes(bytes)
        case .date:
            guard let date = Self.date(text) else { return nil }
            self = .date(date)
        case .uuid:
            guard let value = UUID(uuidString: text) else { return nil }
            self = .uuid(value)
        case .array, .set, .dictionary, .codable: return nil
        }
    }

    private static func bytes(digits text: String) -> [UInt8]? {
        let digits = Array(text.utf8).map { Character(Unicode.Scalar($0)).isASCII ? Character(Unicode.Scalar($0)).hexDigitValue : nil }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    private static func date(_ text: String) -> Date? {
        if let seconds: Double = NumberText.number(text) { return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil }
        if let date = DateText.date(text) ?? DateText.day(text) { return date }
        // Parsers ignore what follows a date.
        guard text.utf8.allSatisfy({ "0123456789-+:.TZ".utf8.contains($0) }) else { return nil }
        let (style, first) = (Date.ISO8601FormatStyle().year().month().day(), String(text.prefix(10)))
        // They also accept days that a month does not have.
        guard let day = try? Date(first, strategy: style), day.formatted(style) == first else { return nil }
        let hasFraction = text.contains(".")
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}
