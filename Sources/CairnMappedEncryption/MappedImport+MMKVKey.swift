public import CairnMapped
public import CairnMappedImport
import Crypto
import CryptoExtras

extension MappedImportCipher {
    /// Returns AES from swift-crypto, with a key as given to MMKV: at most 16 bytes of it count (32 with MMKV's `aes256`); a shorter key is padded
    /// with zeros.
    public static func aes(key: [UInt8]) -> MappedImportCipher {
        MappedImportCipher(key: key) { block, key in try AES.permute(&block, key: SymmetricKey(data: key)) }
    }
}

extension MappedImport {
    /// Reads an encrypted MMKV file with AES from swift-crypto, as `mmkv(path:cipher:types:booleans:expiry:)` does.
    ///
    /// ```swift
    /// let old = try MappedImport.mmkv(path: "settings", key: "the key given to MMKV", types: ["opened": .bool])
    /// try store.import(old)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file without a suffix. Its companion `path.crc` is read too.
    ///   - key: The key as given to MMKV, in UTF-8.
    ///   - types: The types that values were written as, by key.
    ///   - booleans: Whether to read a lone 0 or 1 as a `Bool` rather than an integer, unless `types` says otherwise. Default: `false`.
    ///   - expiry: Whether values end with a deadline. Default: as the `.crc` file says.
    /// - Throws: Same as `mmkv(path:cipher:types:booleans:expiry:)`; `MappedStoreError.Code.wrongKey` for another key.
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
