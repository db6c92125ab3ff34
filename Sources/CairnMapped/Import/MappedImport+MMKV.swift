import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedImport {
    /// Reads a file of MMKV, plain or encrypted, with or without expiry.
    ///
    /// MMKV does not keep types. Tell those that you know; the others are guessed from the bytes, and
    /// ``MappedImportReport/types`` says what else they could be. Guessed are: integers, `Float`, `Double`, text, lists of text, bytes; and
    /// `Bool` with `booleans`. Of what Apple's MMKV stores, `NSString` and `NSData` are read like text and bytes. `NSDate` is a `Double`
    /// unless told to be a ``MappedForeignType/date``. Other objects are archives of `NSKeyedArchiver`, which become bytes as they are.
    ///
    /// A damaged file gives the records before the damage: the damage is in ``MappedImportReport/damage``, and
    /// ``MappedImportReport/unverifiedKeys`` tells what no checksum vouches for.
    ///
    /// - Parameters:
    ///   - path: The file without a suffix. Its companion `path.crc` is read too; without it, all is unverified.
    ///   - cipher: The key of an encrypted file, and AES. A file that is plain is read all the same, with a warning.
    ///   - types: What values were written as, by key.
    ///   - booleans: Whether a lone 0 or 1 is taken for a `Bool` rather than an integer, where nothing is told. Default: `false`.
    ///   - expiry: Whether values end with a deadline. By default as the `.crc` file says, unless the values contradict.
    /// - Throws: ``MappedStoreError``: `notFound`, `ioError`, `keyNeeded`, `wrongKey`, `malformedInput` where no record can be read,
    ///   `notSupported` where the cipher fails.
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

    /// Reads the contents of a file of MMKV, and of its `.crc` file, as ``mmkv(path:cipher:types:booleans:expiry:)`` does.
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
        let found = expiry == nil ? MMKVExpiry(file, encoding, said: meta.flatMap { MMKVMeta($0) }?.hasExpiry) : nil
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

    /// Goes by what the .crc file says, unless only the opposite makes sense of every value, and these are undamaged.
    init(_ file: MMKVFile, _ encoding: ForeignEncoding, said: Bool?) {
        let values = file.records.map(\.value).filter { !$0.isEmpty }
        func isSensible(_ value: ArraySlice<UInt8>, withDeadline: Bool) -> Bool {
            guard withDeadline else { return encoding.makesSense(Array(value)) }
            guard let (value, expires) = Self.split(value) else { return false }
            // MMKV has not been there before 2015.
            return expires.map { $0.timeIntervalSince1970 > 1_400_000_000 } ?? true && encoding.makesSense(Array(value))
        }
        if let said {
            let isRefuted =
                file.damage == nil && !values.allSatisfy { isSensible($0, withDeadline: said) }
                && values.allSatisfy { isSensible($0, withDeadline: !said) }
            isThere = said != isRefuted
            let claim = said ? "end" : "do not end"
            warning =
                isRefuted ? "the .crc file says that values \(claim) with deadlines; they were read otherwise, being nonsense so" : nil
        } else {
            isThere = values.count { isSensible($0, withDeadline: true) } > values.count { isSensible($0, withDeadline: false) }
            let guess = isThere ? "do" : "do not"
            warning = values.isEmpty ? nil : "the .crc file does not say whether values have deadlines; it was guessed that they \(guess)"
        }
    }

    /// The value, and the deadline in the last four bytes: seconds since 1970, 0: none.
    static func split(_ bytes: ArraySlice<UInt8>) -> (value: ArraySlice<UInt8>, expires: Date?)? {
        guard bytes.count > 4, let deadline = UInt32(little: Array(bytes.suffix(4))) else { return nil }
        return (bytes.dropLast(4), deadline == 0 ? nil : Date(timeIntervalSince1970: Double(deadline)))
    }
}
