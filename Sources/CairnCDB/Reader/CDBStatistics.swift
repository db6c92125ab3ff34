/// The sizes of records and the shape of the hash tables, which shows how well the keys are distributed.
public struct CDBStatistics: Sendable, Hashable {
    /// The minimum, total and maximum of some sizes.
    public struct Sizes: Sendable, Hashable {
        /// The smallest size. As in tinycdb, a size of 0 counts only until a larger one follows.
        public private(set) var minimum: UInt64 = 0
        /// The largest size.
        public private(set) var maximum: UInt64 = 0
        /// The sum of the sizes.
        public private(set) var total: UInt64 = 0

        package init() {}

        package mutating func add(_ size: UInt64) {
            if minimum == 0 || minimum > size { minimum = size }
            maximum = max(maximum, size)
            total &+= size
        }

        /// The average of `count` sizes, rounded.
        public func average(of count: UInt64) -> UInt64 { count == 0 ? 0 : (total &+ count / 2) / count }
    }

    /// The number of records.
    public private(set) var recordCount: UInt64 = 0
    /// The sizes of keys, in bytes.
    public private(set) var keys = Sizes()
    /// The sizes of values, in bytes.
    public private(set) var values = Sizes()
    /// The number of hash tables that have slots.
    public private(set) var tableCount: UInt64 = 0
    /// The numbers of slots of the hash tables that have any.
    public private(set) var tables = Sizes()
    /// The number of records that are 0, 1, 2... 9 slots after the slot of their hash; the last element counts those further away.
    public private(set) var distances = [UInt64](repeating: 0, count: 11)

    /// The number of records that are not in the slot of their hash.
    public var collisionCount: Int64 { Int64(bitPattern: recordCount &- distances[0]) }

    package init() {}

    package mutating func addRecord(keyCount: UInt64, valueCount: UInt64) {
        recordCount += 1
        keys.add(keyCount)
        values.add(valueCount)
    }

    package mutating func addTable(slots: UInt64) {
        tableCount += 1
        tables.add(slots)
    }

    /// Adds a slot with a record, of a table with `count` slots.
    package mutating func addSlot(_ slot: UInt64, hash: UInt64, count: UInt64) {
        let wanted = (hash >> 8) % count
        let distance = wanted <= slot ? slot - wanted : count - wanted + slot
        distances[Int(min(distance, 10))] += 1
    }
}

extension CDBStatistics: CustomStringConvertible {
    /// The text that `cdb -s` prints, with a newline after each line.
    public var description: String {
        var text = """
            number of records: \(recordCount)
            key min/avg/max length: \(keys.minimum)/\(keys.average(of: recordCount))/\(keys.maximum)
            val min/avg/max length: \(values.minimum)/\(values.average(of: recordCount))/\(values.maximum)
            hash tables/entries/collisions: \(tableCount)/\(tables.total)/\(collisionCount)
            hash table min/avg/max length: \(tables.minimum)/\(tables.average(of: tableCount))/\(tables.maximum)
            hash table distances:

            """
        for (distance, count) in distances.enumerated() {
            let name = distance == 10 ? ">9" : "d\(distance)"
            let percent = recordCount == 0 ? 0 : count * 100 / recordCount
            text += " \(name): \(padded(count, 6)) \(padded(percent, 2))%\n"
        }
        return text
    }

    private func padded(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, width - digits.count)) + digits
    }
}

extension CDBReader {
    /// Computes statistics of records and slots.
    ///
    /// - Throws: Same as ``CDBCursor/next()``.
    /// - Complexity: O(size of the file), read from front to back.
    public func statistics() throws(CDBError) -> CDBStatistics {
        try checkHeader()
        var statistics = CDBStatistics()
        var window = CDBWindow(self, end: dataEnd)
        var position = dialect.headerSize
        while position < dataEnd {
            let record = try window.record(at: position)
            statistics.addRecord(keyCount: record.keyCount, valueCount: record.valueCount)
            position = record.end
        }
        window = CDBWindow(self, end: size)
        for number in 0..<256 where tables[number].count > 0 {
            let table = tables[number]
            statistics.addTable(slots: table.count)
            for slot in 0..<table.count {
                let (hash, position) = try window.pair(at: table.position + slot * dialect.pairSize)
                if position != 0 { statistics.addSlot(slot, hash: hash, count: table.count) }
            }
        }
        try checkIsWhole()
        return statistics
    }
}
