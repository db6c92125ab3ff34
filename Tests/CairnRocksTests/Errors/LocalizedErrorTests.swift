import CairnCore
import CairnRocks
import Foundation
import Testing

/// What Foundation shows of an error is what the error says.
@Test func localizedDescriptionSaysWhatDescriptionSays() throws {
    let system = SystemCallError(call: "fsync", errno: 5)
    let file = failureOfMissingFile()
    let errors: [any Error & CustomStringConvertible] = [
        RocksError(.codec, "reading a value", userData: "secret", cause: CodecError(.invalidText, "no text")),
        CodecError(.truncated, "it ends early"), system, file,
    ]
    for error in errors {
        #expect((error as any Error).localizedDescription == error.description)
        #expect(!error.localizedDescription.contains("secret"))
    }
}

private func failureOfMissingFile() -> FileError {
    do throws(FileError) {
        _ = try File("/no/such/file", [.read])
        return FileError(.other, "none")
    } catch {
        return error
    }
}
