import CairnCore
import CairnToolKit
import Testing

/// The sentences that errors become.
struct FailureTests {
    private struct ServerError: Error, CustomStringConvertible {
        let description: String
    }

    private func sentence(_ message: String, _ cause: String) -> String {
        FileError(.other, message, cause: ServerError(description: cause)).sentence
    }

    @Test func aCauseTakesThePlaceOfAReferenceToIt() {
        let refused = "connection to port 1 failed: Connection refused\n\tIs the server running?\n"
        let shown = "connection to port 1 failed: Connection refused. Is the server running?"
        #expect(sentence("the server cannot be reached; see the cause", refused) == "The server cannot be reached: \(shown)")
        #expect(
            sentence("the server cannot be reached; see the cause", refused + refused) == "The server cannot be reached: \(shown) \(shown)"
        )
        #expect(sentence("the server cannot be reached", refused) == "The server cannot be reached (\(shown)).")
        #expect(sentence("the server failed; see the cause", "no  room") == "The server failed: no room.")
    }

    @Test func aCauseThatTheMessageNamesIsNotRepeated() {
        #expect(sentence("could not open the store: no room", "no room") == "Could not open the store: no room.")
    }

    @Test(arguments: ["is empty", "has 1 field", "cannot be opened"]) func whatIsSaidOfAnInputIsASentence(predicate: String) {
        #expect(InputError(source: "a.csv", predicate).description == "a.csv \(predicate)")
        #expect(InputError(source: "a.csv", line: 2, predicate).description == "a.csv, line 2, \(predicate)")
        #expect(InputError(source: "a.csv", line: 2, "a field \(predicate)").description == "a.csv, line 2: a field \(predicate)")
    }
}
