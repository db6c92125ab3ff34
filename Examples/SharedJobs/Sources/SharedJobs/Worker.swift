import CairnStored
import Foundation

/// Does jobs until the program is ended. It may be killed at any instant: another worker then does its job.
struct Worker: Sendable {
    let jobs: Jobs
    let name: String
    /// How many seconds longer than expected a job may take before others take it.
    let patience: Double

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await followOthers() }
            group.addTask { try await lookForOverdueJobs() }
            try await group.waitForAll()
        }
    }

    /// Works when a commit of any instance adds jobs, and at the start.
    private func followOthers() async throws {
        let context = try jobs.store.makeContext()
        for try await _ in try context.live(Job.self, where: \.state == JobState.waiting, limit: 1) { try await workWhilePossible() }
    }

    /// Nobody commits anything when a deadline passes.
    private func lookForOverdueJobs() async throws {
        while true {
            try await Task.sleep(for: .seconds(patience))
            try await workWhilePossible()
        }
    }

    private func workWhilePossible() async throws {
        while let claim = try await jobs.claim(for: name, patience: patience) {
            say("\(name) took job \(claim.id.row), \(claim.text)")
            try await Task.sleep(for: .seconds(claim.seconds))
            let letters = claim.text.count(where: \.isLetter)
            let isStored = try await jobs.finish(claim, by: name, letters: letters)
            say(isStored ? "\(name) did job \(claim.id.row)" : "\(name) was too late for job \(claim.id.row)")
        }
    }
}
