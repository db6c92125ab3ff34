#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RecordValue {
    /// Whether values are stored alike: NaN equals itself, 0 and -0 differ, and so do texts that Swift considers equal but that have different scalars.
    public static func == (one: RecordValue, other: RecordValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.signed(let one), .signed(let other)): one == other
        case (.unsigned(let one), .unsigned(let other)): one == other
        case (.varint(let one), .varint(let other)): one == other
        case (.bits(let one, let count), .bits(let other, let otherCount)): one == other && count == otherCount
        case (.float(let one), .float(let other)): one.bitPattern == other.bitPattern
        case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
        case (.date(let one), .date(let other)):
            one.timeIntervalSinceReferenceDate.bitPattern == other.timeIntervalSinceReferenceDate.bitPattern
        case (.text(let one), .text(let other)), (.decimal(let one), .decimal(let other)), (.json(let one), .json(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.bytes(let one), .bytes(let other)), (.references(let one), .references(let other)): one == other
        case (.uuid(let one), .uuid(let other)): one == other
        case (.list(let one), .list(let other)): one == other
        case (.dictionary(let one), .dictionary(let other)): one == other
        case (.reference(let number, let row), .reference(let otherNumber, let otherRow)): number == otherNumber && row == otherRow
        default: false
        }
    }

    /// Whether two keys of a dictionary are equal as Swift values, so that no program could read it.
    static func hasKeyTwice(_ entries: [Entry]) -> Bool {
        var keys: Set<AnyHashable> = []
        return entries.contains { !keys.insert($0.key.swiftKey).inserted }
    }

    /// A value that is equal if the Swift values are equal.
    private var swiftKey: AnyHashable {
        switch self {
        case .text(let text): text
        case .float(let value): value
        case .double(let value): value
        case .date(let date): date
        default: self
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .signed(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .varint(let value): hasher.combine(value)
        case .bits(let value, _): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        case .date(let date): hasher.combine(date.timeIntervalSinceReferenceDate.bitPattern)
        case .text(let text), .decimal(let text), .json(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .bytes(let bytes), .references(let bytes): hasher.combine(bytes)
        case .uuid(let uuid): hasher.combine(uuid)
        case .list(let values): hasher.combine(values)
        case .dictionary(let entries): hasher.combine(entries)
        case .reference(let number, let row):
            hasher.combine(number)
            hasher.combine(row)
        }
    }
}
