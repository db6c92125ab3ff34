/// What came of some rounds.
package struct CrashReport: Sendable, CustomStringConvertible {
    package let subject: String
    package var rounds = 0
    /// How many children were killed, by what they were doing: a phase, or the name of a point.
    package var kills: [String: Int] = [:]
    /// How many children ended before they were killed.
    package var survivors = 0
    /// How many operations had returned.
    package var acknowledged = 0
    /// How many operations that had not returned when the child died were found whole.
    package var unacknowledged = 0
    /// What was lost, or found in its place, each in a sentence.
    package var losses: [String] = []

    package init(subject: String) { self.subject = subject }

    package var description: String {
        let total = kills.values.reduce(0, +)
        let kinds = kills.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return """
            \(subject): \(rounds) rounds, \(losses.count) losses
              \(total) kills (\(kinds)), \(survivors) processes ended before their kill
              \(acknowledged) operations acknowledged, \(unacknowledged) found whole though not acknowledged
            """
    }
}
