import Foundation
public import Testing

/// How much of a test to run. `make test` runs what shows a mistake soon; `make check` sets `CAIRN_CHECK=1` and also runs what takes longer; `make thorough`
/// sets `CAIRN_THOROUGH=1` and runs everything.
public enum Thorough {
    /// Whether what takes longer is to run.
    public static let isChecking = isOn || ProcessInfo.processInfo.environment["CAIRN_CHECK"] != nil

    /// Whether everything is to run.
    public static let isOn = ProcessInfo.processInfo.environment["CAIRN_THOROUGH"] != nil

    /// `all` if everything is to run, else `sample`.
    public static func count(_ sample: Int, of all: Int) -> Int { isOn ? all : sample }

    /// All of `places` if everything is to run, else about `count` of them: the first, the last, and random ones between.
    public static func sample<Place>(_ count: Int, of places: some Collection<Place>, using generator: inout SeededGenerator) -> [Place] {
        guard !isOn, places.count > count, count > 2 else { return Array(places) }
        let all = Array(places)
        let chosen = (1..<all.count - 1).shuffled(using: &generator).prefix(count - 2).sorted()
        return [all[0]] + chosen.map { all[$0] } + [all[all.count - 1]]
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that are left to `make check`.
    public static var checking: Self { .enabled(if: Thorough.isChecking, "left to `make check`") }

    /// For tests that are left to `make thorough`.
    public static var thorough: Self { .enabled(if: Thorough.isOn, "left to `make thorough`") }
}

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. Many tests run at once, so this is far longer than any of them takes on a slow machine.
    public static var endsWhenItHangs: Self { .timeLimit(.minutes(15)) }
}
