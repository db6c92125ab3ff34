import CairnTestSupport
import Dispatch
import Foundation

/// The process that is killed: opens a store and writes until then.
package struct CrashChild: Sendable {
    private let round: CrashRound
    private let subject: any CrashSubject.Type
    private let progress: CrashProgress

    /// Says `round` as the supervisor gave it on the command line.
    package init(json: String) throws {
        round = try JSONDecoder().decode(CrashRound.self, from: Data(json.utf8))
        guard let subject = CrashSubjects.named(round.subject) else { throw CrashDamage("there is no subject '\(round.subject)'") }
        self.subject = subject
        progress = try CrashProgress(path: round.progress)
    }

    /// Opens, writes, closes. Says on standard output where it is, a line with the name of each phase, and why it fails.
    package func run() throws {
        do { try openWriteClose() } catch {
            say("\(error)")
            throw error
        }
    }

    private func openWriteClose() throws {
        // Ends a child that hangs, or whose supervisor is gone.
        endThisProcess(afterSeconds: UInt32(subject.patience.components.seconds))
        if subject.writers == .forks { leadProcesses() }
        try enter(.opening)
        let store = try subject.init(directory: round.directory)
        if round.point == .afterOpen { killThisProcess() }
        try enter(.writing)
        if subject.writers == .forks { try writeInProcesses(to: store) } else { writeInThreads(to: store) }
        try enter(.closing)
        try store.close()
        if round.point == .afterClose { killThisProcess() }
        try enter(.closed)
    }

    private func writeInThreads(to store: any CrashSubject) {
        let writers = (round.firstWriter..<round.firstWriter + round.writers).map { writer in
            let ended = DispatchSemaphore(value: 0)
            let thread = Thread {
                do {
                    try write(writer, to: store)
                } catch {
                    say("writer \(writer): \(error)")
                    exit(1)
                }
                ended.signal()
            }
            thread.start()
            return ended
        }
        for ended in writers { ended.wait() }
    }

    /// The process that opened the store is the first writer, and those that it forks are the others.
    private func writeInProcesses(to store: any CrashSubject) throws {
        var children: [Int32] = []
        for writer in round.firstWriter + 1..<max(round.firstWriter + round.writers, round.firstWriter + 1) {
            guard let child = forkThisProcess() else {
                endThisProcess(afterSeconds: UInt32(subject.patience.components.seconds))
                do { try write(writer, to: store) } catch {
                    say("writer \(writer), forked: \(error)")
                    abortProcesses()
                }
                leaveThisProcess()
            }
            children.append(child)
        }
        if round.writers > 0 { try write(round.firstWriter, to: store) }
        for child in children where !waitForProcess(child) { abortProcesses() }
    }

    private func enter(_ phase: CrashProgress.Phase) throws {
        try progress.enter(phase)
        say("\(phase)")
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Commits one operation after the other and acknowledges each when its call has returned.
    private func write(_ writer: Int, to store: any CrashSubject) throws {
        var number = try progress.acknowledged(writer: writer)
        let last = round.closesAfter.map { number + $0 }
        // From this operation on the process ends at the round's point.
        let fatal = number + round.pointAfter + 1
        func pass(_ point: CrashRound.Point, from first: Int) {
            if round.point == point, number >= first { killThisProcess() }
        }
        while number != last {
            number += 1
            let operation = subject.workload.operation(number, writer: writer, seed: round.seed)
            try store.commit(operation) { pass(.midway, from: fatal) }
            pass(.afterWrite, from: fatal)
            try progress.acknowledge(number, writer: writer)
            pass(.afterAcknowledgement, from: fatal)
            if round.point == .duringTidy, number == fatal { try store.tidy(waits: false) }
            pass(.duringTidy, from: fatal + number % 4)
            if operation.tidies || (round.point == .afterTidy && number == fatal) {
                try store.tidy(waits: true)
                pass(.afterTidy, from: fatal)
            }
        }
    }
}
