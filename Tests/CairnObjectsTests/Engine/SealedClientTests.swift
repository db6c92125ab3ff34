import CairnCore
import CairnEngineConformance
import CairnObjects
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Encrypted clients of an engine behind a network.
@Suite struct SealedClientTests {
    @Test(.checking, arguments: EngineCheck.all) func passesTheChecks(check: EngineCheck) async throws {
        try await withSeeds(check.description, count: 1) { random in
            let identity = UUID()
            try await check.run(
                on: ClientEngine.underTest { try SealedEngine($0, WeakSession(), identity: identity) },
                seed: random.next()
            )
        }
    }

    /// Without a name, a commit that was performed is a conflict like any other.
    @Test func onlyNamedCommitsAreRepeated() throws {
        let client = ClientEngine(ClientData())
        let engine = try SealedEngine(client, WeakSession(), identity: UUID())
        for name in [nil, [1, 2, 3]] as [[UInt8]?] {
            var commit = EngineCommit()
            commit.idempotencyID = name
            commit.read("number", in: try engine.makeView())
            commit.put("\(String(describing: name))", for: "number")
            client.lose(.replyAndConnection)
            let lost = #expect(throws: EngineError.self) { try engine.commit(commit) }
            #expect(lost?.code == .unavailable)
            let version = engine.latestVersion
            if name != nil {
                #expect(try engine.commit(commit) == version)
            } else {
                #expect(throws: EngineError.self) { try engine.commit(commit) }
            }
            #expect(engine.latestVersion == version)
        }
        // One that was not performed, and is in conflict with another.
        var commit = EngineCommit()
        commit.idempotencyID = [4, 5, 6]
        commit.read("number", in: try engine.makeView())
        commit.put("lost", for: "number")
        var other = EngineCommit()
        other.put("other", for: "number")
        try engine.commit(other)
        let conflict = #expect(throws: EngineError.self) { try engine.commit(commit) }
        #expect(conflict?.code == .conflict)
        #expect(try engine.makeView().get("number") == Array("other".utf8))
    }
}

/// Hides nothing from anybody, but seals each value in another way, and notices changes.
final class WeakSession: ObjectCipherSession {
    private let count = Atomic<UInt32>(0)
    let overhead = 8

    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let mask = UInt8(truncatingIfNeeded: number)
        let masked = [UInt8](copying: plain).map { $0 ^ mask }
        return Self.bytes(number) + Self.bytes(Self.sum(number, masked, context)) + masked
    }

    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
        let bytes = [UInt8](copying: sealed)
        guard bytes.count >= overhead else { throw CocoaError(.coderReadCorrupt) }
        let number = Self.number(bytes[0..<4])
        let masked = Array(bytes[8...])
        guard Self.number(bytes[4..<8]) == Self.sum(number, masked, context) else { throw CocoaError(.coderReadCorrupt) }
        let mask = UInt8(truncatingIfNeeded: number)
        return masked.map { $0 ^ mask }
    }

    func hash(_ term: RawSpan) -> UInt128 {
        // FNV-1a.
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        return [UInt8](copying: term).reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) { ($0 ^ UInt128($1)) &* prime }
    }

    private static func sum(_ number: UInt32, _ masked: [UInt8], _ context: RawSpan) -> UInt32 {
        CRC32C.checksum(of: bytes(number) + [UInt8](copying: context) + masked)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}
