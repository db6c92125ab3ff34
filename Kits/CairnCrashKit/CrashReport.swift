/// What came of some rounds.
package struct CrashReport: Sendable, CustomStringConvertible {
    package let subject: String
    package var rounds = 0
    /// How many of them ended no writer, because it had ended before its kill; each was made up for by another one.
    package var lateRounds = 0
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

    package var killCount: Int { kills.values.reduce(0, +) }

    /// Why the rounds prove nothing, even if nothing was lost; `nil` if they do.
    package var shortcoming: String? {
        if killCount == 0 { return "no process was killed" }
        if acknowledged == 0 { return "no operation was acknowledged" }
        return nil
    }

    package init(subject: String) { self.subject = subject }

    package var description: String {
        let kinds = kills.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return """
            \(subject): \(rounds) rounds, \(losses.count) losses\(lateRounds > 0 ? "; \(lateRounds) rounds were late and made up for" : "")
              \(killCount) kills (\(kinds)), \(survivors) processes ended before their kill
              \(acknowledged) operations acknowledged, \(unacknowledged) found whole though not acknowledged
            """
    }
}
