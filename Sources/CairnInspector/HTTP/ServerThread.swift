import Dispatch

/// Runs the server's tasks on a thread of their own: a program whose tasks keep all of Swift's shared threads busy can be inspected, too.
///
/// One at a time. FlyingSocks resumes the reader of a socket before it removes the socket from what it watches; a reader that closed it in between would
/// leave an entry behind, which fails every later connection whose descriptor has the same number.
package final class ServerThread: TaskExecutor {
    static let shared = ServerThread()

    private let queue = DispatchQueue(label: "Cairn inspector")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
