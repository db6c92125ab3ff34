import CairnCore
import Synchronization

/// What was read through a view, including what was not there: a commit that depends on it fails if another commit has changed it.
///
/// Can be used from any thread.
final class ReadRecord: Sendable {
    private struct Reads {
        var keys = KeyList()
        var ranges: [KeyRange] = []
    }

    private let reads = Mutex(Reads())

    func add(_ key: RawSpan) { reads.withLock { $0.keys.append(key) } }

    func add(_ keys: KeyList) {
        reads.withLock { reads in
            guard reads.keys.count > 0 else {
                reads.keys = keys
                return
            }
            for index in 0..<keys.count { reads.keys.append(keys[index]) }
        }
    }

    func add(_ range: KeyRange) { reads.withLock { $0.ranges.append(range) } }

    func contains(_ key: [UInt8]) -> Bool {
        reads.withLock { reads in
            reads.ranges.contains { unsafe $0.contains(key.span.bytes) }
                || (0..<reads.keys.count).contains { unsafe reads.keys[$0].hasSameBytes(as: key.span.bytes) }
        }
    }

    /// Makes a commit depend on everything that was read.
    func add(to commit: inout EngineCommit, in view: any EngineView) {
        let reads = reads.withLock { $0 }
        for index in 0..<reads.keys.count { commit.read(reads.keys[index], in: view) }
        for range in reads.ranges { commit.read(range, in: view) }
    }
}

extension KeyRange {
    /// The part of the range that was read by a scan that ended with a key.
    func part(until last: [UInt8], reverse: Bool) -> KeyRange {
        reverse ? KeyRange(lowerBound: last, upperBound: upperBound) : KeyRange(lowerBound: lowerBound, upperBound: last + [0])
    }
}
