import CairnCore
public import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedImport {
    /// Reads an MMKV file, encrypted or not, with or without expiry.
    ///
    /// MMKV does not store types. Pass the types that you know; the others are guessed from the bytes, and ``MappedImportReport/types`` lists what
    /// else they could be. The guessed types are integers, `Float`, `Double`, text, lists of text and bytes, and with `booleans` also `Bool`. Of the
    /// types of Apple's MMKV, `NSString` and `NSData` are read like text and bytes. `NSDate` is a `Double` unless `types` says
    /// ``MappedForeignType/date``. Other objects are `NSKeyedArchiver` archives, which become bytes unchanged.
    ///
    /// A damaged file yields the records before the damage: ``MappedImportReport/damage`` describes the damage, and
    /// ``MappedImportReport/unverifiedKeys`` lists the keys whose values no checksum covers.
    ///
    /// - Parameters:
    ///   - path: The file without a suffix. Its companion `path.crc` is read too; without it, everything is unverified.
    ///   - cipher: The key of an encrypted file, and AES. An unencrypted file is read anyway, with a warning.
    ///   - types: The types that values were written as, by key.
    ///   - booleans: Whether to read a lone 0 or 1 as a `Bool` rather than an integer, unless `types` says otherwise. Default: `false`.
    ///   - expiry: Whether values end with a deadline. By default as the `.crc` file says, unless values contradict it, by their bytes or by their
    ///     type in `types`. Without that file, the answer is guessed, which can be wrong if there are few values: then pass `expiry`, or their types.
    ///     A warning in the report says if the answer was guessed or contradicted.
    /// - Throws: `MappedStoreError`: `notFound`, `ioError`, `keyNeeded`, `wrongKey`, `malformedInput` if no record can be read, `notSupported` if
    ///   the cipher fails.
    public static func mmkv(
        path: String,
        cipher: MappedImportCipher? = nil,
        types: [String: MappedForeignType] = [:],
        booleans: Bool = false,
        expiry: Bool? = nil
    ) throws(MappedStoreError) -> MappedImport {
        try mmkv(path: path, cipher: cipher, types: types, booleans: booleans, expiry: expiry, fileSystem: .system)
    }

    package static func mmkv(
        path: String,
        cipher: MappedImportCipher? = nil,
        types: [String: MappedForeignType] = [:],
        booleans: Bool = false,
        expiry: Bool? = nil,
        fileSystem: FileSystem
    ) throws(MappedStoreError) -> MappedImport {
        let bytes = try ImportFile.read(path, fileSystem)
        let meta = try ImportFile.readIfPresent(path + ".crc", fileSystem)
        return try MappedStoreError.importing(path) { () throws(MappedStoreError) in
            try mmkv(bytes: bytes, meta: meta, cipher: cipher, types: types, booleans: booleans, expiry: expiry)
        }
    }

    /// Reads the contents of an MMKV file, and of its `.crc` file, as ``mmkv(path:cipher:types:booleans:expiry:)`` does.
    ///
    /// `meta` is the contents of the `.crc` file; `nil` if there is none.
    ///
    /// - Throws: Same as ``mmkv(path:cipher:types:booleans:expiry:)``, except for `notFound` and `ioError`.
    public static func mmkv(
        bytes: [UInt8],
        meta: [UInt8]?,
        cipher: MappedImportCipher? = nil,
        types: [String: MappedForeignType] = [:],
        booleans: Bool = false,
        expiry: Bool? = nil
    ) throws(MappedStoreError) -> MappedImport {
        let file = try MMKVFile(bytes, meta: meta, cipher: cipher)
        let encoding = ForeignEncoding.mmkv(booleans: booleans)
        let said = meta.flatMap { MMKVMeta($0) }?.hasExpiry
        let found = expiry == nil ? MMKVExpiry(file, encoding, types: types, said: said) : nil
        let hasExpiry = expiry ?? found?.isThere ?? false
        var result = MappedImport(
            file.records,
            encoding,
            types: types,
            expiry: { hasExpiry ? MMKVExpiry.split($0) : ($0, nil) },
            verified: file.damage == nil ? .max : file.verified
        )
        result.report.damage = file.damage
        result.report.warnings = file.warnings
        if let warning = found?.warning { result.report.warnings.append(warning) }
        return result
    }
}

/// Whether the values of a file end with a deadline.
private struct MMKVExpiry {
    let isThere: Bool
    let warning: String?

    /// How well a value fits one of the two ways to read it.
    private enum Fit { case contradicts, possible, likely }

    /// Follows the .crc file, unless a value contradicts it, all values are likely when read the other way, and the file is undamaged.
    init(_ file: MMKVFile, _ encoding: ForeignEncoding, types: [String: MappedForeignType], said: Bool?) {
        let last = Dictionary(file.records.enumerated().map { ($1.key, $0) }) { $1 }
        let values = file.records.enumerated().filter { !$1.value.isEmpty }.map { index, record in
            let isLast = last[record.key] == index
            return (record.value, specified: isLast ? String(validating: record.key, as: UTF8.self).flatMap { types[$0] } : nil)
        }
        func fits(withDeadline: Bool) -> [Fit] {
            values.map { Self.fit($0, withDeadline: withDeadline, encoding, specified: $1) }
        }
        if let said {
            let isRefuted =
                file.damage == nil && fits(withDeadline: said).contains(.contradicts)
                && fits(withDeadline: !said).allSatisfy { $0 == .likely }
            isThere = said != isRefuted
            let claim = said ? "end" : "do not end"
            warning =
                isRefuted ? "the .crc file says that values \(claim) with deadlines, but the values contradict that; it was ignored" : nil
        } else {
            isThere = fits(withDeadline: true).count { $0 == .likely } > fits(withDeadline: false).count { $0 == .likely }
            let guess = isThere ? "do" : "do not"
            warning = values.isEmpty ? nil : "the .crc file does not say whether values have deadlines; the guess is that they \(guess)"
        }
    }

    private static func fit(
        _ value: ArraySlice<UInt8>,
        withDeadline: Bool,
        _ encoding: ForeignEncoding,
        specified: MappedForeignType?
    ) -> Fit {
        guard let (value, expires) = withDeadline ? split(value) : (value, nil) else { return .contradicts }
        let bytes = Array(value)
        // Any bytes are valid for the type `raw`.
        if let specified, specified != .raw { return encoding.read(bytes, specified) == nil ? .contradicts : .likely }
        // MMKV did not exist before 2015.
        let isLate = expires.map { $0.timeIntervalSince1970 > 1_400_000_000 } ?? true
        if encoding.makesSense(bytes) { return isLate ? .likely : .possible }
        return MappedForeignType.allCases.contains { $0 != .raw && encoding.read(bytes, $0) != nil } ? .possible : .contradicts
    }

    /// Returns the value, and the deadline from the last four bytes: seconds since 1970, 0 for none.
    static func split(_ bytes: ArraySlice<UInt8>) -> (value: ArraySlice<UInt8>, expires: Date?)? {
        guard bytes.count > 4, let deadline = UInt32(little: Array(bytes.suffix(4))) else { return nil }
        return (bytes.dropLast(4), deadline == 0 ? nil : Date(timeIntervalSince1970: Double(deadline)))
    }
}
