import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// The same records through Cairn and through tinycdb's program: equal files, and each reads the other's.
@Suite(.disabled(if: TinyCDB.isMissing, "the program 'cdb' is not installed"))
struct DifferentialTests {
    private static func records(_ random: inout SeededGenerator) -> [([UInt8], [UInt8])] {
        let keys = random.pick([1, 5, 50, 5_000])
        return (0..<random.int(in: 0..<600)).map { _ in
            let key = random.oneIn(3) ? random.bytes(random.int(in: 0..<20)) : Array("key \(random.int(in: 0..<keys))".utf8)
            let size = random.oneIn(50) ? random.int(in: 0..<20_000) : random.int(in: 0..<60)
            return (key, random.bytes(size))
        }
    }

    private static let modes: [(CDBWriter.PutMode, String)] = [
        (.add, ""), (.insert, "-u"), (.replace, "-r"), (.warn, "-w"), (.zeroFill, "-0"),
    ]

    @Test(arguments: 0..<5) func filesAreEqual(mode: Int) async throws {
        let (mode, flag) = Self.modes[mode]
        try await withSeeds("files beside cdb", count: Thorough.count(3, of: 12)) { random in
            let scene = try Scene()
            let records = Self.records(&random)
            try scene.write(recordText(records), "in.txt")
            let made = try TinyCDB.run("-c \(flag) theirs.cdb in.txt", in: scene)
            #expect(made.status == 0)
            let writer = try CDBWriter(path: scene.path("ours.cdb"), durability: .none)
            for (key, value) in records { try writer.put(value, for: key, mode) }
            try writer.finish()
            let ours = try scene.bytes("ours.cdb")
            let theirs = try scene.bytes("theirs.cdb")
            // tinycdb does not cut its file where it became shorter: what was there stays behind the tables.
            #expect(ours == Array(theirs.prefix(ours.count)))
            if mode == .add || mode == .insert || mode == .warn { #expect(ours.count == theirs.count) }
            try scene.reader("ours.cdb").verify()
            try scene.reader("theirs.cdb").verify()
        }
    }

    @Test func eachReadsTheOther() async throws {
        try await withSeeds("reading beside cdb", count: Thorough.count(3, of: 12)) { random in
            let scene = try Scene()
            let records = Self.records(&random)
            try scene.write(recordText(records), "in.txt")
            #expect(try TinyCDB.run("-c theirs.cdb in.txt", in: scene).status == 0)
            let writer = try CDBWriter(path: scene.path("ours.cdb"), durability: .none)
            for (key, value) in records { try writer.put(value, for: key) }
            try writer.finish()

            // They dump ours, and we dump theirs, as the text that was put in.
            #expect(try TinyCDB.run("-d ours.cdb > dump.txt", in: scene).status == 0)
            #expect(try scene.bytes("dump.txt") == recordText(records))
            let reader = try scene.reader("theirs.cdb", random.oneIn(2) ? .mapped : .positioned)
            var text: [UInt8] = []
            try reader.forEach { CDBTextFormat.records.append(key: $0, value: $1, to: &text) }
            #expect(text + Array("\n".utf8) == recordText(records))

            // Look-ups of keys that a shell can pass, found or not.
            for key in ["key 0", "key 3", "nothing"] {
                let answer = try TinyCDB.run("-q ours.cdb '\(key)' > answer", in: scene)
                let values = try reader.values(for: key)
                #expect(answer.status == (values.isEmpty ? 100 : 0))
                #expect(try scene.bytes("answer") == values.flatMap { $0 })
                let second = try TinyCDB.run("-q -n 2 ours.cdb '\(key)' > answer", in: scene)
                #expect(second.status == (values.count < 2 ? 100 : 0))
                #expect(try scene.bytes("answer") == reader.get(key, at: 1) ?? [])
            }
            #expect(try TinyCDB.run("-s ours.cdb", in: scene).standardOutput == "\(reader.statistics())")
        }
    }

    /// Where we find no damage, the program finds the same records; where it finds any, so do we.
    @Test func damageIsJudgedAlike() async throws {
        try await withSeeds("damage beside cdb", count: Thorough.count(15, of: 60)) { random in
            let scene = try Scene()
            var bytes = try scene.make((0..<20).map { ("key \($0)", "value \($0)") })
            // What neither can find: a byte of the first value. Then the records are compared.
            let isFound = random.oneIn(2)
            if !isFound { bytes[2048 + 8 + "key 0".utf8.count] = UInt8(truncatingIfNeeded: random.next()) }
            for _ in 0..<(isFound ? random.int(in: 1..<4) : 0) {
                // Not the first position: the program takes it for the end of the records also where that table is empty, and other writers do not mean it so.
                let place = random.oneIn(2) ? random.int(in: 4..<bytes.count) : random.int(in: 2048..<bytes.count)
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            if isFound, random.oneIn(4) { bytes.removeLast(random.int(in: 0..<100)) }
            try scene.write(bytes, "damaged.cdb")
            let dump = try TinyCDB.run("-d damaged.cdb > dump.txt", in: scene)
            guard let reader = try? scene.reader("damaged.cdb"), (try? reader.verify()) != nil else {
                #expect(isFound)
                return
            }
            #expect(dump.status == 0)
            var text: [UInt8] = []
            try reader.forEach { CDBTextFormat.records.append(key: $0, value: $1, to: &text) }
            #expect(try scene.bytes("dump.txt") == text + Array("\n".utf8))
        }
    }
}
