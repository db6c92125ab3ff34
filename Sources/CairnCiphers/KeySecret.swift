package import Crypto

/// The user's secret, from which the keys of stores are derived.
package enum KeySecret: Sendable {
    case key(SymmetricKey)
    /// In UTF-8, with the cost for new stores.
    case passphrase([UInt8], ScryptCost)

    /// - Throws: ``Unusable`` for a key that does not have 256 bits.
    package init(key: SymmetricKey) throws(Unusable) {
        guard key.bitCount == 256 else { throw Unusable(message: "a key of \(key.bitCount) bits; it must have 256") }
        self = .key(key)
    }

    /// - Throws: ``Unusable`` for an empty passphrase.
    package init(passphrase: String, cost: ScryptCost) throws(Unusable) {
        guard !passphrase.isEmpty else { throw Unusable(message: "the passphrase is empty") }
        self = .passphrase(Array(passphrase.utf8), cost)
    }

    /// The cost that new stores keep; `nil` for a key.
    package var cost: ScryptCost? { if case .passphrase(_, let cost) = self { cost } else { nil } }

    /// Returns the key that all keys of a store are derived from. For a passphrase, this takes as long as the settings say.
    ///
    /// - Throws: ``Unusable`` if the store needs a key and this is a passphrase, or the other way around; what scrypt throws.
    package func masterKey(_ settings: KeySettings) throws -> SymmetricKey {
        switch (self, settings.cost) {
        case (.key(let key), nil): return key
        case (.passphrase(let passphrase, _), let cost?): return try cost.deriveKey(from: passphrase, salt: settings.salt)
        case (.key, _?): throw Unusable(message: "the store is encrypted with a passphrase, not a key")
        case (.passphrase, nil): throw Unusable(message: "the store is encrypted with a key, not a passphrase")
        }
    }

    /// Why a key or passphrase cannot be used.
    package struct Unusable: Error { package let message: String }

    /// The message if a key could not be derived for another reason.
    package static let derivationFailure = "the key could not be derived from the passphrase: there may be too little memory"
}
