public import CairnMapped
import Crypto
import CryptoExtras

extension MappedImportCipher {
    /// AES from swift-crypto, with a key as given to MMKV: at most 16 bytes of it count (32 with its `aes256`), a shorter one is filled up
    /// with zeros.
    public static func aes(key: [UInt8]) -> MappedImportCipher {
        MappedImportCipher(key: key) { block, key in try AES.permute(&block, key: SymmetricKey(data: key)) }
    }
}

extension MappedImport {
    /// Reads an encrypted file of MMKV with AES from swift-crypto, as `mmkv(path:cipher:types:booleans:expiry:)` does.
    ///
    /// ```swift
    /// let old = try MappedImport.mmkv(path: "settings", key: "the key given to MMKV", types: ["opened": .bool])
    /// try store.import(old)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file without a suffix. Its companion `path.crc` is read too.
    ///   - key: The key as given to MMKV, in UTF-8.
    ///   - types: What values were written as, by key.
    ///   - booleans: Whether a lone 0 or 1 is taken for a `Bool` rather than an integer, where nothing is told. Default: `false`.
    ///   - expiry: Whether values end with a deadline. Default: as the `.crc` file says.
    /// - Throws: As `mmkv(path:cipher:types:booleans:expiry:)`: `MappedStoreError.Code.wrongKey` where it is another one.
    public static func mmkv(
        path: String,
        key: String,
        types: [String: MappedForeignType] = [:],
        booleans: Bool = false,
        expiry: Bool? = nil
    ) throws(MappedStoreError) -> MappedImport {
        try mmkv(path: path, cipher: .aes(key: Array(key.utf8)), types: types, booleans: booleans, expiry: expiry)
    }
}
