import CairnCore

/// A file outside of the store in which the child says how far it is, and the supervisor reads it after the child's death.
///
/// For each writer it holds the number of the last operation whose call has returned. Each statement is one system call: once it has returned
/// it survives the process.
package final class CrashProgress: Sendable {
    package static let maximumWriters = 4

    /// What the child was doing.
    package enum Phase: UInt8, Sendable { case starting, opening, writing, closing, closed }

    private let file: File
    private let numbers = ValueCodec<Int, Int64>.littleEndian

    package init(path: String) throws {
        file = try File(path, [.read, .write, .create])
        // Zeros, which mean "nothing yet" and `starting`.
        try file.reserve(Int64(Self.maximumWriters * 8 + 1))
    }

    package func acknowledge(_ number: Int, writer: Int) throws {
        try file.write(numbers.encode(Int64(number), for: writer), at: Int64(writer * 8))
    }

    package func acknowledged(writer: Int) throws -> Int {
        Int(try numbers.decode(file.read(8, at: Int64(writer * 8)), for: writer))
    }

    package func enter(_ phase: Phase) throws { try file.write([phase.rawValue], at: Int64(Self.maximumWriters * 8)) }

    package func phase() throws -> Phase {
        let byte = try file.read(1, at: Int64(Self.maximumWriters * 8))[0]
        guard let phase = Phase(rawValue: byte) else { throw CrashDamage("\(byte) is not a phase of the child") }
        return phase
    }
}
