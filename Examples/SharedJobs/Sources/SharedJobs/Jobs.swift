import CairnEtcdGraph
import CairnPostgresGraph
import CairnSQLiteGraph
import CairnStored
import Foundation

/// The jobs in a store that several instances of this program share.
struct Jobs: Sendable {
    let store: ObjectStore

    /// Opens the store, or creates it.
    ///
    /// - Parameter place: `postgresql://USER@HOST/DATABASE#STORE`, `etcd://HOST:PORT,HOST:PORT/PREFIX`, or `sqlite:PATH` for instances on one machine.
    ///   A password is in `PGPASSWORD` or `~/.pgpass`; that of etcd in `ETCD_PASSWORD`.
    init(at place: String) throws {
        let classes: [any StoredObject.Type] = [Job.self]
        if place.hasPrefix("postgresql://") {
            let parts = place.split(separator: "#", maxSplits: 1).map(String.init)
            store = try ObjectStore(postgres: parts[0], store: parts.count > 1 ? parts[1] : "jobs", classes: classes)
        } else if place.hasPrefix("etcd://") || place.hasPrefix("etcds://") {
            store = try ObjectStore(etcd: place, password: ProcessInfo.processInfo.environment["ETCD_PASSWORD"], classes: classes)
        } else if place.hasPrefix("sqlite:") {
            store = try ObjectStore(sqlite: String(place.dropFirst("sqlite:".count)), classes: classes)
        } else {
            throw JobsError(description: "'\(place)' is not postgresql://…, etcd://… or sqlite:PATH.")
        }
    }

    /// All are in one commit.
    func add(_ count: Int, _ text: String, seconds: Double) throws {
        try store.write { context in
            for _ in 0..<count {
                let job = Job(text: text)
                job.seconds = seconds
                context.insert(job)
            }
        }
    }

    /// What a worker has taken.
    struct Claim: Sendable {
        let id: ObjectID
        let text: String
        let seconds: Double
    }

    /// Takes a job that waits, or one whose worker has not finished it in time; `nil` if there is none.
    ///
    /// If two workers choose the same one, the commit of the second fails, and `write` calls its closure again: then it finds another job.
    func claim(for worker: String, patience: Double) async throws -> Claim? {
        try await store.writeInBackground { context in
            let now = Date()
            let found =
                try context.first(Job.self, where: \.state == JobState.waiting)
                ?? context.first(Job.self, where: \.state == JobState.running && \.deadline < now)
            guard let job = found, let id = job.objectID else { return nil }
            job.state = .running
            job.worker = worker
            job.deadline = now.addingTimeInterval(job.seconds + patience)
            return Claim(id: id, text: job.text, seconds: job.seconds)
        }
    }

    /// Stores a result, unless another worker has taken the job meanwhile; returns whether it was stored.
    func finish(_ claim: Claim, by worker: String, letters: Int) async throws -> Bool {
        try await store.writeInBackground { context in
            guard let job = try context.object(claim.id, as: Job.self), job.state == .running, job.worker == worker else { return false }
            job.state = .done
            job.letters = letters
            job.deadline = nil
            return true
        }
    }
}

/// What a person did wrong.
struct JobsError: Error, CustomStringConvertible {
    let description: String
}
