import Dispatch
import Synchronization

extension CDBReader {
    /// Reads everything and checks what the format allows to check: that the header leads to tables, each slot can be reached and leads to a
    /// record with its hash, each record has its slot, and records fill the data without a gap.
    ///
    /// Damage inside of a value, or of a key in a way that keeps its hash, cannot be seen: the format has no checksums.
    ///
    /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
    /// - Throws: ``CDBError/Code/corruption`` with the first damage; ``CDBError/Code/ioError``.
    /// - Complexity: O(size of the file), read from front to back; memory for nothing but a buffer.
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(CDBError) {
        try verify(progress: progress, isCancelled: { false })
    }

    /// As ``verify(progress:)``, on a thread outside of those that tasks share; ends early when the task is cancelled.
    ///
    /// - Throws: As ``verify(progress:)``, and ``CDBError/Code/cancelled``.
    public func verifyInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(CDBError) {
        try await inBackground { isCancelled throws(CDBError) in
            try self.verify(progress: progress, isCancelled: isCancelled)
        }
    }

    private func verify(progress: (Double) -> Void, isCancelled: () -> Bool) throws(CDBError) {
        try withoutActuallyEscaping(progress) { progress throws(CDBError) in
            try withoutActuallyEscaping(isCancelled) { isCancelled throws(CDBError) in
                var verification = CDBVerification(self) { (done) throws(CDBError) in
                    guard !isCancelled() else { throw CDBError(.cancelled, "gave up verifying \(self.name): the task was cancelled") }
                    progress(Double(done) / Double(max(self.size, 1)))
                }
                try verification.run()
            }
        }
        progress(1)
    }
}

/// Runs blocking work on a thread of Dispatch's, so that it does not hold one of the few threads that Swift's tasks share.
func inBackground<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(CDBError) -> Value
) async throws(CDBError) -> Value {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(CDBError) in try body { flag.isSet } })
            }
        }
    } onCancel: {
        flag.set()
    }.get()
}

/// Whether a task was cancelled.
final class CancellationFlag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
