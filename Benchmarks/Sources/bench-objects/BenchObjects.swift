import ArgumentParser
import BenchKit
import Foundation

@main
struct BenchObjects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-objects",
        abstract: "Measures stores of objects: SQLite (in C) and records of GRDB, in one process, sides in turn."
    )

    @Option(help: "Measure only programs whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Option(help: "Measure only this side: \((Sides.usual + Sides.more).map(\.name).formatted()); may be given several times.")
    var side: [String] = []
    @Option(help: "Rounds that count, beside one to warm up.")
    var rounds = 5
    @Option(help: "Objects of the simple programs; the others take a tenth as many, and a playlist for each hundred.")
    var songs = 1_000_000
    @Option(help: "What the tables show: wall time, or the processors' time of all threads.")
    var clock = Report.Clock.wall
    @Flag(help: "Print one JSON object a line.")
    var json = false
    @Flag(help: "Measure how the cost of an object grows from 10,000 to 1,000,000 instead.")
    var curve = false
    @Flag(help: "With --curve: up to 10,000,000, which takes minutes, and about a gigabyte of memory.")
    var long = false
    @Option(help: "Where to make the files; by default the directory for temporary files.")
    var path: String?
    @Option(help: .hidden)
    var memoryOf: String?

    func validate() throws {
        guard rounds >= 1, songs >= 1000 else { throw ValidationError("--rounds takes 1 or more, --songs 1000 or more") }
        guard !curve || filter.isEmpty else { throw ValidationError("--curve takes no --filter") }
        guard curve || !long else { throw ValidationError("--long is for --curve") }
        for name in side + (memoryOf.map { [$0] } ?? []) where Sides.named(name) == nil {
            throw ValidationError("there is no side \(name)")
        }
        guard memoryOf == nil || path != nil && isSelected(.simpleFetch) != isSelected(.complexFetch) else {
            throw ValidationError("--memory-of takes --path of a store and --filter for one of the fetches")
        }
    }

    func run() throws {
        if let memoryOf, let side = Sides.named(memoryOf), let path {
            return try Peak.report(isSelected(.simpleFetch) ? .simpleFetch : .complexFetch, side, at: path)
        }
        let sides = side.isEmpty ? Sides.usual : side.compactMap(Sides.named)
        let folder = try Folder(in: path)
        defer { folder.remove() }
        let report = Report(sides: sides, json: json, clock: clock)
        if curve { return try measureCurve(sides, folder, report) }

        let programs = Programs(songs: songs, playlists: songs / 1000, songsEach: 100)
        if !json {
            print(
                "\(songs) songs; \(programs.playlists * programs.songsEach) songs in \(programs.playlists) playlists; "
                    + "\(rounds) rounds, sides in turn, median"
            )
        }
        let measurement = Measurement(programs: programs, sides: sides, folder: folder)
        var results: [(Program, [Times])] = []
        for isComplex in [false, true] {
            let chain = Program.allCases.filter { $0.isComplex == isComplex }
            guard chain.contains(where: isSelected) else { continue }
            let times = try measurement.run(chain, rounds: rounds)
            results += chain.filter(isSelected).map { ($0, times[$0]!) }
        }
        report.times(results, rounds: rounds)
        report.sizes(results)
        report.memory(try [Program.simpleFetch, .complexFetch].filter(isSelected).map { ($0, try measurement.peaks(of: $0)) })
    }

    private func measureCurve(_ sides: [any Side], _ folder: Folder, _ report: Report) throws {
        var inserts: [(songs: Int, times: [Times])] = []
        var fetches = inserts
        for songs in [10_000, 100_000, 1_000_000] + (long ? [10_000_000] : []) {
            let measurement = Measurement(programs: Programs(songs: songs), sides: sides, folder: folder)
            // Small stores take a few milliseconds and are measured more often, the largest once.
            let isLarge = songs > 1_000_000
            let counted = isLarge ? 1 : songs < 1_000_000 ? max(rounds, 11) : rounds
            let times = try measurement.run([.simpleInsert, .simpleFetch], rounds: counted, warmUps: isLarge ? 0 : 1)
            inserts.append((songs, times[.simpleInsert]!))
            fetches.append((songs, times[.simpleFetch]!))
        }
        report.curve(.simpleInsert, inserts)
        report.curve(.simpleFetch, fetches)
    }

    private func isSelected(_ program: Program) -> Bool { filter.isEmpty || filter.contains { program.rawValue.contains($0) } }
}

extension Report.Clock: ExpressibleByArgument {}
