import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decrypts objects: AES-128-CBC without an initialisation vector. The key is the MD5 hash of the object's salt and the passphrase. The plaintext begins with
/// the same salt, which is the salt of the class with its second word XORed with the row.
///
/// There is no authentication, and passphrases can be guessed quickly. This is only for reading existing stores.
struct BNRPassphrase {
    private let text: [UInt8]
    private let salt: [UInt8]

    init(_ text: String, salt: [UInt8]) {
        self.text = Array(text.utf8)
        self.salt = salt
    }

    /// The decrypted bytes of an object; `nil` if they are not encrypted with this passphrase.
    func decrypted(_ bytes: ArraySlice<UInt8>, row: UInt32) -> ArraySlice<UInt8>? {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 16) else { return nil }
        var salt = salt
        for index in 0..<4 { salt[4 + index] ^= UInt8(truncatingIfNeeded: row >> (8 * UInt32(index))) }
        let key = SymmetricKey(data: Data(Insecure.MD5.hash(data: salt + text)))
        guard let vector = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)),
            let plain = try? AES._CBC.decrypt(bytes, using: key, iv: vector, noPadding: true), plain.starts(with: salt)
        else { return nil }
        // Removes PKCS #7 padding, if it is valid.
        let padding = Int(plain.last ?? 0)
        let isPadded = (1...16).contains(padding) && plain.count - padding >= 8 && plain.suffix(padding).allSatisfy { $0 == UInt8(padding) }
        return ArraySlice(plain.dropLast(isPadded ? padding : 0).dropFirst(8))
    }
}
