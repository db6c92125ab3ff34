/// Tracks whether everything added to a batch is in it.
struct BatchSoundness {
    /// The first error from adding.
    private(set) var failure: RocksError?
    /// For each save point, whether the batch was sound when it was set.
    private var wasSound: [Bool] = []

    mutating func keep(_ error: RocksError) { failure = failure ?? error }
    mutating func clear() { self = BatchSoundness() }
    mutating func setSavePoint() { wasSound.append(failure == nil) }
    mutating func popSavePoint() { _ = wasSound.popLast() }
    mutating func rollbackToSavePoint() { if wasSound.popLast() == true { failure = nil } }
}
