import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Saves that the disk has no room for: they fail whole, all that was saved before is read, and the same save succeeds when there is room again.
@Suite struct ObjectFullDiskTests {
    /// A playlist of a hundred songs, and a context that has changed all of them.
    private struct Stage {
        let store: ObjectStore
        let context: ObjectContext
        let playlist: Playlist

        /// - Parameter images: How many megabytes the save takes, in images of one each.
        init(_ path: String, images: Int) throws {
            store = try ObjectStore(path: path, classes: musicClasses)
            try store.write { context in
                let playlist = Playlist(title: "p")
                for number in 0..<100 { playlist.songs.append(Song("\(number)", artist: String(repeating: "a", count: 900))) }
                context.insert(playlist)
                try context.setNamed("list", to: playlist)
            }
            context = try store.makeContext()
            playlist = try context.allObjects(Playlist.self)[0]
            for song in playlist.songs { song.seconds += 1 }
            try context.delete(playlist.songs[7])
            var generator = SeededGenerator(seed: 1)
            for _ in 0..<images { context.insert(Image(bytes: generator.bytes(1_000_000))) }
        }

        /// Saves, which must fail and change nothing.
        func mustFail() throws {
            let failure = code { try context.save() }
            must(failure == .ioError || failure == .noSpace, "a save without room: \(failure.map { "\($0)" } ?? "succeeded")")
            must(context.hasChanges && playlist.songs.count == 99, "the changes are still there")
            try mustHold(songs: 100, seconds: 0, images: 0)
        }

        func mustSucceed(images: Int) throws {
            try context.save()
            try mustHold(songs: 99, seconds: 1, images: images)
        }

        private func mustHold(songs: Int, seconds: Int, images: Int) throws {
            try store.read { other in
                let playlist = try other.named("list", as: Playlist.self)
                must(playlist?.songs.count == songs && playlist?.songs.allSatisfy { $0.seconds == seconds } == true, "\(songs) songs")
                must(try other.count(Song.self) == songs, "\(songs) songs are there")
                must(try other.count(Image.self) == images, "\(images) images")
            }
            must(try store.verify().isIntact, "the store is whole")
        }
    }

    /// So much is written as a file of its own, beyond whose size no file can grow here, which is as if the disk were full.
    @Test func `a large save without room fails whole, and succeeds when there is room`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let stage = try Stage(directory.path("store"), images: 18)
            let unlimited = limitFileSize(to: 1_000_000)
            try stage.mustFail()
            try stage.mustFail()
            limitFileSize(to: unlimited)
            try stage.mustSucceed(images: 18)
        }
    }

    #if os(Linux)
    /// While the disk is full, nothing is saved and nothing is lost; opened again with room, the store works.
    @Test(.enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
    func `a store on a full disk is whole, and works when it is opened again with room`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            SmallDisk.mount(at: directory.path, size: 4_000_000)
            let ballast = directory.path("ballast")
            must(FileManager.default.createFile(atPath: ballast, contents: Data(count: 2_000_000)), "a file that takes space")
            let stage = try Stage(directory.path("store"), images: 2)
            must(code { try stage.context.save() } == .noSpace, "a full disk is reported as such")
            try stage.mustFail()
            try FileManager.default.removeItem(atPath: ballast)
            stage.context.close()
            try? stage.store.close()
            let store = try ObjectStore(path: directory.path("store"), classes: musicClasses)
            must(try store.verify().isIntact && store.read { try $0.count(Image.self) } == 0, "what was saved is there, and no more")
            try store.write { $0.insert(Image(bytes: [UInt8](repeating: 1, count: 1_000_000))) }
            must(try store.read { try $0.count(Image.self) } == 1, "what was saved afterwards")
        }
    }
    #endif

    /// Any other failure to write the log is fatal to RocksDB.
    @Test func `a save that could not be logged fails whole, and the store is whole when it is opened again`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let stage = try Stage(directory.path("store"), images: 1)
            let unlimited = limitFileSize(to: 500_000)
            try stage.mustFail()
            limitFileSize(to: unlimited)
            try stage.mustFail()
            stage.context.close()
            try? stage.store.close()
            let store = try ObjectStore(path: directory.path("store"), classes: musicClasses)
            must(try store.verify().isIntact, "the store is whole")
            try store.write { context in
                for song in try context.allObjects(Song.self) { song.seconds = 2 }
                context.insert(Image(bytes: [1]))
            }
            must(try store.read { try $0.allObjects(Song.self).allSatisfy { $0.seconds == 2 } }, "what was saved afterwards")
        }
    }
}

/// Ends a process of its own with a failure: expectations there are not heard.
private func must(_ condition: Bool, _ what: String) {
    precondition(condition, "not so: \(what)")
}
