// expected: risks causing data races
import CairnRocks

final class Holder { var cursor: Cursor; init(_ cursor: consuming Cursor) { self.cursor = cursor } }

func share(_ holder: Holder) {
    Task { holder.cursor.close() }
    holder.cursor.close()
}
