import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// RocksDB's own operators, and what a merge that fails does.
struct MergeOperatorBuiltInTests {
    let scene = try! Scene()

    private func open(_ mergeOperator: MergeOperator) throws -> RocksDB {
        try scene.open(ColumnFamilyOptions(mergeOperator: mergeOperator))
    }

    /// The value after each of `operands`, in a database flushed between them or not.
    private func merged(_ mergeOperator: MergeOperator, onto value: [UInt8]? = nil, _ operands: [UInt8]...) throws -> [UInt8]? {
        var results: [[UInt8]?] = []
        for flushed in [false, true] {
            let scene = try Scene(), db = try scene.open(ColumnFamilyOptions(mergeOperator: mergeOperator))
            if let value { try db.put(value, for: "key") }
            for operand in operands {
                try db.merge(operand, for: "key")
                if flushed { try db.flush() }
            }
            let before = try db.get("key")
            try db.compact()
            #expect(try db.get("key") == before)
            // Open again with the same operator: its text form is understood.
            try db.close()
            results.append(try scene.open(ColumnFamilyOptions(mergeOperator: mergeOperator)).get("key"))
        }
        #expect(results[0] == results[1])
        return results[0]
    }

    @Test func addition() throws {
        func number(_ value: UInt64) -> [UInt8] { unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) } }
        let add = try MergeOperator.addUInt64()
        #expect(try merged(add, number(1), number(300)) == number(301))
        #expect(try merged(add, onto: number(.max), number(2)) == number(1))
        // A value of any other length is zero.
        #expect(try merged(add, onto: [1, 2, 3], number(7)) == number(7))
    }

    /// RocksDB would ignore them.
    @Test(arguments: [0, 3, 7, 9]) func operandsThatAreNotNumbersAreRefused(length: Int) throws {
        let operand = [UInt8](repeating: 1, count: length)
        let db = try scene.open(ColumnFamilyOptions(mergeOperator: .addUInt64()))
        let error = #expect(throws: RocksError.self) { try db.merge(operand, for: "key") }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("adds numbers of 8 bytes; the operand has \(length)") == true, "\(String(describing: error))")
        #expect(
            code {
                try db.write { batch in
                    batch.put("1", for: "other"); batch.merge(operand, for: "key")
                }
            } == .invalidArgument
        )
        #expect(try db.keys().isEmpty)
        let writer = try SSTFileWriter(path: scene.path + "-numbers.sst", options: ColumnFamilyOptions(mergeOperator: .addUInt64()))
        #expect(code { try writer.merge(operand, for: "key") } == .invalidArgument)
        try writer.merge([UInt8](repeating: 0, count: 8), for: "key")
        #expect(try writer.finish().entryCount == 1)
    }

    @Test func appending() throws {
        #expect(try merged(.appendText(), [97], [98], [99]) == Array("a,b,c".utf8))
    }

    @Test(arguments: ["", "|", "::", "a\tb", "- -", "é", ",,"]) func separators(separator: String) throws {
        let text = try merged(.appendText(separator: separator), onto: Array("x".utf8), Array("a".utf8), [], Array("b".utf8))
        #expect(text.map { String(decoding: $0, as: UTF8.self) } == ["x", "a", "", "b"].joined(separator: separator))
    }

    @Test(arguments: [";", "{", "}", "=", "\\", "\n", " a", "a ", "\0", "a#b"]) func separatorsThatCannotBe(separator: String) {
        #expect(code { try MergeOperator.appendText(separator: separator) } == .invalidArgument)
    }

    @Test func theRest() throws {
        #expect(try merged(.largest(), onto: [2], [1], [3], [2, 9]) == [3])
        #expect(try merged(.last(), onto: [2], [1], [3], []) == [])
        #expect(try merged(.xor(), onto: [0b1100], [0b1010, 7], [1]) == [0b0111, 7])
    }

    private static let failing = MergeOperator(name: "test.failing") { _, _, _ in nil }

    @Test func failuresSayWhatToDo() throws {
        let db = try open(Self.failing)
        try db.merge("2", for: "a")
        let error = failure { try db.get("a") }
        #expect(error?.message.contains("merge operator of the column family") == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix("put or delete the key to replace them") == true, "\(error?.message ?? "")")
        try db.put("3", for: "a")
        #expect(try db.get("a") == "3")
    }

    /// What the documentation says of failures: reads throw, and files keep the operands.
    @Test func failuresInEveryRead() throws {
        let db = try open(Self.failing)
        try db.put("1", for: "a")
        try db.merge("2", for: "a")
        try db.put("3", for: "b")
        let snapshot = try db.makeSnapshot()
        #expect(code { try db.get("a") } == .corruption)
        #expect(code { try snapshot.get("a") } == .corruption)
        #expect(code { try db.withValue(for: "a") { $0.byteCount } } == .corruption)
        #expect(code { try db.multiGet(["b", "a"]) } == .corruption)
        #expect(code { try db.forEach { _, _ in } } == .corruption)
        #expect(code { try db.count() } == .corruption)
        snapshot.close()
        #expect(try db.text("b") == "3")
    }

    /// A flush that must merge fails, and leaves everything as it was: in the log.
    @Test func failuresInFlushes() throws {
        let isBroken = Box(true)
        let fragile = MergeOperator(name: "test.fragile") { _, _, operand in isBroken.value ? nil : [UInt8](copying: operand) }
        var db = try open(fragile)
        try db.put("1", for: "a")
        try db.merge("2", for: "a")
        #expect(code { try db.flush() } == .corruption)
        // No more writes, and no opening, as long as the operator fails.
        #expect(code { try db.put("1", for: "b") } == .corruption)
        try? db.close()
        #expect(code { try open(fragile) } == .corruption)
        isBroken.value = false
        db = try open(fragile)
        #expect(try db.text("a") == "2")
    }

    /// Whatever a compaction makes of it, the operands stay in their files.
    @Test func failuresInCompactions() throws {
        let isBroken = Box(false)
        let fragile = MergeOperator(name: "test.fragile") { _, _, operand in isBroken.value ? nil : [UInt8](copying: operand) }
        var db = try open(fragile)
        try db.put("1", for: "a")
        try db.flush()
        try db.merge("2", for: "a")
        try db.flush()
        isBroken.value = true
        #expect([nil, .corruption].contains(code { try db.compact() }))
        #expect(code { try db.get("a") } == .corruption)
        try? db.close()
        isBroken.value = false
        db = try open(fragile)
        try db.compact()
        #expect(try db.text("a") == "2")
    }
}
