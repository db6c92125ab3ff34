import Synchronization

extension QueryRun {
    /// The parts in which several threads scan the class; `nil` if this thread scans it alone, because it is small, or because records do not decide.
    func parts() throws(ObjectStoreError) -> [PartialScan]? {
        let (options, last) = (context.store.options, stored.lastRow.load(ordering: .relaxed))
        guard last >= options.smallestSharedScan, options.scanThreads > 1, judge.decidesAlone, let form = partialForm,
            context.store.engine.readsInParallel
        else { return nil }
        var first: UInt64 = 0
        if let place, !isSorted { first = ObjectPage.page(of: place.id.row) }
        let end = ObjectPage.page(of: last) + 1
        guard first < end else { return nil }
        let count = min(UInt64(options.scanThreads) * 4, end - first)
        var parts: [PartialScan] = []
        for number in 0..<count {
            let (start, next) = (first + (end - first) * number / count, first + (end - first) * (number + 1) / count)
            parts.append(
                PartialScan(
                    from: start << ObjectPage.rowBits,
                    // Rows may have been added meanwhile.
                    to: number == count - 1 ? nil : next << ObjectPage.rowBits,
                    try RecordJudge.make(plan, targets, stored).judge,
                    form(),
                    stored,
                    changed: changedIDs,
                    after: isSorted ? nil : place
                )
            )
        }
        return parts
    }

    /// What a part keeps of each match; `nil` if sharing the scan does not pay: records decide nothing, or a limit may end it early.
    private var partialForm: (() -> PartialScan.Form)? {
        guard let keeper else {
            guard wanted == .max, judge.hasTest else { return nil }
            if counted != nil { return { .number } }
            return wantsObjects ? { .record } : { .identity }
        }
        if judge.hasOrder, makesObjectsLast || !wantsObjects { return { .kept(keeper.another()) } }
        return judge.hasTest ? { .record } : nil
    }

    /// Calls `body` with what the parts find, in row order unless it is sorted, until it returns false.
    func forEach(in parts: [PartialScan], _ body: (Match) -> Bool) throws(ObjectStoreError) {
        let view = view
        ScanThreads.forEach(parts.count, threads: context.store.options.scanThreads) { parts[$0].run(view) }
        for part in parts {
            if let counted { self.counted = counted + part.count }
            if case .kept(let kept) = part.form { keeper?.take(from: kept) }
            for hit in part.hits {
                guard let match = try match(hit, part) else { continue }
                guard body(match) else { return }
            }
            if let rest = part.rest {
                var goesOn = true
                try forEachInPages(from: rest, to: part.end) { match in
                    goesOn = body(match)
                    return goesOn
                }
                guard goesOn else { return }
            }
        }
    }

    private func match(_ hit: PartialScan.Hit, _ part: PartialScan) throws(ObjectStoreError) -> Match? {
        guard !hit.record.isEmpty else { return Match(id: hit.id, object: nil, key: []) }
        let records = part.records
        return unsafe try examine(hit.id, records.span.bytes.extracting(hit.record))
    }
}
