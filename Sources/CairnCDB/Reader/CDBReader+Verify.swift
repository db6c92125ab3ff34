import CairnCore

extension CDBReader {
    /// Reads everything and checks what the format allows: that the header points to tables, that each slot can be reached and points to a record
    /// with its hash, that each record has its slot, and that records fill the data without gaps.
    ///
    /// Damage inside a value, or inside a key if its hash stays the same, cannot be detected: the format has no checksums.
    ///
    /// - Parameter progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``CDBError/Code/corruption`` with the first damage; ``CDBError/Code/ioError``.
    /// - Complexity: O(size of the file), read from front to back; uses memory only for a buffer.
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(CDBError) {
        try verify { part throws(CDBError) in progress(part) }
    }

    /// Same as ``verify(progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``verify(progress:)``, and ``CDBError/Code/cancelled``.
    public func verifyInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(CDBError) {
        let cancelled = { @Sendable in CDBError(.cancelled, "stopped verifying \(self.name): the task was cancelled") }
        try await offPool(progress: progress, cancelled: cancelled) { step throws(CDBError) in try self.verify(step) }
    }

    private func verify(_ step: (_ part: Double) throws(CDBError) -> Void) throws(CDBError) {
        try withoutActuallyEscaping(step) { step throws(CDBError) in
            var verification = CDBVerification(self) { (done) throws(CDBError) in
                // 1 is reserved for the end.
                try step(min(Double(done) / Double(max(self.size, 1)), 0.999))
            }
            try verification.run()
        }
        try step(1)
    }
}
