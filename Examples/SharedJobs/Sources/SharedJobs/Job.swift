import CairnStored
import Foundation

enum JobState: String, StoredValue, KeyCodable {
    case waiting, running, done
}

/// A text whose letters are to be counted, which can take long.
@Stored(indexes: [["state", "deadline"]])
final class Job {
    var text: String
    /// How long it takes, for a demonstration.
    var seconds: Double = 0
    var state: JobState = JobState.waiting
    /// Who does it, or did it.
    var worker: String?
    /// When another worker may take it, since this one has probably died. The clocks of the machines should differ by little.
    var deadline: Date?
    var letters: Int?
}
