import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct ParityMergeTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    func open(_ mergeOperator: MergeOperator) throws -> RocksDB {
        var options = ColumnFamilyOptions()
        options.mergeOperator = mergeOperator
        return try scene.open(options)
    }

    @Test func `an associative operator adds integers`() throws {
        let db = try open(
            MergeOperator(name: "parity.add", keys: .raw, values: .littleEndian) { (_: String, sum: Int?, n: Int) in (sum ?? 0) + n }
        )
        let numbers = db.table(keys: .raw, values: ValueCodec<String, Int>.littleEndian)
        try numbers.put(1, for: "key")
        try numbers.merge(5, for: "key")
        #expect(try numbers.get("key") == 6)
    }

    @Test func `an associative operator adds doubles`() throws {
        let add = MergeOperator(name: "parity.add", keys: .raw, values: .littleEndian) { (_: String, sum: Double?, n: Double) in
            (sum ?? 0) + n
        }
        let numbers = try open(add).table(keys: .raw, values: ValueCodec<String, Double>.littleEndian)
        try numbers.put(100.541, for: "key")
        try numbers.merge(200.125, for: "key")
        #expect(abs(try #require(try numbers.get("key")) - 300.666) < 0.0001)
    }

    @Test func `an associative operator puts into a dictionary`() throws {
        let merge = MergeOperator(name: "parity.dictionary", keys: .raw, values: .json) {
            (_: String, existing: [String: String]?, operand: [String: String]) in (existing ?? [:]).merging(operand) { $1 }
        }
        let dictionaries = try open(merge).table(keys: .raw, values: ValueCodec<String, [String: String]>.json)
        try dictionaries.put(["Key 1": "Value 1"], for: "key")
        for operand in [
            ["Key 1": "Value 1 New"], ["Key 2": "Value 2"], ["Key 3": "Value 3"], ["Key 4": "Value 4"], ["Key 5": "Value 5"],
        ] { try dictionaries.merge(operand, for: "key") }
        let expected = ["Key 1": "Value 1 New", "Key 2": "Value 2", "Key 3": "Value 3", "Key 4": "Value 4", "Key 5": "Value 5"]
        #expect(try dictionaries.get("key") == expected)
    }

    @Test(arguments: [false, true]) func `an operator applies update, insert and delete operands`(isFlushed: Bool) throws {
        let json = ValueCodec<String, [String: String]>.json
        let update = MergeOperator(
            name: "parity.update",
            full: { _, existing, operands in
                do {
                    var result: [String: String] = if let existing { try json.decode(existing, for: "") } else { [:] }
                    for index in 0..<operands.count {
                        let parts = String(decoding: [UInt8](copying: operands[index]), as: UTF8.self).split(separator: ":").map(
                            String.init
                        )
                        result[parts[0]] = parts[1] == "DELETE" ? nil : parts[2]
                    }
                    return try json.encode(result, for: "")
                } catch {
                    return nil
                }
            },
            // Two operands on one entry: the later one counts.
            partial: { _, operands in
                func entry(_ index: Int) -> Substring? {
                    String(decoding: [UInt8](copying: operands[index]), as: UTF8.self).split(separator: ":").first
                }
                guard (1..<operands.count).allSatisfy({ entry($0) == entry(0) }) else { return nil }
                return [UInt8](copying: operands[operands.count - 1])
            }
        )
        let dictionaries = try open(update).table(keys: .raw, values: json)
        try dictionaries.put(["Key 1": "Value 1", "Key 2": "Value 2", "Key 3": "Value 3"], for: "Dict Key")
        for operand in ["Key 1:UPDATE:Value X", "Key 4:INSERT:Value 4", "Key 2:DELETE", "Key 1:UPDATE:Value 1 New"] {
            try dictionaries.merge(bytes: operand, for: "Dict Key")
        }
        if isFlushed { try dictionaries.space.flush() }
        #expect(try dictionaries.get("Dict Key") == ["Key 1": "Value 1 New", "Key 3": "Value 3", "Key 4": "Value 4"])
    }
}
