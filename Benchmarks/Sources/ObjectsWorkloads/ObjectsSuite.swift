public import BenchKit
import CairnObjects
import Foundation
public import StoreEngines

#if SQLite
import RivalSQLite
#endif

/// CairnObjects beside SQLite in C and records of GRDB, at equal durability: what was committed survives the death of the process.
public struct ObjectsSuite: Suite {
    private static let songsEach = 100

    let engine: StoreEngine

    public init(_ engine: StoreEngine = .rocks) { self.engine = engine }

    public var workloads: [Workload] {
        let programs = Program.allCases
        return programs.map { $0.workload(engine) } + programs.compactMap { $0.files(engine) } + programs.compactMap { $0.memory(engine) }
    }

    #if SQLite
    public var libraries: [String: String] { ["SQLite": unsafe String(cString: rival_sqlite_version())] }
    #else
    public var absent: [String] {
        ["objects: SQLite and GRDB are left out, since SQLite's header is not installed: scripts/deps bench"]
    }
    #endif

    public func run(_ harness: Harness) throws {
        let sides = Sides.all(engine, isNull: harness.settings.isNull)
        let playlists = max(1, harness.settings.songs / 1000)
        let programs = Programs(songs: harness.settings.songs, playlists: playlists, songsEach: Self.songsEach)
        for isComplex in [false, true] {
            let chain = Program.allCases.filter { $0.isComplex == isComplex }
            let names = chain.flatMap { [$0.workload(engine), $0.files(engine)].compactMap { $0?.name } }
            guard names.contains(where: harness.settings.isSelected) else { continue }
            try measure(chain, programs, sides, rounds: harness.settings.rounds(5), harness)
        }
        for program in Program.allCases {
            guard let memory = program.memory(engine), harness.settings.isSelected(memory.name) else { continue }
            try measureMemory(program, memory, programs, sides, harness)
        }
    }

    /// Rounds of all programs with or without playlists: a side's programs of one round share a store, new in each round.
    private func measure(_ chain: [Program], _ programs: Programs, _ sides: [any Side], rounds: Int, _ harness: Harness) throws {
        var places: [String] = []
        var bytes = sides.map { _ in Double.nan }
        let events = chain.map { program in
            let due = programs.due(program)
            var event = Event(program.workload(engine)) { turn in
                let side = sides[turn.side], place = places[turn.side]
                let sum = try programs.run(program, side, at: place) { turn.restart() }
                turn.stop()
                guard sum == due else { throw Disagreement("\(side.name), \(program.rawValue): \(sum); due are \(due)") }
                if program == .update, try side.simpleFetch(at: place) != programs.dueAfterUpdate {
                    throw Disagreement("\(side.name): what was updated is not what there is")
                }
                if program.makesStore { bytes[turn.side] = Double(harness.folder.size(ofPlace: place)) }
                return Outcome(operations: 1, check: sum.check)
            }
            event.scale = .whole
            return event
        }
        var contest = Contest(sides: sides.map(\.name), rounds: rounds, events: events)
        contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
        // A side that waits for the disk must not wait for what another one wrote.
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in for place in places { harness.folder.removePlace(place) } }
        try harness.hold(contest)
        for files in chain.compactMap({ $0.files(engine) }) { compare(files, sides, bytes, harness) }
    }

    /// Each side's fetch runs once more in a process of its own.
    private func measureMemory(
        _ fetch: Program,
        _ workload: Workload,
        _ programs: Programs,
        _ sides: [any Side],
        _ harness: Harness
    ) throws {
        let insert = fetch == .simpleFetch ? Program.simpleInsert : .complexInsert
        let peaks = try sides.map { side in
            let place = try harness.folder.makePlace()
            defer { harness.folder.removePlace(place) }
            _ = try programs.run(insert, side, at: place) {}
            return try Double(Peak.measure(fetch, side, at: place).after)
        }
        compare(workload, sides, peaks, harness)
    }

    private func compare(_ workload: Workload, _ sides: [any Side], _ bytes: [Double], _ harness: Harness) {
        let own = Measured(workload, subject: sides[0].name, unit: "MB", value: bytes[0] / 1e6)
        guard sides.count > 1 else { return harness.add(own) }
        for (side, size) in zip(sides, bytes).dropFirst() {
            var result = own
            result.setRival(side.name, value: size / 1e6)
            harness.add(result)
        }
    }

    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        if name == "objects-memory", arguments.count == 3, let side = Sides.named(arguments[1]),
            let program = Program(rawValue: arguments[2])
        {
            try Peak.report(program, side, at: arguments[0])
            return true
        }
        return try probeSaves(name, arguments) || probeOpening(name, arguments)
    }
}
