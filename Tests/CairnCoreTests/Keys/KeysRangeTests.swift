import CairnCore
import CairnTestSupport
import Testing

@Suite struct KeysRangeTests {
    @Test func prefixRangesCoverWhatStartsWithTheElements() {
        let range = Key("users", 42).prefixRange
        for key in [Key("users", 42).keyBytes, Key("users", 42, "").keyBytes, Key("users", 42, Int?.none).keyBytes] {
            #expect(range.contains(key))
        }
        #expect(range.contains(Key("users", 42, Versionstamp(commit: .max, batch: .max, user: .max)).keyBytes))
        for key in [Key("users").keyBytes, Key("users", 41).keyBytes, Key("users", 43).keyBytes, Key("users\0", 42).keyBytes] {
            #expect(!range.contains(key))
        }
        // A byte-wise prefix is not enough: "a\0" starts with the bytes of "a".
        #expect(!"a".prefixRange.contains("a\0".keyBytes))
        #expect(Key().prefixRange.contains(Key(Int?.none).keyBytes))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func prefixRangesAgreeWithTheElements(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let tuples =
            (0..<Thorough.count(60, of: 300)).map { _ in random.elements() } + [[.null], [.null, .null], [.tuple([])], [.tuple([.null])]]
        var covered = 0
        for start in tuples {
            let range = KeyTuple(start).prefixRange
            for tuple in tuples {
                let expected = tuple.starts(with: start)
                #expect(range.contains(KeyTuple(tuple).keyBytes) == expected, "seed \(seed): \(tuple) in \(start)")
                if expected { covered += 1 }
            }
        }
        #expect(covered > tuples.count, "seed \(seed)")
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func stringRangesAgreeWithTheText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = (0..<Thorough.count(60, of: 300)).map { _ in random.string() }
        var covered = 0
        for start in texts {
            let range = KeyRange.strings(startingWith: start)
            let behind = KeyRange.strings(startingWith: start, behind: Key("names"))
            for text in texts {
                let expected = text.unicodeScalars.starts(with: start.unicodeScalars)
                #expect(range.contains(text.keyBytes) == expected, "seed \(seed): \(text) in \(start)")
                #expect(behind.contains(Key("names", text, 1).keyBytes) == expected, "seed \(seed): \(text) in \(start)")
                if expected { covered += 1 }
            }
        }
        #expect(covered > texts.count, "seed \(seed)")
        #expect(!KeyRange.strings(startingWith: "").contains(([0x61] as [UInt8]).keyBytes))
        #expect(!KeyRange.strings(startingWith: "").contains(Key(1).keyBytes))
    }

    @Test func bytePrefixes() {
        #expect(KeyRange.successor(ofPrefix: [1, 2]) == [1, 3])
        #expect(KeyRange.successor(ofPrefix: [1, 0xFF, 0xFF]) == [2])
        #expect(KeyRange.successor(ofPrefix: [0xFF, 0xFF]) == nil)
        #expect(KeyRange.successor(ofPrefix: []) == nil)
        let range = KeyRange(prefix: "ab")
        #expect(range == KeyRange(lowerBound: [0x61, 0x62], upperBound: [0x61, 0x63]))
        #expect(range.contains("ab") && range.contains("abz") && !range.contains("a") && !range.contains("ac"))
        let last = KeyRange(prefix: [0xFF] as [UInt8])
        #expect(last.upperBound == nil)
        #expect(last.contains([0xFF, 0xFF] as [UInt8]) && !last.contains([0xFE] as [UInt8]))
    }
}
