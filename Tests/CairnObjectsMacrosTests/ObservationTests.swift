import CairnObjects
import Observation
import Synchronization
import Testing

struct ObservationTests {
    /// Whether `change` is told to somebody who used what `use` uses.
    private func isTold(_ use: () -> Void, _ change: () -> Void) -> Bool {
        let told = Atomic(false)
        // The tracking outlives this call where nothing is told.
        let box = Box(told)
        withObservationTracking(use) { box.told.store(true, ordering: .relaxed) }
        change()
        return box.told.load(ordering: .relaxed)
    }

    private final class Box: Sendable {
        let told: Atomic<Bool>
        init(_ told: consuming Atomic<Bool>) { self.told = told }
    }

    @Test func observersAreToldOfWhatTheyUsed() {
        let song = Song(artist: "a", title: "b")
        #expect(isTold({ _ = song.title }, { song.title = "c" }))
        #expect(isTold({ _ = song.tags }, { song.tags.append("c") }))
        #expect(isTold({ _ = song.released }, { song.released = 3 }))
        #expect(isTold({ _ = song.album }, { song.album = Album(title: "d") }))
    }

    @Test func observersAreNotToldOfAnythingElse() {
        let song = Song(artist: "a", title: "b")
        #expect(!isTold({ _ = song.title }, { song.seconds = 3 }))
        #expect(!isTold({ _ = song.title }, { _ = song.seconds }))
        let other = Song(artist: "a", title: "b")
        #expect(!isTold({ _ = song.title }, { other.title = "c" }))
        #expect(!isTold({ song.title = "d" }, { song.title = "c" }))
    }
}
