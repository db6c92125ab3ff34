import CairnMapped
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// A directory for some stores, removed at the end of the test.
final class Scene: Sendable {
    let directory: TemporaryDirectory
    private let fileSystem: FileSystem

    init(fileSystem: FileSystem = .quick) throws {
        directory = try TemporaryDirectory()
        self.fileSystem = fileSystem
    }

    func path(_ name: String = "a.map") -> String { directory.path(name) }
    func bytes(_ name: String = "a.map") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }
    /// Replaces a file with a new one, which has no locks: those of a closed store may be held by a child process that another test has started,
    /// until it runs its program.
    func write(_ bytes: [UInt8], _ name: String = "a.map") throws { try Data(bytes).write(to: URL(filePath: path(name)), options: .atomic) }
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    /// Opens a store that is not compacted automatically.
    func store(_ name: String = "a.map", _ change: (inout MappedStoreOptions) -> Void = { _ in }) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.compaction = .manual
        // A thread that holds the lock may get no processor for longer than programs wait.
        options.busyTimeout = .seconds(60)
        change(&options)
        return try MappedStore(path: path(name), options: options, fileSystem: fileSystem)
    }
}

/// The error of `body`, which must be a ``MappedStoreError``; `nil` if it succeeds.
func failure<Value>(_ body: () throws -> Value) -> MappedStoreError? {
    do {
        _ = try body()
        return nil
    } catch {
        if let error = error as? MappedStoreError { return error }
        Issue.record("a \(type(of: error)) instead of a MappedStoreError: \(error)")
        return nil
    }
}

/// Ends a process of its own with a failure: expectations there are not heard.
func must(_ condition: Bool, _ what: String = "as expected", line: UInt = #line) {
    precondition(condition, "not so: \(what), in line \(line)")
}

/// The code of `body`'s error; `nil` if it succeeds.
func code<Value>(_ body: () throws -> Value) -> MappedStoreError.Code? { failure(body)?.code }

extension MappedStore {
    /// All that is stored, by key, read in two ways.
    func contents() throws -> [String: MappedVariant] {
        var contents: [String: MappedVariant] = [:]
        for entry in try entries() {
            if let twice = contents.updateValue(entry.value, forKey: entry.key) {
                throw Mismatch("key \(entry.key) is there twice, also with \(twice)")
            }
        }
        for (key, value) in contents { try match(try get(key, as: MappedVariant.self), value, "key \(key), looked up") }
        try match(try count, contents.count, "count")
        return contents
    }
}

/// A clock that tests move by hand.
final class HandClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_000_000))

    var now: Date { time.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A cipher for tests, fast and not secret: XOR with a stream, and a sum of everything.
struct TestCipher: MappedCipher {
    struct Failure: Error {}
    let key: UInt64
    var failsToCreate = false

    init(_ key: UInt64, failsToCreate: Bool = false) {
        self.key = key
        self.failsToCreate = failsToCreate
    }

    func create() throws -> (session: any MappedCipherSession, header: [UInt8]) {
        if failsToCreate { throw Failure() }
        return (Session(key: key), (0..<8).map { UInt8(truncatingIfNeeded: Session.mix(key) >> ($0 * 8)) })
    }

    func unlock(_ header: [UInt8]) throws -> any MappedCipherSession {
        guard header == (try create().header) else { throw MappedStoreError(.wrongKey, "another key") }
        return Session(key: key)
    }

    struct Session: MappedCipherSession {
        let key: UInt64

        static func mix(_ number: UInt64) -> UInt64 {
            var generator = SeededGenerator(seed: number)
            return generator.next()
        }

        var hashKey: UInt128 { UInt128(Self.mix(key &+ 1)) }

        private func sum(_ parts: [[UInt8]]) -> [UInt8] {
            var sum = key
            for part in parts {
                for byte in part { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
                sum = (sum ^ UInt64(part.count)) &* 0x100_0000_01b3
            }
            return (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
        }

        private func mask(_ bytes: [UInt8]) -> [UInt8] {
            var stream = SeededGenerator(seed: key)
            return zip(bytes, stream.bytes(bytes.count)).map { $0 ^ $1 }
        }

        func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] {
            let plain = [UInt8](copying: plain)
            return mask(plain) + sum([plain, [UInt8](copying: context)])
        }

        func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
            let sealed = [UInt8](copying: sealed)
            guard sealed.count >= 8 else { throw Failure() }
            let plain = mask(Array(sealed.dropLast(8)))
            guard sum([plain, [UInt8](copying: context)]) == Array(sealed.suffix(8)) else { throw Failure() }
            return plain
        }
    }
}
