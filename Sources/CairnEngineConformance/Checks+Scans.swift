import CairnEngine

extension EngineCheck {
    /// Keys of all lengths, made of the bytes where orders go wrong.
    private static let keys: [[UInt8]] = {
        let bytes: [UInt8] = [0, 1, 0x61, 0x7F, 0x80, 0xFE, 0xFF]
        var keys: [[UInt8]] = bytes.map { [$0] }
        for first in bytes { for second in bytes { keys.append([first, second]) } }
        keys += [[0, 0, 0], [0xFF, 0xFF, 0xFF], [0x61, 0x61, 0x61, 0x61], [0xFF, 0xFF, 0xFF, 0xFF]]
        return keys.sorted { $0.lexicographicallyPrecedes($1) }
    }()

    private static let bounds: [[UInt8]] = [
        [], [0], [0, 0], [1], [0x61], [0x61, 0x61, 0x62], [0x80], [0xFF], [0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF, 0],
    ]

    static let scanChecks = [
        EngineCheck("scans go through keys in the order of unsigned bytes, in both directions") { stage in
            try stage.put(keys.shuffled(using: &stage.random).map { ($0, $0) })
            let view = try stage.engine.makeView()
            try require(view.entries().map(\.key) == keys, "a scan of everything gives the wrong keys or order")
            try require(
                view.entries(reverse: true).map(\.key) == keys.reversed(),
                "a reverse scan of everything gives the wrong keys or order"
            )
            try require(view.entries().allSatisfy { $0.key == $0.value }, "a scan gives the values of other keys")
        },
        EngineCheck("scans keep to their bounds") { stage in
            try stage.put(keys.map { ($0, $0) })
            let view = try stage.engine.makeView()
            for start in bounds {
                for end in bounds.map(Optional.init) + [nil] {
                    let range = KeyRange(lowerBound: start, upperBound: end)
                    let expected = keys.filter { range.contains($0) }
                    for reverse in [false, true] {
                        let found = try view.entries(range, reverse: reverse).map(\.key)
                        try require(
                            found == (reverse ? expected.reversed() : expected),
                            "the scan of \(range), reverse: \(reverse), gives \(found)"
                        )
                    }
                }
            }
        },
        EngineCheck("scans of a prefix find all that begin with it") { stage in
            try stage.put(keys.map { ($0, []) })
            let view = try stage.engine.makeView()
            for prefix in bounds {
                let expected = keys.filter { $0.starts(with: prefix) }
                let found = try view.entries(KeyRange(prefix: prefix)).map(\.key)
                try require(found == expected, "the scan of the prefix \(prefix) gives \(found)")
            }
        },
        EngineCheck("several ranges are scanned one after the other") { stage in
            try stage.put(keys.map { ($0, $0) })
            for count in [0, 2, 40, 300] {
                let ranges = (0..<count).map { _ in
                    let (start, end) = (bounds.randomElement(using: &stage.random)!, bounds.randomElement(using: &stage.random)!)
                    return KeyRange(lowerBound: start, upperBound: end)
                }
                try requireEach(ranges, of: keys, stage.engine.makeView(), &stage.random)
            }
            // More than engines read of a range at once.
            let many = (0..<2500).map { Array("many \(10_000 + $0)".utf8) }
            try stage.put(many.map { ($0, $0) })
            let all = (keys + many).sorted { $0.lexicographicallyPrecedes($1) }
            let view = try stage.engine.makeView()
            try requireEach([KeyRange(prefix: "many")], of: all, view, &stage.random)
            let ranges = [KeyRange(prefix: "many"), .all, KeyRange(prefix: "a"), KeyRange(prefix: "many")]
            try requireEach(ranges, of: all, view, &stage.random)
        },
        EngineCheck("scans end when the body returns false") { stage in
            try stage.put((0..<200).map { (Array("\($0 + 100)".utf8), []) })
            let view = try stage.engine.makeView()
            for limit in [1, 7, 199, 200, 201] {
                try require(view.entries(limit: limit).count == min(limit, 200), "a scan of \(limit) entries gives a different number")
                try require(
                    view.entries(reverse: true, limit: limit).count == min(limit, 200),
                    "a reverse scan of \(limit) entries gives a different number"
                )
            }
            try require(view.entries(reverse: true, limit: 1).first?.key == Array("299".utf8), "a reverse scan does not begin at the end")
            struct Stop: Error {}
            var calls = 0
            do {
                try view.scan { _, _ in
                    calls += 1
                    throw Stop()
                }
                throw EngineCheckFailure(description: "a scan swallowed the error of its closure")
            } catch is Stop {}
            try require(calls == 1, "a scan continued after its closure threw an error")
        },
        EngineCheck("the empty key is a key, where it is allowed") { stage in
            guard stage.engine.limits.allowsEmptyKey else {
                let engine = stage.engine
                var commit = EngineCommit()
                commit.put("1", for: "")
                try requireError(.notSupported, "putting the empty key") { try engine.commit(commit) }
                return
            }
            try stage.put(["": "empty", "a": "1"])
            try require(stage.contents() == "=empty a=1", "the empty key is in the wrong place")
            try require(stage.get("") == "empty", "the empty key is not found")
            try stage.commit { $0.delete("") }
            try require(stage.contents() == "a=1", "the empty key was not deleted")
        },
    ]
    /// Requires that scanning ranges together gives the same as one by one, to the end and up to some entry.
    private static func requireEach(
        _ ranges: [KeyRange],
        of keys: [[UInt8]],
        _ view: any EngineView,
        _ random: inout CheckGenerator
    ) throws {
        for reverse in [false, true] {
            let expected = ranges.enumerated().flatMap { index, range in
                let found = keys.filter { range.contains($0) }
                return (reverse ? found.reversed() : found).map { (index, $0) }
            }
            for limit in [Int.max, expected.isEmpty ? 1 : Int.random(in: 1...expected.count, using: &random)] {
                var found: [(Int, [UInt8])] = []
                var isRight = true
                try view.lendEntries(inEach: ranges, reverse: reverse) { index, key, value in
                    let key = [UInt8](copying: key)
                    isRight = isRight && key == [UInt8](copying: value)
                    found.append((index, key))
                    return found.count < limit
                }
                isRight = isRight && found.elementsEqual(expected.prefix(limit)) { $0 == $1 }
                let scan = "a scan of \(ranges.count) ranges, reverse: \(reverse), up to entry \(limit),"
                try require(isRight, "\(scan) gives the wrong entries or order")
            }
        }
    }
}
