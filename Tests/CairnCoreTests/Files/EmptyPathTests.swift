import CairnCore
import Testing

@Suite struct EmptyPathTests {
    @Test func errorsSayThatThePathIsEmpty() throws {
        let error = #expect(throws: FileError.self) { try File("", [.read]) }
        let text = "\(try #require(error))"
        #expect(error?.message == "could not open ''; the path is empty")
        #expect(!text.contains("multibyte"), "\(text)")
        #expect(error?.code == .invalidPath)
    }
}
