import CairnCore

extension CDBReader {
    /// Reads everything and checks what the format allows to check: that the header leads to tables, each slot can be reached and leads to a
    /// record with its hash, each record has its slot, and records fill the data without a gap.
    ///
    /// Damage inside of a value, or of a key in a way that keeps its hash, cannot be seen: the format has no checksums.
    ///
    /// - Parameter progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``CDBError/Code/corruption`` with the first damage; ``CDBError/Code/ioError``.
    /// - Complexity: O(size of the file), read from front to back; memory for nothing but a buffer.
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(CDBError) {
        try verify { part throws(CDBError) in progress(part) }
    }

    /// Same as ``verify(progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``verify(progress:)``, and ``CDBError/Code/cancelled``.
    public func verifyInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(CDBError) {
        let cancelled = { @Sendable in CDBError(.cancelled, "gave up verifying \(self.name): the task was cancelled") }
        try await offPool(progress: progress, cancelled: cancelled) { step throws(CDBError) in try self.verify(step) }
    }

    private func verify(_ step: (_ part: Double) throws(CDBError) -> Void) throws(CDBError) {
        try withoutActuallyEscaping(step) { step throws(CDBError) in
            var verification = CDBVerification(self) { (done) throws(CDBError) in
                // 1 is for when all is done.
                try step(min(Double(done) / Double(max(self.size, 1)), 0.999))
            }
            try verification.run()
        }
        try step(1)
    }
}
