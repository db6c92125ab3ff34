import BenchKit
import BenchSupport

/// Prints measurements as a table for people or as JSON lines for programs.
struct Report {
    let json: Bool
    let subjectName: String

    func begin(_ machine: Machine, rows: Int, rounds: Int, clock: Clock) {
        let conditions = "\(rows) rows, 16-byte keys, 100-byte values; \(rounds) rounds, sides in turn; \(clock.rawValue) time"
        if json {
            line([
                ("machine", .text(machine.description)), ("rows", .number(Double(rows))), ("rounds", .number(Double(rounds))),
                ("clock", .text(clock.rawValue)),
            ])
            return
        }
        print(machine.description)
        print(conditions)
        print("ns and allocations are per row; ratio = \(subjectName) / C++ of medians; by round = median of each round's own ratio\n")
        row("workload", subjectName, "min", "C++", "min", "ratio", "by round", "alloc", "alloc C++")
        row("", "ns", "ns", "ns", "ns", "", "", "", "")
    }

    func add(_ measured: Measurement) {
        let subject = measured.subject, rival = measured.rival
        if json {
            line([
                ("workload", .text(measured.workload.name)), ("subject", .text(subjectName)), ("rival", .text("C++")),
                ("ratio", .number(measured.ratio, digits: 4)), ("round_ratio", .number(measured.roundRatio, digits: 4)),
                ("subject_ns", .number(subject.medianTime, digits: 2)), ("rival_ns", .number(rival.medianTime, digits: 2)),
                ("subject_min_ns", .number(subject.minimumTime, digits: 2)), ("rival_min_ns", .number(rival.minimumTime, digits: 2)),
                ("subject_allocations", .number(subject.allocationsPerRow, digits: 4)),
                ("rival_allocations", .number(rival.allocationsPerRow, digits: 4)),
                ("rounds", .number(Double(subject.count))), ("rows", .number(Double(measured.rows))),
            ])
            return
        }
        let times = [subject.medianTime, subject.minimumTime, rival.medianTime, rival.minimumTime].map { fixed($0, 1) }
        row(
            measured.workload.name,
            times[0],
            times[1],
            times[2],
            times[3],
            fixed(measured.ratio, 3),
            fixed(measured.roundRatio, 3),
            allocations(subject),
            allocations(rival)
        )
    }

    func end(_ all: [Measurement]) {
        guard !json, bench_counts_allocations() else { return }
        print("")
        for measured in all where measured.workload.mustNotAllocate {
            let own = fixed(measured.ownAllocationsPerRow, 4)
            print(
                "\(measured.workload.name): Cairn's own allocations per row: \(own) \(measured.allocatesNothing ? "(none)" : "(TOO MANY)")"
            )
        }
    }

    private func allocations(_ samples: [Sample]) -> String {
        bench_counts_allocations() ? fixed(samples.allocationsPerRow, 3) : "-"
    }

    private func row(_ name: String, _ columns: String...) {
        printNow(BenchKit.row([(name, 16)], columns, width: 11))
    }

    private enum JSONValue {
        case text(String)
        case number(Double, digits: Int = 0)
    }

    private func line(_ pairs: [(String, JSONValue)]) {
        let members = pairs.map { name, value in
            switch value {
            case .text(let text): "\"\(name)\":\"\(text)\""
            case .number(let number, let digits): "\"\(name)\":\(fixed(number, digits))"
            }
        }
        printNow("{\(members.joined(separator: ","))}")
    }
}
