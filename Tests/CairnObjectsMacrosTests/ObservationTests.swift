import CairnObjects
import Observation
import Synchronization
import Testing

struct ObservationTests {
    /// Whether an observer of what `use` reads is notified of `change`.
    private func isNotified(_ use: () -> Void, _ change: () -> Void) -> Bool {
        let notified = Atomic(false)
        // If there is no notification, the tracking outlives this call.
        let box = Box(notified)
        withObservationTracking(use) { box.notified.store(true, ordering: .relaxed) }
        change()
        return box.notified.load(ordering: .relaxed)
    }

    private final class Box: Sendable {
        let notified: Atomic<Bool>
        init(_ notified: consuming Atomic<Bool>) { self.notified = notified }
    }

    @Test func observersAreNotifiedOfWhatTheyUsed() {
        let song = Song(artist: "a", title: "b")
        #expect(isNotified({ _ = song.title }, { song.title = "c" }))
        #expect(isNotified({ _ = song.tags }, { song.tags.append("c") }))
        #expect(isNotified({ _ = song.released }, { song.released = 3 }))
        #expect(isNotified({ _ = song.album }, { song.album = Album(title: "d") }))
    }

    @Test func observersAreNotToldOfAnythingElse() {
        let song = Song(artist: "a", title: "b")
        #expect(!isNotified({ _ = song.title }, { song.seconds = 3 }))
        #expect(!isNotified({ _ = song.title }, { _ = song.seconds }))
        let other = Song(artist: "a", title: "b")
        #expect(!isNotified({ _ = song.title }, { other.title = "c" }))
        #expect(!isNotified({ song.title = "d" }, { song.title = "c" }))
    }
}
