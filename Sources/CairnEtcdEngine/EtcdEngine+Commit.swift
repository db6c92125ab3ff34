public import CairnCore

extension EtcdEngine {
    /// One round trip, if nothing that was read has changed. What was read is compared by its revision: a value that was changed and changed back is a conflict.
    ///
    /// - Throws: As `StorageEngine` says; the outcome is also unknown if an answer was lost, and the server answered again only after 9 minutes or more, when the
    ///   name of the commit may have been removed; `EngineError.busy` if commits of others kept interfering for ``EtcdEngineOptions/retryTimeout``, and nothing was
    ///   written; `EngineError.invalidArgument` for an idempotency ID of more than 1,000 bytes, or reads in a view of another store.
    @discardableResult
    public func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        try check(commit)
        let transaction = try EtcdTransaction(commit, pool.target.layout, pool.target.options.limits, created: news.created)
        var version = commit.reads.map(\.view.version).min() ?? latestVersion
        let end = ContinuousClock.now + pool.target.options.retryTimeout.timeout
        while true {
            let reply = try run(transaction, unchangedSince: version)
            if reply.succeeded { return finish(transaction, reply) }
            // An earlier request had this name.
            if let name = reply.responses[0].entries.first { return EngineVersion(rawValue: name.modified) }
            let head = try news.head(reply.responses[1].entries.first, "committing to")
            news.catchUp(to: head)
            guard !commit.reads.contains(where: { news.mayHaveTouched($0) }) else {
                let message = "data that the commit depends on was changed by another commit since it was read, or may have been"
                let key = commit.reads.compactMap { news.touchedKey($0) }.first
                throw EngineError(conflict: "\(message); nothing was written: read again and retry", key: key)
            }
            version = head.version
            guard ContinuousClock.now < end else {
                let message = "commits by other clients kept interfering for \(pool.target.options.retryTimeout)"
                throw EngineError(.busy, "committing to \(pool.target.description): \(message); nothing was written: try again")
            }
        }
    }

    private func check(_ commit: EngineCommit) throws(EngineError) {
        try limits.check(commit)
        if let name = commit.idempotencyID, name.count > 1000 {
            throw EngineError(.invalidArgument, "the name of the commit has \(name.count) bytes; at most 1,000 are allowed")
        }
        guard commit.reads.allSatisfy({ owns($0.view) }) else {
            throw EngineError(
                .invalidArgument,
                "committing to \(pool.target.description): the commit depends on a view of another store"
            )
        }
    }

    private func run(_ transaction: EtcdTransaction, unchangedSince version: EngineVersion) throws(EngineError) -> EtcdReply {
        var attempts = 0
        while true {
            let lease = transaction.commit.isEmpty ? nil : try pool.lease()
            let request = transaction.request(unchangedSince: version, lease: lease?.number)
            let writes = !transaction.commit.isEmpty
            do throws(EtcdPool.Failure) {
                let reply = try pool.send("/v3/kv/txn", request, retries: true, writes: writes) { transaction.isAnswered(by: $0) }
                // A name that is missing says nothing once it may have been removed. With its lease, the server refuses to perform the commit again.
                guard let lease, !reply.succeeded, reply.responses[0].entries.isEmpty, ContinuousClock.now >= lease.namesEnd else {
                    return reply
                }
                throw .error(EtcdError(lost: "the response came when the commit's name may have been removed"), isUnknown: true)
            } catch {
                attempts += 1
                guard case .error(let cause, isUnknown: false) = error, cause.isMissingLease, let lease, attempts < 3 else {
                    throw error.engineError("committing to", pool.target)
                }
                pool.forgetLease(lease)
            }
        }
    }

    private func finish(_ transaction: EtcdTransaction, _ reply: EtcdReply) -> EngineVersion {
        let before = reply.responses[0].entries[0]
        guard !transaction.commit.isEmpty else { return EngineVersion(rawValue: before.modified) }
        let version = EngineVersion(rawValue: reply.revision)
        news.note(transaction.writes, version, number: before.count + 1)
        return version
    }
}
