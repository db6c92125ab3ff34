import CairnCore
import CairnMapped
import CairnTestSupport

/// Five thousand values of a kibibyte: the file grows by megabytes before it is compacted.
final class LargeMapped: CrashSubjectShape {
    static let name = "mapped-large"
    static let workload = MappedSubject.makeWorkload(keys: 1_250, .bytes(1_000..<1_048))
    let right: MappedSubject

    init(directory: String) throws { right = try MappedSubject(directory: directory, leastWaste: .mebibytes(1)) }
}

/// Several processes write to one file.
final class SharedMapped: CrashSubjectShape {
    static let name = "mapped-processes"
    static var writers: CrashWriters { .processes }
    let right: MappedSubject

    init(directory: String) throws { right = try MappedSubject(directory: directory) }
}

/// A process opens a store, and uses it together with those that it forks.
final class ForkedMapped: CrashSubjectShape {
    static let name = "mapped-forked"
    static var writers: CrashWriters { .forks }
    let right: MappedSubject

    init(directory: String) throws { right = try MappedSubject(directory: directory) }
}

/// Gets another cipher every now and then, or none.
final class RekeyedMapped: CrashSubjectShape {
    static let name = "mapped-rekeyed"
    static let workload: CrashWorkload = {
        var workload = MappedSubject.workload
        workload.tidiesOneIn = 100
        return workload
    }()
    let right: MappedSubject

    /// Opens the store with whatever cipher it has.
    init(directory: String) throws {
        var result: MappedSubject?
        for cipher in Self.ciphers where result == nil {
            do { result = try MappedSubject(directory: directory, leastWaste: .kibibytes(64), cipher: cipher) } catch let error
                as MappedStoreError
            {
                guard error.code == .keyNeeded || error.code == .wrongKey else { throw error }
            }
        }
        guard let result else { throw CrashDamage("no cipher opens the store") }
        right = result
    }

    private static let ciphers: [(any MappedCipher)?] = [nil, CrashCipher(key: 1), CrashCipher(key: 2)]

    func tidy(waits: Bool) throws {
        guard waits else { return try right.tidy(waits: false) }
        do throws(MappedStoreError) { try right.store.rekey(to: Self.ciphers.randomElement()!) } catch {
            guard error.code == .busy || error.code == .conflict else { throw error }
        }
    }
}

/// A cipher as fast as possible, which keeps no secret: XOR with a number, and a sum.
private struct CrashCipher: MappedCipher, MappedCipherSession {
    let key: UInt64

    func create() throws -> (session: any MappedCipherSession, header: [UInt8]) { (self, [UInt8(key)]) }

    func unlock(_ header: [UInt8]) throws -> any MappedCipherSession {
        guard header == [UInt8(key)] else { throw MappedStoreError(.wrongKey, "the store has another key") }
        return self
    }

    var hashKey: UInt128 { UInt128(key &* 0x9e37_79b9_7f4a_7c15) }

    private func sum(_ bytes: [UInt8], _ context: RawSpan) -> [UInt8] {
        let sum = CRC32C.checksum(of: bytes + [UInt8](copying: context))
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] {
        let bytes = [UInt8](copying: plain).map { $0 ^ UInt8(truncatingIfNeeded: key &* 0x55) }
        return bytes + sum(bytes, context)
    }

    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
        let all = [UInt8](copying: sealed)
        guard all.count >= 4, sum(Array(all.dropLast(4)), context) == Array(all.suffix(4)) else {
            throw CrashDamage("a record is not sealed")
        }
        return all.dropLast(4).map { $0 ^ UInt8(truncatingIfNeeded: key &* 0x55) }
    }
}
