import CairnCore
import CairnTestSupport

/// What the operations of a subject are made of, and the recipe that makes the n-th.
package struct CrashWorkload: Sendable {
    /// A part of the store with keys of its own: a column family, a table.
    package struct Space: Sendable {
        package enum Values: Sendable {
            /// Bytes of random length.
            case bytes(Range<Int>)
            /// Numbers that are added to.
            case counters
            /// Bytes of random length, which are also moved.
            case sequences(Range<Int>)
        }
        package let name: String
        package let values: Values

        package init(_ name: String, _ values: Values) {
            self.name = name
            self.values = values
        }
    }

    package var spaces: [Space]
    /// How many keys each writer has in each space. Few, so that they are often overwritten and deleted.
    package var keys = 200
    /// The most changes in one operation; 1 for a store without batches.
    package var maximumChanges = 8
    package var deletesRanges = true
    /// One operation in so many also adds one to the only key of its writer in the space `visits`, which stands for what all writers change together; `nil`: none.
    package var visitsOneIn: Int?
    /// One operation in so many is synced.
    package var syncsOneIn = 100
    /// One operation in so many is followed by ``CrashSubject/tidy(waits:)``.
    package var tidiesOneIn = 400
    /// About how many operations a round takes that ends after a number of them.
    package var operationsInRound = 200
    /// How long after the writers began a child is killed.
    package var killsWithin: Range<Duration> = .milliseconds(20)..<(.milliseconds(200))

    package init(spaces: [Space]) { self.spaces = spaces }

    /// The operation of that number, counted from 1.
    package func operation(_ number: Int, writer: Int, seed: UInt64) -> CrashOperation {
        // Neighbouring seeds of the generator overlap; one step of it takes them far apart.
        var mixer = SeededGenerator(seed: seed &+ UInt64(writer))
        mixer = SeededGenerator(seed: mixer.next() &+ UInt64(number))
        var random = SeededGenerator(seed: mixer.next())
        let count = random.oneIn(2) ? 1 : random.int(in: 1..<maximumChanges + 1)
        var changes = (0..<count).map { _ in change(number, writer, &random) }
        if let visitsOneIn, random.oneIn(visitsOneIn) {
            changes.append(.init(space: "visits", action: .add(key: Self.prefix(writer: writer), amount: 1)))
        }
        return CrashOperation(
            changes: changes,
            isSynced: random.oneIn(syncsOneIn),
            tidies: random.oneIn(tidiesOneIn)
        )
    }

    /// What the keys of a writer begin with.
    package static func prefix(writer: Int) -> [UInt8] { writer.keyBytes }

    private func change(_ number: Int, _ writer: Int, _ random: inout SeededGenerator) -> CrashOperation.Change {
        let space = random.pick(spaces)
        let slot = random.int(in: 0..<keys)
        let key = Key(writer, slot).keyBytes
        let action: CrashOperation.Action =
            switch (random.int(in: 0..<100), space.values) {
            case (0..<2, _) where deletesRanges: .deleteRange(start: key, end: Key(writer, slot + random.int(in: 0..<10)).keyBytes)
            case (0..<20, _): .delete(key: key)
            case (0..<60, .sequences):
                .move(key: key, start: random.int(in: 0..<1 << 16), end: random.int(in: 0..<1 << 16))
            case (_, .bytes(let sizes)), (_, .sequences(let sizes)):
                .put(key: key, value: value(number, random.int(in: sizes), &random))
            case (0..<40, .counters): .put(key: key, value: random.bytes(8))
            case (_, .counters): .add(key: key, amount: random.next() | 1)
            }
        return CrashOperation.Change(space: space.name, action: action)
    }

    /// Random bytes behind the number of the operation that wrote them, which ``CrashModel`` shows where a value is wrong.
    private func value(_ number: Int, _ size: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var value: [UInt8] = []
        Varint.append(UInt64(number), to: &value)
        return value + random.bytes(size)
    }
}
