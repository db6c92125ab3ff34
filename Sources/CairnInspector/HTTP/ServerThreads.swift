import Dispatch

/// Runs the server's tasks on threads of their own: a program whose tasks keep all of Swift's shared threads busy can be inspected, too.
final class ServerThreads: TaskExecutor {
    static let shared = ServerThreads()

    private let queue = DispatchQueue(label: "Cairn inspector", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
