import CairnStored
import Foundation

/// Several instances share a store of jobs.
@main enum SharedJobs {
    private static let usage = """
        usage: SharedJobs STORE add TEXT [COUNT [SECONDS]]   adds jobs that take so long
               SharedJobs STORE work NAME [PATIENCE]         does jobs, until it is ended
               SharedJobs STORE watch COUNT                  shows jobs as they are done, until so many are
               SharedJobs STORE list
        STORE is postgresql://USER@HOST/DATABASE#STORE, etcd://HOST:PORT/PREFIX or sqlite:PATH.
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard try await perform(arguments) else {
                FileHandle.standardError.write(Data((usage + "\n").utf8))
                exit(2)
            }
        } catch {
            FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
            exit(1)
        }
    }

    /// Returns `false` for arguments that mean nothing.
    private static func perform(_ arguments: [String]) async throws -> Bool {
        guard arguments.count >= 2 else { return false }
        let rest = Array(arguments[2...])
        let numbers = rest.dropFirst().map { Double($0) ?? -1 }
        guard numbers.allSatisfy({ $0 >= 0 }) else { return false }
        switch (arguments[1], rest.count) {
        case ("add", 1...3):
            let count = Int(numbers.first ?? 1)
            try Jobs(at: arguments[0]).add(count, rest[0], seconds: numbers.count > 1 ? numbers[1] : 0)
        case ("work", 1...2):
            try await Worker(jobs: Jobs(at: arguments[0]), name: rest[0], patience: max(0.1, numbers.first ?? 10)).run()
        case ("watch", 1):
            guard let count = Int(rest[0]) else { return false }
            try await watch(Jobs(at: arguments[0]).store, until: count)
        case ("list", 0): try list(Jobs(at: arguments[0]).store)
        default: return false
        }
        return true
    }

    /// A live query: its results follow the commits of all instances.
    private static func watch(_ store: ObjectStore, until count: Int) async throws {
        let context = try store.makeContext()
        for try await results in try context.live(Job.self, where: \.state == JobState.done) {
            for place in results.changes.inserted { show(results.objects[place]) }
            if results.objects.count >= count { return }
        }
    }

    private static func list(_ store: ObjectStore) throws { try store.read { try $0.fetch(Job.self).forEach(show) } }

    private static func show(_ job: Job) {
        say(
            "job \(job.objectID.map { "\($0.row)" } ?? "-") \(job.state.rawValue) by \(job.worker ?? "-"): \(job.letters.map { "\($0)" } ?? "-")"
        )
    }
}

/// Prints a line at once, also into a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
