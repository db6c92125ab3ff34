import CairnCore
import Foundation
import Testing

struct FileErrorTests {
    static let table: [(Int32, FileError.Code)] = [
        (ENOENT, .notFound), (EEXIST, .alreadyExists), (EACCES, .permissionDenied), (EPERM, .permissionDenied), (EROFS, .readOnly),
        (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EISDIR, .isDirectory), (ENOTDIR, .notADirectory), (ENOTEMPTY, .notEmpty),
        (EIO, .ioError), (ENXIO, .ioError), (EAGAIN, .locked), (EWOULDBLOCK, .locked), (EBUSY, .locked), (ETXTBSY, .locked),
        (EFBIG, .tooLarge), (EOVERFLOW, .tooLarge), (ENAMETOOLONG, .invalidPath), (ELOOP, .invalidPath), (EILSEQ, .invalidPath),
        (EMFILE, .tooManyOpenFiles), (ENFILE, .tooManyOpenFiles), (ENOMEM, .outOfMemory), (EXDEV, .crossesFileSystems),
        (ENOTSUP, .notSupported), (EOPNOTSUPP, .notSupported), (ENOSYS, .notSupported), (ENODEV, .notSupported),
        (EINVAL, .other), (EBADF, .other), (0, .other), (-1, .other), (123_456, .other),
    ]

    @Test(arguments: table) func errorNumbersBecomeCodes(number: Int32, code: FileError.Code) {
        let cause = SystemCallError(call: "open", errno: number)
        let error = FileError("could not open", "/a/b", cause: cause)
        #expect(error.code == code)
        #expect(error.systemCall == cause)
        #expect(error.message.hasPrefix("could not open /a/b"))
        // Every kind of failure comes with advice; the unknown ones speak for themselves.
        #expect(error.message.contains("; ") == (code != .other))
    }

    @Test(arguments: [(ELOOP, "symbolic links"), (ENAMETOOLONG, "too long"), (EILSEQ, "a character"), (ENXIO, "a socket")])
    func whatIsWrongWithAPathIsNamed(number: Int32, word: String) {
        let message = FileError("could not open", "/a/b", cause: SystemCallError(call: "open", errno: number)).message
        #expect(message.contains(word))
    }

    @Test func descriptionTellsAttemptPathRemedyAndCall() {
        let error = FileError("could not sync", "/a/b", cause: SystemCallError(call: "fsync", errno: EIO))
        #expect(error.description.hasPrefix("ioError: could not sync /a/b; the device failed"))
        #expect(error.description.hasSuffix("[fsync: \(error.systemCall?.text ?? "") (errno \(EIO))]"))
        #expect(error.systemCall?.text.lowercased().hasPrefix("input/output error") == true)
        #expect(error.fullDescription == error.description)
        #expect(error.userData == nil)
    }

    @Test func codesDescribeThemselves() {
        #expect(FileError.Code.noSpace.description == "noSpace")
        #expect(FileError.Code.crossesFileSystems.description == "crossesFileSystems")
    }

    @Test func unknownNumbersHaveText() {
        #expect(!SystemCallError(call: "x", errno: 123_456).text.isEmpty)
        #expect(SystemCallError(call: "x", errno: 123_456).description.hasSuffix("(errno 123456)"))
    }

    @Test func durabilityNames() {
        #expect(Durability.allCases.map(\.rawValue) == ["none", "buffered", "synced"])
    }
}
