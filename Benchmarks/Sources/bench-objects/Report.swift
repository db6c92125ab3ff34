import BenchKit

/// The tables, or JSON lines.
struct Report {
    let sides: [any Side]
    let json: Bool
    let clock: Clock

    /// Which of the times the tables show; JSON has both.
    enum Clock: String, CaseIterable { case wall, processor }

    private var subject: Int? { sides.firstIndex { $0.name == Sides.subject?.name } }

    func times(_ results: [(Program, [Times])], rounds: Int) {
        guard !results.isEmpty else { return }
        let goals = subject == nil ? [] : sides.indices.filter { goal(.update, $0).isFinite }
        if !json { line("ms, \(clock.rawValue) time", sides.map(\.name) + goals.flatMap { ["/\(sides[$0].name)", "goal"] }) }
        for (program, times) in results {
            if json {
                lines(program, times, rounds)
            } else {
                line(
                    program.rawValue,
                    times.map { fixed(seconds($0).median * 1000, 1) }
                        + goals.flatMap { [fixed(ratio(times, to: $0), 2), fixed(goal(program, $0), 1)] }
                )
            }
        }
    }

    func sizes(_ results: [(Program, [Times])]) {
        guard !json, !results.isEmpty else { return }
        line("MB of files", sides.map(\.name))
        for (program, times) in results { line(program.rawValue, times.map { megabytes($0.bytes) }) }
    }

    func memory(_ results: [(Program, [Peak])]) {
        if !json, !results.isEmpty { line("MB of memory, peak", sides.map(\.name)) }
        for (program, peaks) in results {
            if json {
                for (side, peak) in zip(sides, peaks) {
                    printNow(
                        "{\"workload\":\"objects-\(program.rawValue)-memory\",\"side\":\"\(side.name)\",\"peak_bytes\":\(peak.after),"
                            + "\"before_bytes\":\(peak.before)}"
                    )
                }
            } else {
                line(program.rawValue, peaks.map { megabytes($0.after) })
                line("  before it", peaks.map { megabytes($0.before) })
            }
        }
    }

    /// The cost of an object at each size, and how much it grows from the first to the last.
    func curve(_ program: Program, _ points: [(songs: Int, times: [Times])]) {
        func nanoseconds(_ point: (songs: Int, times: [Times]), _ side: Int) -> Double {
            seconds(point.times[side]).median * 1e9 / Double(point.songs)
        }
        if json {
            for point in points {
                for side in sides.indices {
                    printNow(
                        "{\"workload\":\"objects-\(program.rawValue)-curve\",\"side\":\"\(sides[side].name)\",\"objects\":\(point.songs),"
                            + "\"ns_per_object\":\(fixed(nanoseconds(point, side), 1)),\"clock\":\"\(clock.rawValue)\"}"
                    )
                }
            }
        } else {
            line("\(program.rawValue), ns each", sides.map(\.name))
            for point in points { line("\(point.songs)", sides.indices.map { fixed(nanoseconds(point, $0), 0) }) }
            if let first = points.first, let last = points.last {
                line("last/first", sides.indices.map { fixed(nanoseconds(last, $0) / nanoseconds(first, $0), 2) })
            }
        }
    }

    private func lines(_ program: Program, _ times: [Times], _ rounds: Int) {
        for (side, time) in zip(sides, times) {
            printNow(
                "{\"workload\":\"objects-\(program.rawValue)\",\"side\":\"\(side.name)\",\"ms\":\(milliseconds(time.wall.median)),"
                    + "\"min_ms\":\(milliseconds(time.wall.min())),\"max_ms\":\(milliseconds(time.wall.max())),"
                    + "\"processor_ms\":\(milliseconds(time.processor.median)),\"file_bytes\":\(time.bytes),\"rounds\":\(rounds)}"
            )
        }
        guard let subject else { return }
        for rival in sides.indices where goal(program, rival).isFinite {
            let byRound = zip(seconds(times[subject]), seconds(times[rival])).map { $0 / $1 }.median
            printNow(
                "{\"workload\":\"objects-\(program.rawValue)\",\"subject\":\"\(sides[subject].name)\",\"rival\":\"\(sides[rival].name)\","
                    + "\"ratio\":\(fixed(ratio(times, to: rival), 4)),\"round_ratio\":\(fixed(byRound, 4)),"
                    + "\"goal\":\(fixed(goal(program, rival), 1)),\"clock\":\"\(clock.rawValue)\",\"rounds\":\(rounds)}"
            )
        }
    }

    private func seconds(_ times: Times) -> [Double] { clock == .wall ? times.wall : times.processor }
    private func goal(_ program: Program, _ side: Int) -> Double { program.goal(beside: sides[side].name) }

    private func ratio(_ times: [Times], to rival: Int) -> Double {
        guard let subject else { return .nan }
        return seconds(times[subject]).median / seconds(times[rival]).median
    }

    private func line(_ name: String, _ cells: [String]) { printNow(row([(name, 26)], cells, width: 12)) }
    private func megabytes(_ bytes: Int) -> String { fixed(Double(bytes) / 1e6, 1) }
    private func milliseconds(_ seconds: Double?) -> String { fixed((seconds ?? .nan) * 1000, 2) }
}
