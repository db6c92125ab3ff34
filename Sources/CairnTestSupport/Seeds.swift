import Foundation
import Testing

/// Runs `body` with a generator for each of `count` seeds; every failure in it names its seed.
///
/// The seeds are fresh in each run. With the environment variable `CAIRN_SEED` set, as in a failure's text, only that seed runs:
///
/// ```swift
/// try await withSeeds("varint round trip", count: 100) { generator in
///     let number = generator.next()
///     ...
/// }
/// ```
///
/// Must be called from within a test. An error thrown by `body` ends the test.
public func withSeeds(
    _ topic: String,
    count: Int = 10,
    _ body: @Sendable (inout SeededGenerator) async throws -> Void
) async throws {
    for seed in try chosenSeeds(count: count) {
        try await namingSeed(seed, of: topic) {
            var generator = SeededGenerator(seed: seed)
            try await body(&generator)
        }
    }
}

/// The seed in `CAIRN_SEED` (decimal, or hexadecimal after `0x`), else `count` fresh ones.
private func chosenSeeds(count: Int) throws -> [UInt64] {
    guard let text = ProcessInfo.processInfo.environment["CAIRN_SEED"] else {
        return (0..<count).map { _ in UInt64.random(in: .min ... .max) }
    }
    let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    return [try #require(seed, "CAIRN_SEED is not a number: \(text)")]
}

/// Adds the seed to every issue that `body` records, be it an expectation or a thrown error.
func namingSeed(_ seed: UInt64, of topic: String, _ body: @Sendable () async throws -> Void) async throws {
    let test = try #require(Test.current, "seeds are for use inside of a test")
    let trait = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append(Comment(rawValue: "\(topic): repeat with CAIRN_SEED=0x\(String(seed, radix: 16))"))
        return issue
    }
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
}
