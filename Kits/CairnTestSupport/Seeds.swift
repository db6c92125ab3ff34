import Foundation
import Testing

/// Runs `body` with a generator for each of `count` seeds; every failure in it, whether thrown or an expectation, names its seed.
///
/// The seeds follow each other from a fresh one, which is printed, so that it is known even after a crash. If the environment variable
/// `CAIRN_SEED` is set, as in a failure's text, only that seed runs:
///
/// ```swift
/// try await withSeeds("varint round trip", count: 100) { generator in
///     let number = generator.next()
///     ...
/// }
/// ```
///
/// Must be called from within a test. An error thrown by `body` is recorded, and the next seed runs.
public func withSeeds(
    _ topic: String,
    count: Int = 10,
    _ body: @Sendable (inout SeededGenerator) async throws -> Void
) async throws {
    let seeds = try chosenSeeds(count: count)
    FileHandle.standardError.write(Data("\(topic): \(seeds.count) seeds from 0x\(String(seeds.first ?? 0, radix: 16))\n".utf8))
    for seed in seeds {
        try await namingSeed(seed, of: topic) {
            var generator = SeededGenerator(seed: seed)
            do {
                try await body(&generator)
            } catch is ExpectationFailedError {
                // A requirement, which has recorded itself.
            } catch {
                Issue.record(error)
            }
        }
    }
}

/// Returns the seed in `CAIRN_SEED` (decimal, or hexadecimal after `0x`), or else `count` new ones.
private func chosenSeeds(count: Int) throws -> [UInt64] {
    guard let text = ProcessInfo.processInfo.environment["CAIRN_SEED"] else {
        let first = UInt64.random(in: .min ... .max)
        return (0..<count).map { first &+ UInt64($0) }
    }
    let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    return [try #require(seed, "CAIRN_SEED is not a number: \(text)")]
}

/// Adds the seed to every issue that `body` records.
private func namingSeed(_ seed: UInt64, of topic: String, _ body: @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current, "seeds are for use inside of a test")
    let trait = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append(Comment(rawValue: "\(topic): repeat with CAIRN_SEED=0x\(String(seed, radix: 16))"))
        return issue
    }
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
}
