import CairnTestSupport
import Foundation
import Testing

@testable import CairnMapped

#if os(Linux)
struct FullDiskTests {
    /// A change that the disk has no room for leaves the room there is to others, also where the file system keeps what it allocated before it was
    /// full. The second size is more than anyone may allocate, but less than the blocks that are counted as free.
    @Test(.enabled(if: SmallDisk.isExt4Possible, "needs a user who may mount ext4 in a file"))
    func whatDoesNotFitTakesNoSpace() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            SmallDisk.mountExt4(at: directory.path, size: 32_000_000)
            defer { SmallDisk.unmount(at: directory.path) }
            func free() throws -> Int {
                let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory.path)
                return (attributes[.systemFreeSize] as? NSNumber)?.intValue ?? 0
            }
            let store = try MappedStore(path: directory.path("a.map"))
            try store.set("kept", for: "a")
            let (before, size) = (try free(), try store.fileSize)
            must(before > 16_000_000, "\(before) bytes are free")
            /// The file may get a block more that says where the others are.
            func isFree() throws -> Bool { try store.fileSize == size && free() > before - 65_536 }
            for excess in [before, 200_000] {
                let value = [UInt8](repeating: 1, count: before + excess)
                must(code { try store.set(value, for: "large") } == .noSpace)
                must(try isFree(), "\(try free()) of \(before) bytes are free after setting")
                let reserving = code { try store.reserveCapacity(keyCount: 1, size: .bytes(Int64(value.count))) }
                must(reserving == .noSpace)
                must(try isFree(), "\(try free()) of \(before) bytes are free after reserving")
            }
            // What no disk holds is refused before address space is taken for it.
            let view = try store.currentView()
            must(code { try store.reserveCapacity(keyCount: 1 << 36, size: .bytes(1)) } == .noSpace)
            must(try store.currentView() === view, "the same mapping as before")
            try Data(count: 1_000_000).write(to: URL(filePath: directory.path("other")))
            try store.set(2, for: "b")
            try store.compact()
            must(try store.get("a") == "kept" && store.get("b") == 2)
            try store.removeAll()
            try store.close()
        }
    }

    /// Without a free block, all values can be removed, and then there is space again; also if the store was opened again after the disk was full.
    @Test(.enabled(if: SmallDisk.isExt4Possible, "needs a user who may mount ext4 in a file"), arguments: [false, true])
    func allIsRemovedFromAFullDisk(isOpenedAgain: Bool) async {
        await #expect(processExitsWith: .success) { [isOpenedAgain = isOpenedAgain as Bool] in
            let directory = try TemporaryDirectory()
            SmallDisk.mountExt4(at: directory.path, size: 32_000_000)
            defer { SmallDisk.unmount(at: directory.path) }
            var store = try MappedStore(path: directory.path("a.map"))
            must(FileManager.default.createFile(atPath: directory.path("other"), contents: nil))
            let other = try FileHandle(forWritingTo: URL(filePath: directory.path("other")))
            /// Until neither the store nor another file gets any more.
            func fill() {
                var number = 0
                for size in [100_000, 1_000, 8] {
                    let value = [UInt8](repeating: 1, count: size)
                    while code({ try store.set(value, for: "\(size) \(number)") }) == nil { number += 1 }
                }
                while (try? other.write(contentsOf: Data(count: 512))) != nil {}
            }
            fill()
            must(try store.count > 100)
            if isOpenedAgain {
                try store.close()
                store = try MappedStore(path: directory.path("a.map"))
                fill()
            }
            must(code { try store.set(1, for: "one more") } == .noSpace)
            must(code { try store.compact() } == .noSpace)
            try store.removeAll()
            must(try store.isEmpty && store.fileSize < .bytes(100_000))
            try store.set([UInt8](repeating: 2, count: 1_000_000), for: "large")
            must(try store.verify().isIntact)
            try store.close()
            try other.close()
        }
    }
}
#endif
