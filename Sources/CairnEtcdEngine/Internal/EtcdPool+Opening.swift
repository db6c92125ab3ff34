import CairnEngine

extension EtcdPool {
    /// Reads the latest revision of the commit key; creates it if that is wanted, and raises its format.
    func open() throws(EngineError) -> EtcdHead {
        let head = try openAsItIs()
        return target.options.readOnly ? head : try raised(head)
    }

    /// Gives a store the latest format.
    ///
    /// Programs that know only format 1 also change the key of deletions, but not those of areas. Their commits that are under way fail, since they compare that key;
    /// they refuse the store from then on.
    private func raised(_ head: EtcdHead) throws(EngineError) -> EtcdHead {
        let layout = target.layout
        var head = head
        while head.format < EtcdHead.format {
            let request = EtcdRequest.object(
                .list("compare", [.compare(layout.commits, .modified, .equal, head.version.rawValue)]),
                .list("success", [.put(layout.commits, EtcdHead.value(of: EngineCommit().ordered())), .put(layout.deletions, [])])
            )
            _ = try run("/v3/kv/txn", request, "raising the format of")
            guard let new = try self.head("opening"), new.created == head.created else {
                throw EngineError(.unavailable, "opening \(target.description): it was deleted while it was being opened")
            }
            head = new
        }
        return head
    }

    private func openAsItIs() throws(EngineError) -> EtcdHead {
        let (options, layout) = (target.options, target.layout)
        if let head = try head("opening", retries: false) { return head }
        if try firstKey(from: layout.entries, to: layout.entriesEnd) != nil {
            // Unless another client has created the store since.
            if let head = try head("opening") { return head }
            throw EngineError(.corruption, "opening \(target.description): its commit key is missing; restore a backup")
        }
        try refuseForeignKeys()
        guard options.createIfMissing, !options.readOnly else {
            throw EngineError(.notFound, "opening \(target.description): there is no such store")
        }
        // Another client may be creating it.
        let creation = EtcdRequest.object(
            .list("compare", [.compare(layout.commits, .created, .equal, 0)]),
            .list("success", [.put(layout.commits, EtcdHead.value(of: EngineCommit().ordered()))])
        )
        _ = try run("/v3/kv/txn", creation, "creating")
        guard let head = try head("opening") else {
            throw EngineError(.unavailable, "opening \(target.description): it was deleted while it was being created")
        }
        return head
    }

    /// Throws if the user may not write what commits write. Changes nothing: the server checks the rights of all operations, and performs those for a
    /// comparison that fails.
    func checkWriting() throws(EngineError) {
        let layout = target.layout
        let request = EtcdRequest.object(
            // No revision is less than 0.
            .list("compare", [.compare(layout.commits, .created, .less, 0)]),
            .list(
                "success",
                [layout.commits, layout.deletions, layout.name([])].map { .put($0, []) } + [.delete(layout.entries, end: layout.entriesEnd)]
            )
        )
        _ = try run("/v3/kv/txn", request, "writing to")
    }

    private func firstKey(from key: [UInt8], to end: [UInt8]?) throws(EngineError) -> [UInt8]? {
        let part = EtcdRequest.Part(limit: 1, hasKeysOnly: true)
        return try run("/v3/kv/range", .object(.range(key, end: end, part)), "opening", fits: { $0.fits(key, end: end) }).entries.first?.key
    }

    /// Throws if another program has keys that are the prefix or begin with it, unless they are those of stores whose prefixes begin with this one.
    private func refuseForeignKeys() throws(EngineError) {
        for (start, end) in target.layout.ranges {
            var start = start
            do throws(EngineError) {
                // Many stores there say enough of whose keys these are.
                for _ in 0..<100 {
                    guard let key = try firstKey(from: start, to: end) else { break }
                    guard let next = EtcdLayout.endOfStore(with: key) else {
                        throw EngineError(
                            .foreignFile,
                            "opening \(target.description): another program has keys with this prefix; choose another one",
                            userData: "key \(key)"
                        )
                    }
                    start = next
                }
            } catch {
                // A user with only the rights that are needed cannot see them all.
                guard error.code == .permissionDenied else { throw error }
            }
        }
    }

    /// - Parameter revision: `nil`: the latest, which all commits that were acknowledged have reached.
    func head(_ attempt: String, at revision: UInt64? = nil, retries: Bool = true) throws(EngineError) -> EtcdHead? {
        let part = EtcdRequest.Part(revision: revision)
        let key = target.layout.commits
        let reply = try run("/v3/kv/range", .object(.range(key, part)), attempt, retries: retries, fits: { $0.fits(key) })
        guard let entry = reply.entries.first else { return nil }
        return try head(of: entry, attempt)
    }

    func head(of entry: EtcdReply.Entry, _ attempt: String) throws(EngineError) -> EtcdHead {
        do throws(EngineError) { return try EtcdHead(entry) } catch {
            throw EngineError(error.code, "\(attempt) \(target.description): \(error.message)")
        }
    }
}
