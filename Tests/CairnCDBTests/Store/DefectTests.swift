import CairnCDB
import CairnTestSupport
import Foundation
import Testing

/// The thirteen defects of the library whose idea this is (`docs/formats/cdb.md` has them), by their numbers: each shown not to be here.
struct DefectTests {
    @Test func defect1AFailedSaveForgetsNoChange() throws {
        let scene = try Scene()
        try scene.make([("a", "old")])
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let store = try scene.store(through: disk)
        try store.put("new", for: "a")
        disk.inject(Fault(.fail(28), at: 1, of: [.rename]))
        #expect(code { try store.save() } == .noSpace)
        #expect(try store.hasChanges && store.changedKeys() == ["a"])
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=new"])
    }

    @Test func defect2DamageIsNotTakenForTheEnd() throws {
        let scene = try Scene()
        var bytes = try scene.make((0..<10).map { ("key \($0)", "value") })
        // The length of the fifth key.
        bytes[2048 + 4 * 18] = 0xFF
        bytes[2048 + 4 * 18 + 1] = 0xFF
        try scene.write(bytes)
        var seen = 0
        #expect(code { try scene.reader().forEach { _, _ in seen += 1 } } == .corruption)
        #expect(seen == 4)
        let store = try scene.store()
        try store.put("1", for: "new")
        #expect(code { try store.keys() } == .corruption)
        #expect(code { try store.save() } == .corruption)
        #expect(try scene.bytes() == bytes)
    }

    @Test func defect3FileAndDirectoryAreSynced() throws {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let store = try scene.store(through: disk, options: CDBStoreOptions())
        try store.put("1", for: "a")
        try store.save()
        let order = disk.trace.filter { $0.hasPrefix("fsync") || $0.hasPrefix("rename") }
        #expect(order == ["fsync .cairn-*.tmp", "rename .cairn-*.tmp db.cdb", "fsync ."])
        try disk.cutPower(.losingAll)
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }

    @Test func defect4StoresOfOneFileDoNotCollide() throws {
        let scene = try Scene()
        let first = try scene.store()
        let second = try scene.store()
        try first.put("1", for: "a")
        try second.put("2", for: "b")
        try first.save()
        // Neither is the temporary file shared, nor is the other's change lost unseen.
        #expect(code { try second.save() } == .conflict)
        try second.save(onConflict: .merge)
        #expect(try scene.reader().pairTexts() == ["a=1", "b=2"])
    }

    @Test func defect5ErrorsAreThrownWhetherOrNotAnyoneLooks() throws {
        let scene = try Scene()
        #expect((try? scene.store("no/where.cdb")) == nil)
        #expect(code { try scene.store("no/where.cdb") } == .notFound)
    }

    @Test func defect6TheLastReferenceSaves() throws {
        let scene = try Scene()
        do {
            let store = try scene.store()
            try store.put("1", for: "a")
        }
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }

    @Test func defect7AKeyAddedAndDeletedIsNowhere() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let store = try scene.store()
        try store.put("2", for: "b")
        try store.put("3", for: "c")
        try store.delete("b")
        #expect(try store.keys() == ["a", "c"] && store.values() == ["1", "3"])
    }

    @Test func defect8EmptyValues() throws {
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path())
        try writer.put([UInt8](), for: "empty")
        try writer.put(Data(), for: [UInt8]())
        try writer.finish()
        #expect(try scene.reader().pairTexts() == ["empty=", "="])
    }

    /// Descriptor 0 is one like any other.
    @Test func defect8DescriptorZero() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            try scene.make([("a", "1")])
            close(0)
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            let reader = try CDBReader(path: scene.path(), access: .positioned, dialect: .standard, fileSystem: disk.fileSystem)
            // It has the number: the next one is larger.
            try #require(dup(1) > 0)
            try #require(try reader.get("a", as: String.self) == "1")
        }
    }

    @Test func defect9And10LengthsAreNotCutTo32Bits() throws {
        let scene = try Scene()
        // Lengths whose sum wraps in 32 bits do not make a record small.
        var bytes = try scene.make([("a", "1")])
        for place in 2048..<2056 { bytes[place] = 0xFF }
        let reader = try CDBReader(bytes: bytes)
        #expect(code { try reader.count } == .corruption)
        #expect(code { try reader.entries() } == .corruption)
        // Nor tables whose end does.
        var wrapped = try scene.make([("a", "1")])
        let table = try #require((0..<256).first { wrapped[$0 * 8 + 4] != 0 })
        wrapped.replaceSubrange(table * 8 + 4..<table * 8 + 8, with: [1, 0, 0, 0x20])
        #expect(code { try CDBReader(bytes: wrapped).get("a") } == .corruption)
        // The wide dialects say so too, with 64 bits.
        var wide = try scene.make([("a", "1")], dialect: .go64)
        for place in 4096..<4112 { wide[place] = 0xFF }
        #expect(
            code { try CDBReader(bytes: wide, dialect: .go64).get("a") } == .corruption
                || (try? CDBReader(bytes: wide, dialect: .go64).get("a")) == .some(nil)
        )
        #expect(code { try CDBReader(bytes: wide, dialect: .go64).count } == .corruption)
    }

    @Test func defect11NothingToSaveIsNotSaved() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let store = try scene.store(through: disk)
        disk.reset()
        try store.put("1", for: "a")
        try store.put("2", for: "b")
        try store.delete("b")
        #expect(try !store.save())
        #expect(disk.trace.isEmpty)
    }

    @Test func defect12LentBytesStayOverASave() throws {
        let scene = try Scene()
        try scene.make([("a", "before")])
        for access in [CDBReader.Access.mapped, .positioned] {
            var options = CDBStoreOptions.buffered
            options.access = access
            let store = try scene.store(options: options)
            try store.withValue(for: "a") { bytes in
                try store.put("after", for: "a")
                try store.save()
                try store.close()
                #expect(try String(copying: bytes) == "before")
            }
            try scene.make([("a", "before")])
        }
    }

    @Test func defect13EqualChangesGiveEqualBytes() throws {
        let scene = try Scene()
        for name in ["one.cdb", "two.cdb"] {
            let store = try scene.store(name)
            for number in 0..<200 { try store.put("\(number)", for: "key \(number * 7919 % 1_000)") }
            try store.save()
            for number in 0..<50 { try store.delete("key \(number)") }
            try store.save()
        }
        #expect(try scene.bytes("one.cdb") == scene.bytes("two.cdb"))
    }
}
