/// Changes that a writer commits as one. Equal seeds, writers and numbers give equal operations, in every process.
package struct CrashOperation: Sendable, Equatable {
    /// One change in one space of the store.
    package struct Change: Sendable, Equatable {
        package let space: String
        package let action: Action
    }

    package enum Action: Sendable, Equatable {
        case put(key: [UInt8], value: [UInt8])
        /// Adds to a counter of 8 bytes, little-endian, which counts from zero and wraps.
        case add(key: [UInt8], amount: UInt64)
        case delete(key: [UInt8])
        /// Moves a byte of a value to another place. Places count modulo the size of the value; nothing is done where there is none.
        case move(key: [UInt8], start: Int, end: Int)
        /// Removes the keys from `start`, inclusive, to `end`, exclusive.
        case deleteRange(start: [UInt8], end: [UInt8])
    }

    package let changes: [Change]
    /// Whether the operation must survive power loss, not only the death of the process.
    package let isSynced: Bool
    /// Whether the writer calls ``CrashSubject/tidy(waits:)`` afterwards.
    package let tidies: Bool
}
