public import CairnCore

extension PostgresEngine {
    /// One round trip. What was read is compared by its version: a value that was changed and changed back is a conflict.
    ///
    /// - Throws: As `StorageEngine` says. The outcome is also unknown if an answer was lost, and the names of commits were removed
    ///   (``PostgresEngineOptions/retention``) before the server could be asked again. Also, and nothing was written then: `EngineError.unavailable` if the server
    ///   lacks a commit that the engine has seen, or the store was replaced; `EngineError.readOnly` if the server allows only reading; `EngineError.busy` if
    ///   others kept the server busy for ``PostgresEngineOptions/statementTimeout``; `EngineError.invalidArgument` for an idempotency ID of more than 1,000
    ///   bytes, or reads in a view of another store.
    @discardableResult
    public func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        try limits.check(commit)
        let writes = commit.ordered()
        let name = commit.idempotencyID ?? (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        let seen = try [news.lastSeen] + commit.reads.map { reads throws(EngineError) in try view(of: reads).commit }
        var latest = seen.reduce(latestVersion) { max($0, $1.version) }
        let rows = try run(after: &latest) { latest throws(EngineError) in
            try parameters(commit, writes, name, seen, latest, durability)
        }
        let version = rows.version(0)
        switch rows.number(0, 0) {
        case 0:
            if commit.isEmpty { news.note(version) } else { news.note(writes, PostgresCommit(version: version, name: name)) }
            return version
        case 1:
            throw EngineError(
                conflict:
                    "data that the commit depends on was changed by another commit since it was read; nothing was written: read again and retry",
                key: [UInt8](copying: rows.bytes(0, 2))
            )
        case 2:
            throw EngineError(.conflict, "the commit depends on a view that has expired; nothing was written: read again and retry")
        default:
            throw lacksCommits("committing to", version, latest)
        }
    }

    /// Sends a commit, for which the server must know the names of all commits after the latest that was seen.
    ///
    /// - Throws: Also an error with an unknown outcome, if it no longer knows them once an answer was lost.
    private func run(
        after latest: inout EngineVersion,
        _ parameters: (EngineVersion) throws(EngineError) -> PostgresParameters
    ) throws(EngineError) -> PostgresRows {
        while true {
            do throws(EngineError) { return try pool.run(.commit, "committing to", writes: true, parameters(latest)) } catch {
                // The engine has not heard of commits for longer than the retention: nothing was written.
                guard !error.isOutcomeUnknown, (error.cause as? PostgresError)?.isForgotten == true else { throw error }
                latest = max(latest, try pool.run(.latest, "committing to").version(0))
            }
        }
    }

    private func view(of reads: EngineReads) throws(EngineError) -> PostgresView {
        guard let view = reads.view as? PostgresView, view.engine.identity == identity else {
            throw EngineError(
                .invalidArgument,
                "committing to \(pool.target.description): the commit depends on a view of another store"
            )
        }
        return view
    }

    private func parameters(
        _ commit: EngineCommit,
        _ writes: EngineWrites,
        _ name: [UInt8],
        _ seen: [PostgresCommit],
        _ latest: EngineVersion,
        _ durability: Durability
    ) throws(EngineError) -> PostgresParameters {
        guard name.count <= 1000 else {
            throw EngineError(.invalidArgument, "the name of the commit has \(name.count) bytes; at most 1,000 are allowed")
        }
        var keys: [[UInt8]] = []
        var keyVersions: [Int64] = []
        var ranges: [KeyRange] = []
        var rangeVersions: [Int64] = []
        for reads in commit.reads {
            let version = Int64(bitPattern: reads.view.version.rawValue)
            for index in 0..<reads.keys.count { keys.append([UInt8](copying: reads.keys[index])) }
            keyVersions += Array(repeating: version, count: reads.keys.count)
            ranges += reads.ranges
            rangeVersions += Array(repeating: version, count: reads.ranges.count)
        }
        let size =
            writes.keyByteCount + writes.count * 8
            + writes.deletedRanges.reduce(0) { $0 + $1.lowerBound.count + PostgresKey.upper($1).count }
        let oldest = min(keyVersions.min() ?? .max, rangeVersions.min() ?? .max)
        var parameters = PostgresParameters()
        parameters.add(name)
        parameters.add(durability.number)
        parameters.add(Int64(size))
        parameters.add(Int64(bitPattern: latest.rawValue))
        parameters.add(seen.map { Int64(bitPattern: $0.version.rawValue) })
        parameters.add(seen.map(\.name))
        parameters.add(oldest)
        parameters.add(keys)
        parameters.add(keyVersions)
        parameters.add(ranges.map(\.lowerBound))
        parameters.add(ranges.map(PostgresKey.upper))
        parameters.add(rangeVersions)
        parameters.add(writes.deletedRanges.map(\.lowerBound))
        parameters.add(writes.deletedRanges.map(PostgresKey.upper))
        parameters.addKeys(of: writes)
        parameters.addValues(of: writes)
        return parameters
    }
}

extension Durability {
    /// As the server's function takes it.
    fileprivate var number: Int32 {
        switch self {
        case .none: 0
        case .synced: 2
        default: 1
        }
    }
}
