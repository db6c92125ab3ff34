import CairnCore
import CairnFuzzTargets
import Foundation
import Testing

/// Runs every input in `Fuzz/FailCases`, which once failed, and `Fuzz/Corpus` through what is fuzzed.
@Suite struct FuzzReplayTests {
    private static let fuzz = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fuzz")
        .standardizedFileURL

    private static func inputs(_ folder: String) -> [URL] {
        let directory = fuzz.appendingPathComponent(folder)
        let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }
    }

    @Test(arguments: FuzzTargets.all.map { $0.name }) func everyInput(name: String) throws {
        var target = try #require(FuzzTargets.all.first { $0.name == name }).init()
        let inputs = Self.inputs("Corpus/\(name)") + Self.inputs("FailCases/\(name)")
        #expect(!Self.inputs("Corpus/\(name)").isEmpty)
        for input in inputs {
            let bytes = [UInt8](try Data(contentsOf: input))
            // A trap names no input: this line is then the last.
            FileHandle.standardError.write(Data("fuzz input \(name)/\(input.lastPathComponent)\n".utf8))
            do {
                try bytes.withBytes { try target.check($0) }
            } catch {
                Issue.record("\(input.path): \(error)")
            }
        }
    }

    @Test func everyDirectoryHasATarget() throws {
        for folder in ["Corpus", "FailCases"] {
            for directory in Self.inputs(folder) { #expect(FuzzTargets.all.contains { $0.name == directory.lastPathComponent }) }
        }
    }

    /// A codec that does not read what it writes is found.
    @Test func aWrongCodecIsFound() throws {
        let target = ValueFuzzTarget()
        let bytes: [UInt8] = [1, 2, 3]
        let forgetful = ValueCodec<Int, [UInt8]>.custom(
            encode: { _, value in value.dropLast() },
            decode: { _, bytes in [UInt8](copying: bytes) }
        )
        for isExact in [true, false] {
            #expect(throws: FuzzFinding.self) { try bytes.withBytes { try target.roundTrip($0, forgetful, isExact: isExact) } }
        }
        let oneWay = ValueCodec<Int, [UInt8]>.custom(encode: { _, _ -> [UInt8] in throw CancellationError() }, decode: { _, _ in [] })
        #expect(throws: FuzzFinding.self) { try bytes.withBytes { try target.roundTrip($0, oneWay, isExact: false) } }
    }
}
