/// What a child has to do; passed as JSON on its command line.
package struct CrashRound: Codable, Sendable {
    /// Where a child ends itself.
    package enum Point: String, Codable, CaseIterable, Sendable {
        /// The store has just been opened, and recovered.
        case afterOpen
        /// Half of an operation's changes are prepared, nothing of it is written: nothing of it may be found.
        case midway
        /// The call has returned, but is not acknowledged: all of the operation must be found.
        case afterWrite
        case afterAcknowledgement
        /// A flush has begun, and some operations have followed.
        case duringTidy
        case afterTidy
        case afterClose
    }

    package var subject: String
    package var directory: String
    /// The path of the ``CrashProgress``.
    package var progress: String
    package var seed: UInt64
    /// How many threads write; 0: the store is only opened.
    package var writers: Int
    /// The number of the first of them: each has keys of its own.
    package var firstWriter = 0
    /// After how many operations each writer stops and the store is closed; `nil`: never.
    package var closesAfter: Int?
    package var point: Point?
    /// How many operations are acknowledged in this round before `point` counts.
    package var pointAfter = 0
}
