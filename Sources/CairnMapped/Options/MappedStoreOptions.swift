public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a ``MappedStore`` is opened.
public struct MappedStoreOptions: Sendable {
    /// Opens for reading only: nothing is written to the file or its directory, and setting throws ``MappedStoreError/Code/readOnly``.
    /// Default: `false`.
    public var readOnly = false

    /// Makes the store where there is none. Default: `true`; of no effect for reading only.
    public var createIfMissing = true

    /// What a change survives when the call that made it returns. Default: `.buffered`, the death of the process.
    ///
    /// `.synced` waits for the disk with every change, some thousand times slower; ``MappedStore/sync()`` does so once for all changes before.
    /// `.none` is the same as `.buffered`, which costs nothing here.
    public var durability = Durability.buffered

    /// How long values live that are set without saying so. Default: `nil`, until they are removed.
    public var expiresAfter: Duration?

    /// Looks, before setting, whether the value is there already, and writes nothing then. Default: `false`. Worth it where most sets repeat
    /// what is stored: they cost a read then and do not wake those who wait for changes. A set that expires is always written.
    public var skipsEqualValues = false

    /// What the file may not outgrow; setting throws ``MappedStoreError/Code/limitExceeded`` then. Default: `nil`, as much as the disk holds.
    public var maximumSize: ByteCount?

    /// When the file is written anew without what was replaced or removed. Default: ``Compaction/automatic``.
    public var compaction = Compaction.automatic

    /// Encrypts keys and values. Default: `nil`. Opening throws ``MappedStoreError/Code/keyNeeded`` without the cipher a store was made
    /// with, and ``MappedStoreError/Code/wrongKey`` with another.
    public var cipher: (any MappedCipher)?

    /// What time it is, for values that expire. Default: the clock of the system.
    public var now: @Sendable () -> Date = { Date() }

    /// Is told the failures that nobody can throw: those of ``Mapped`` properties and of ``MappedObserved``. Called where they happen, on any
    /// thread. Default: prints a line to standard error, without keys and values.
    public var onError: @Sendable (MappedStoreError) -> Void = { printToStandardError("CairnMapped: \($0)") }

    /// The options that every property above names as its default, but for those given.
    public init(
        readOnly: Bool = false,
        createIfMissing: Bool = true,
        durability: Durability = .buffered,
        cipher: (any MappedCipher)? = nil
    ) {
        self.readOnly = readOnly
        self.createIfMissing = createIfMissing
        self.durability = durability
        self.cipher = cipher
    }

    /// When the file is written anew.
    public struct Compaction: Hashable, Sendable {
        /// The part of the file that may be waste before it is written anew by itself, from 0 to 1; `nil` for never. Default: 0.5, that of
        /// ``automatic``.
        public var wasteRatio: Double?
        /// The least waste that is worth it. Default: 256 KiB.
        public var minimumWaste: ByteCount

        /// Compacts in the background once `wasteRatio` of the file, and `minimumWaste` at least, is waste.
        public init(wasteRatio: Double?, minimumWaste: ByteCount = .kibibytes(256)) {
            self.wasteRatio = wasteRatio
            self.minimumWaste = minimumWaste
        }

        /// In the background, once half of the file is waste, and 256 KiB at least.
        public static let automatic = Compaction(wasteRatio: 0.5)
        /// Only by ``MappedStore/compact(progress:)``.
        public static let manual = Compaction(wasteRatio: nil)
    }
}
