import CairnMapped
import CairnTestSupport
import Foundation
import Testing

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
            try Data(count: 1_000_000).write(to: URL(filePath: directory.path("other")))
            try store.set(2, for: "b")
            try store.compact()
            must(try store.get("a") == "kept" && store.get("b") == 2)
            try store.removeAll()
            try store.close()
        }
    }
}
#endif
