import BenchKit
import Foundation

/// The seconds that a program took by the clock on the wall, and of the processors' time: of all threads, and without waiting for the disk.
struct Times {
    var wall: [Double] = []
    var processor: [Double] = []
    /// Of the store's files when the program had ended.
    var bytes = 0
}

/// Counts from when it is made, or from when it was last started anew.
struct Stopwatch {
    private var wall = ContinuousClock.now
    private var processor = processorSeconds()

    mutating func restart() { self = Stopwatch() }

    func record(to times: inout Times) {
        let ended = processorSeconds()
        times.wall.append((ContinuousClock.now - wall) / .seconds(1))
        times.processor.append(ended - processor)
    }
}

private func processorSeconds() -> Double {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// Runs the programs, sides in turn, and checks what they return.
struct Measurement {
    let programs: Programs
    let sides: [any Side]
    let folder: Folder

    /// Rounds of all programs with or without playlists: a side's programs of one round share a store, new in each round.
    /// - Parameter warmUps: rounds before those that count.
    func run(_ chain: [Program], rounds: Int, warmUps: Int = 1) throws -> [Program: [Times]] {
        var result = Dictionary(uniqueKeysWithValues: chain.map { ($0, sides.map { _ in Times() }) })
        for round in -warmUps..<rounds {
            let stores = try sides.map { try folder.makeStore(of: $0) }
            defer { for store in stores { folder.remove(store) } }
            for (place, program) in chain.enumerated() {
                let due = programs.due(program)
                for step in sides.indices {
                    // Another one begins each time, so that none is always the first behind the others' writes.
                    let index = (step + round + warmUps + place) % sides.count
                    // A side that waits for the disk must not wait for what another one wrote.
                    sync()
                    var stopwatch = Stopwatch()
                    let sum = try programs.run(program, sides[index], at: stores[index]) { stopwatch.restart() }
                    if round >= 0 { stopwatch.record(to: &result[program]![index]) }
                    result[program]![index].bytes = folder.size(of: stores[index])
                    try check(sum, due, sides[index], program.rawValue)
                }
            }
            if chain.contains(.update) {
                for (side, store) in zip(sides, stores) {
                    try check(side.simpleFetch(at: store), programs.dueAfterUpdate, side, "what there is after the update")
                }
            }
        }
        return result
    }

    /// The memory that each side's fetch takes.
    func peaks(of fetch: Program) throws -> [Peak] {
        let insert = fetch == .simpleFetch ? Program.simpleInsert : .complexInsert
        return try sides.map { side in
            let store = try folder.makeStore(of: side)
            defer { folder.remove(store) }
            try check(programs.run(insert, side, at: store) {}, programs.due(insert), side, insert.rawValue)
            return try Peak.measure(fetch, side, at: store)
        }
    }

    private func check(_ sum: Sum, _ due: Sum, _ side: any Side, _ what: String) throws {
        guard sum == due else { throw Disagreement("\(side.name), \(what): \(sum); due are \(due)") }
    }
}
