import BenchKit

extension GrowthSuite {
    /// Operations of a turn.
    private static let repeats = 50

    /// What is done with stores of a size, the last what they do not survive.
    ///
    /// - Parameter written: Learns what appending writes.
    func events(_ sides: [any GrowthSide], _ size: Int, _ written: WrittenBytes) -> [Event] {
        let repeats = Self.repeats
        return [
            event(tail, size) { turn in
                var numbers: [Int] = []
                for _ in 0..<repeats { numbers = try sides[turn.side].tail() }
                return Outcome(operations: repeats, check: numbers.map { UInt64(bitPattern: Int64($0)) })
            },
            event(labelled, size) { turn in
                var numbers: [Int] = []
                for _ in 0..<repeats { numbers = try sides[turn.side].labelled() }
                return Outcome(operations: repeats, check: numbers.map { UInt64(bitPattern: Int64($0)) })
            },
            event(count, size) { turn in
                var count = 0
                for _ in 0..<5 { count = try sides[turn.side].count() }
                return Outcome(operations: 5, check: [UInt64(count)])
            },
            event(contains, size) { turn in
                let found = try (0..<repeats).count { try sides[turn.side].contains($0 * 20) }
                return Outcome(operations: repeats, check: [UInt64(found)])
            },
            event(append, size) { turn in
                let before = Written.bytes
                for number in size..<size + repeats { try sides[turn.side].append(number) }
                turn.stop()
                if turn.round >= 0, let before, let after = Written.bytes {
                    written.each[turn.side].append(Double(after - before) / Double(repeats))
                }
                return try Outcome(operations: repeats, check: sides[turn.side].tail().map { UInt64(bitPattern: Int64($0)) })
            },
            event(add, size) { turn in
                for number in size..<size + repeats { try sides[turn.side].add(number) }
                turn.stop()
                return try Outcome(operations: repeats, check: [UInt64(sides[turn.side].count())])
            },
            event(insert, size) { turn in
                for number in size..<size + repeats { try sides[turn.side].insert(number) }
                turn.stop()
                return try Outcome(operations: repeats, check: [UInt64(sides[turn.side].count())])
            },
            event(delete, size) { turn in
                let free = try sides[turn.side].delete { turn.stop() }
                return Outcome(operations: 1, check: [UInt64(free)])
            },
        ]
    }

    private func event(_ workload: Workload, _ size: Int, _ run: @escaping (Turn) throws -> Outcome) -> Event {
        var event = Event(workload, run: run)
        event.variant = "\(size)"
        return event
    }
}

/// What each side wrote for an operation, of all rounds.
final class WrittenBytes {
    var each: [[Double]]

    init(sides: Int) { each = Array(repeating: [], count: sides) }
}
