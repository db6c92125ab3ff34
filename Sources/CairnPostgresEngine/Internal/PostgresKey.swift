import CairnEngine

/// Keys and bounds as they are stored.
enum PostgresKey {
    /// An entry of PostgreSQL's index has at most 2,704 bytes, including a header and a version.
    static let largestSize = 2600

    /// Greater than each key: ranges without an end need no other statements.
    static let end = [UInt8](repeating: 0xFF, count: largestSize + 1)

    static func upper(_ range: KeyRange) -> [UInt8] { range.upperBound ?? end }

    static func range(_ lower: [UInt8], _ upper: [UInt8]) -> KeyRange {
        KeyRange(lowerBound: lower, upperBound: upper == end ? nil : upper)
    }
}
