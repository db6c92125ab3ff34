import CairnCore
import Testing

struct CairnErrorTests {
    private let call = SystemCallError(call: "fsync", errno: 5)
    private var disk: FileError { FileError(.ioError, "the disk failed", cause: call) }

    @Test func `causes are shown in the order in which they lead to each other`() {
        let error = FileError(.other, "could not save", cause: CodecError(.failed, "could not encode", cause: disk))
        #expect(error.description == "other: could not save [failed: could not encode [ioError: the disk failed [\(call)]]]")
        #expect(error.fullDescription == error.description)
    }

    @Test func `a cause that the message quotes is not shown again, but its own cause is`() {
        let error = FileError(.noSpace, "could not save: the disk failed", cause: disk)
        #expect(error.description == "noSpace: could not save: the disk failed [\(call)]")
        #expect(error.fullDescription == error.description)
        let outer = CodecError(.failed, error.message, cause: error)
        #expect(outer.description == "failed: could not save: the disk failed [\(call)]")
        #expect(FileError(.other, "could not save: \(call)", cause: call).description == "other: could not save: \(call)")
    }

    @Test func `a cause that another cause quotes is not shown again`() {
        let middle = CodecError(.failed, "could not encode: the disk failed", cause: disk)
        let error = FileError(.other, "could not save", cause: middle)
        #expect(error.description == "other: could not save [failed: could not encode: the disk failed [\(call)]]")
    }

    @Test func `user data of a cause that is not shown again is shown, once`() {
        let cause = CodecError(.malformed, "the value is damaged", userData: "key secret")
        let error = FileError(.other, "could not read: the value is damaged", cause: cause)
        #expect(error.description == "other: could not read: the value is damaged")
        #expect(error.fullDescription == "other: could not read: the value is damaged [(key secret)]")
        let outer = CodecError(.failed, "could not load", userData: "key secret", cause: cause)
        #expect(outer.description == "failed: could not load [malformed: the value is damaged]")
        #expect(outer.fullDescription == "failed: could not load (key secret) [malformed: the value is damaged]")
    }

    @Test func `causes from other libraries are always shown, without what they quote`() {
        struct ForeignError: Error, CustomStringConvertible { let description = "save" }
        let error = FileError(.other, "could not save", cause: ForeignError())
        #expect(error.description == "other: could not save [ForeignError]")
        #expect(error.fullDescription == "other: could not save [save]")
    }
}
