public import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a ``MappedStore`` is opened.
public struct MappedStoreOptions: Sendable {
    /// Opens the store for reading only: nothing is written to the file or its directory, and setting throws ``MappedStoreError/Code/readOnly``.
    /// Default: `false`.
    public var readOnly = false

    /// Creates the store if there is none. Default: `true`; no effect with ``readOnly``.
    public var createIfMissing = true

    /// The permission bits of a store that opening creates, less the process's umask. Default: `0o600`, accessible only to its owner.
    /// Compaction and backups keep the permissions of the file.
    public var mode: UInt32 = 0o600

    /// What a change survives when the call that made it returns. Default: `.buffered`, the death of the process.
    ///
    /// `.synced` waits for the disk with every change, which is about a thousand times slower; ``MappedStore/sync()`` waits once for all
    /// previous changes. `.none` is the same as `.buffered`, which costs nothing extra here.
    public var durability = Durability.buffered

    /// How long a change waits for another thread or process that is changing the store before it throws ``MappedStoreError/Code/busy``;
    /// nothing is changed then. Changes take microseconds and transactions as long as their closures, but a process may be stopped in the
    /// middle of one. Opening waits equally long for a process that is repairing the file. Default: 10 seconds.
    public var busyTimeout = Duration.seconds(10)

    /// How long values that are set without a lifetime live. Default: `nil`, until they are removed.
    public var expiresAfter: Duration?

    /// Checks before setting whether the value is already stored, and if so writes nothing. Default: `false`. Worthwhile if most sets repeat the
    /// stored value: they then cost a read and do not wake listeners. A value that expires is always written.
    public var skipsEqualValues = false

    /// The maximum size of the file; beyond it, setting throws ``MappedStoreError/Code/tooLarge``. Default: `nil`, as much as the disk holds.
    public var maximumSize: ByteCount?

    /// When the file is rewritten without replaced and removed values. Default: ``Compaction/automatic``.
    public var compaction = Compaction.automatic

    /// Encrypts keys and values. Default: `nil`. Opening throws ``MappedStoreError/Code/keyNeeded`` without the cipher a store was created with, and
    /// ``MappedStoreError/Code/wrongKey`` with another one.
    public var cipher: (any MappedCipher)?

    /// Returns the current time, for values that expire. Default: the clock of the system.
    public var now: @Sendable () -> Date = { Date() }

    /// Called with errors that cannot be thrown: those of ``Mapped`` properties and of ``MappedObserved``. Called where they happen, on any thread.
    /// Default: prints a line to standard error, without keys and values.
    public var onError: @Sendable (MappedStoreError) -> Void = { printToStandardError("CairnMapped: \($0)") }

    /// Creates options with the defaults stated above, except for the arguments given.
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

    /// When the file is rewritten.
    public struct Compaction: Hashable, Sendable {
        /// The fraction of the file that may be waste before it is rewritten automatically, from 0 to 1; `nil` for never. Default: 0.5, that of
        /// ``automatic``.
        public var wasteRatio: Double?
        /// The minimum waste that makes compaction worthwhile. Default: 256 KiB.
        public var minimumWaste: ByteCount

        /// Compacts in the background once `wasteRatio` of the file is waste, and at least `minimumWaste`.
        public init(wasteRatio: Double?, minimumWaste: ByteCount = .kibibytes(256)) {
            self.wasteRatio = wasteRatio
            self.minimumWaste = minimumWaste
        }

        /// Compacts in the background once half of the file is waste, and at least 256 KiB.
        public static let automatic = Compaction(wasteRatio: 0.5)
        /// Compacts only when ``MappedStore/compact(progress:)`` is called.
        public static let manual = Compaction(wasteRatio: nil)
    }
}
