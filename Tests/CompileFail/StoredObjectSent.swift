// A stored object belongs to the thread, task or actor that uses its context.
import CairnObjects

@Stored final class Song {
    var artist: String
}

func play(_ song: Song) async {
    Task.detached {  // error: risks causing data races
        print(song.artist)
    }
}
