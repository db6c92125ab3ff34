import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A record of a settings log: the last one of a key counts.
struct ForeignRecord {
    var key: ArraySlice<UInt8>
    /// Empty: the key is removed.
    var value: ArraySlice<UInt8>
    /// The end of the record.
    var end: Int
}

/// How a library encodes values without storing their types.
struct ForeignEncoding: Sendable {
    /// Decodes the bytes as a value of that type; `nil` if they cannot be one.
    var read: @Sendable (_ bytes: [UInt8], _ type: MappedForeignType) -> MappedVariant?
    /// How likely a readable type is; higher is likelier, 0 means not worth mentioning.
    var likelihood: @Sendable (_ bytes: [UInt8], _ type: MappedForeignType) -> Int

    /// The types that `bytes` can have, the likeliest first.
    func candidates(_ bytes: [UInt8]) -> [MappedForeignType] {
        MappedForeignType.allCases
            .map { (type: $0, likelihood: likelihood(bytes, $0)) }
            .filter { $0.likelihood > 0 && read(bytes, $0.type) != nil }
            // Equally likely ones in the order of the cases, so that the same file is always read the same way.
            .enumerated().sorted { ($1.element.likelihood, $0.offset) < ($0.element.likelihood, $1.offset) }
            .map(\.element.type)
    }

    /// Whether `bytes` are likely to be anything more than some arbitrary number.
    func makesSense(_ bytes: [UInt8]) -> Bool {
        MappedForeignType.allCases.contains { likelihood(bytes, $0) >= 20 && read(bytes, $0) != nil }
    }
}

extension MappedImport {
    /// Takes the last record of each key.
    ///
    /// - Parameters:
    ///   - expiry: Removes the deadline from the end of a value; returns `nil` if there is none to remove.
    ///   - verified: Records that end after this offset are unverified.
    init(
        _ records: [ForeignRecord],
        _ encoding: ForeignEncoding,
        types: [String: MappedForeignType],
        expiry: (ArraySlice<UInt8>) -> (value: ArraySlice<UInt8>, expires: Date?)?,
        verified: Int = .max
    ) {
        self.init(entries: [])
        var last: [ArraySlice<UInt8>: Int] = [:]
        for (index, record) in records.enumerated() {
            if last.updateValue(index, forKey: record.key) != nil { report.supersededCount += 1 }
        }
        report.recordCount = records.count
        for (index, record) in records.enumerated() where last[record.key] == index {
            guard !record.value.isEmpty else {
                report.removedCount += 1
                continue
            }
            guard let key = String(validating: record.key, as: UTF8.self) else {
                report.leftOut.append(.init(key: String(decoding: record.key, as: UTF8.self), reason: "the key is not UTF-8"))
                continue
            }
            guard let (bytes, expires) = expiry(record.value) else {
                report.leftOut.append(.init(key: key, reason: "the value is too short to end with a deadline"))
                continue
            }
            let value = value(Array(bytes), key: key, encoding, specified: types[key])
            entries.append(MappedEntry(key: key, value: value, expires: expires))
            if record.end > verified { report.unverifiedKeys.append(key) }
        }
        report.importedCount = entries.count
    }

    private mutating func value(_ bytes: [UInt8], key: String, _ encoding: ForeignEncoding, specified: MappedForeignType?) -> MappedVariant
    {
        if let specified {
            if let value = encoding.read(bytes, specified) {
                report.types[key] = .specified(specified)
                return value
            }
            report.mismatchedKeys.append(key)
        }
        let candidates = encoding.candidates(bytes)
        let guess = candidates.first ?? .raw
        report.types[key] = .guessed(guess, alternatives: Array(candidates.dropFirst()))
        return encoding.read(bytes, guess) ?? .bytes(bytes)
    }
}

/// Recognizes numbers and texts that a program is likely to store.
enum Plausible {
    static func isUsual(_ number: Double) -> Bool { number == 0 || (1e-9...1e15).contains(number.magnitude) }
    static func isUsual(_ number: Float) -> Bool { number == 0 || (1e-6...1e9).contains(number.magnitude) }
    /// Whether integers written as the same bytes are rarer.
    static func isCommon(_ number: Float) -> Bool { (0.01...1000).contains(number.magnitude) }

    /// Whether there is text without control characters.
    static func isText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }
}
