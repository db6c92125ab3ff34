import CairnEngine

extension EtcdPool {
    /// Reads the latest revision of the commit key; creates it if that is wanted.
    func open() throws(EngineError) -> EtcdHead {
        let (options, layout) = (target.options, target.layout)
        if let head = try head("opening", retries: false) { return head }
        guard options.createIfMissing, !options.readOnly else {
            throw EngineError(.notFound, "opening \(target.description): there is no such store; set createIfMissing to create one")
        }
        let others = EtcdRequest.Part(limit: 1, hasKeysOnly: true)
        let found = try run("/v3/kv/range", .object(.range(layout.entries, end: layout.entriesEnd, others)), "opening")
        guard found.entries.isEmpty else {
            throw EngineError(.corruption, "opening \(target.description): its commit key is missing; restore a backup")
        }
        // Another client may be creating it.
        let creation = EtcdRequest.object(
            .list("compare", [.compare(layout.commits, .created, .equal, 0)]),
            .list("success", [.put(layout.commits, EtcdHead.value(of: EngineCommit().ordered()))])
        )
        _ = try run("/v3/kv/txn", creation, "creating")
        guard let head = try head("opening") else {
            throw EngineError(.unavailable, "opening \(target.description): it was deleted while it was created")
        }
        return head
    }

    /// - Parameter revision: `nil`: the latest, which all commits that were acknowledged have reached.
    func head(_ attempt: String, at revision: UInt64? = nil, retries: Bool = true) throws(EngineError) -> EtcdHead? {
        let part = EtcdRequest.Part(revision: revision)
        let reply = try run("/v3/kv/range", .object(.range(target.layout.commits, part)), attempt, retries: retries)
        guard let entry = reply.entries.first else { return nil }
        return try head(of: entry, attempt)
    }

    func head(of entry: EtcdReply.Entry, _ attempt: String) throws(EngineError) -> EtcdHead {
        do throws(EngineError) { return try EtcdHead(entry) } catch {
            throw EngineError(error.code, "\(attempt) \(target.description): \(error.message)")
        }
    }
}
