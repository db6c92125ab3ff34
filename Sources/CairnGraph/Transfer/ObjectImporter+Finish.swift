import CairnCore
import Synchronization

extension ObjectImporter {
    /// Stores everything that was added.
    ///
    /// - Throws: ``ObjectStoreError``: `objectNotFound` if a reference leads to an object that was not added, `busy` if others wrote to the store in the
    ///   meantime, `tooLarge`, `noSpace`, `ioError`. Nothing has then been stored.
    /// - Complexity: O(n log n).
    public func finish() throws(ObjectStoreError) -> Result {
        if targets == .toImported { try checkReferences() }
        var result = Result()
        for stored in classes.values.sorted(by: { $0.own.number < $1.own.number }) where !stored.records.isEmpty {
            result.objectCount += stored.records.count
            try addPages(stored)
            try addIndexes(stored, &result)
        }
        for (name, bytes) in names { commit.put(bytes, for: Keyspace.name(name)) }
        result.nameCount = names.count
        let outcome = store.saving.withLock { _ in
            Swift.Result { () throws(ObjectStoreError) in
                if storesChunks { store.raiseFormat(to: StoreHeader.chunks, in: &commit) }
                try store.catalogCheck.checkBeforeSave(view, store)
                view.noteRead(CatalogCheck.classes)
                view.dependOnReads(&commit)
                // Among them are the last rows: a concurrent save may have been given the same ones.
                guard let version = try store.engine.tryPerform(commit, durability: store.options.durability) else {
                    throw ObjectStoreError(.busy, "others saved to \(store.name) during the import, which stored nothing; import again")
                }
                store.catalogCheck.committed(version)
                if storesChunks { store.formatIsRaised(to: StoreHeader.chunks) }
                for stored in classes.values {
                    guard let last = stored.lastRow else { continue }
                    stored.own.lastRow.max(last, ordering: .relaxed)
                    // So that the next insertion reads the page, which may now contain other objects.
                    stored.own.saved(last)
                    for index in stored.own.indexes where stored.incomplete.contains(index.number) { index.completion.since = .max }
                    for text in stored.own.texts { text.completion.since = .max }
                }
            }
        }
        try outcome.get()
        return result
    }

    private func checkReferences() throws(ObjectStoreError) {
        let byNumber = Dictionary(uniqueKeysWithValues: classes.values.map { ($0.own.number, $0) })
        for (owner, property, target) in references {
            guard let stored = byNumber[target.classNumber], stored.records[target.row - stored.offset] == nil else { continue }
            throw ObjectStoreError(
                .objectNotFound,
                "\(classes[owner.classNumber]?.name ?? "class \(owner.classNumber)") \(owner.row).\(property) refers to \(stored.name) \(target.row - stored.offset), which is not among the objects to be imported",
                object: owner
            )
        }
    }

    private func addPages(_ stored: ImportedClass) throws(ObjectStoreError) {
        let rows = stored.records.keys.sorted()
        guard let last = stored.lastRow else { return }
        var builder = PageBuilder()
        var bytes: [UInt8] = []
        for (index, row) in rows.enumerated() {
            let id = ObjectID(class: stored.own.number, row: row + stored.offset)
            let record = stored.records[row] ?? []
            let slot = ObjectPage.slot(of: id.row)
            if record.count > ObjectPage.largestRecord {
                commit.put(record, for: Keyspace.large(id))
                builder.add(slot, RawSpan())
            } else {
                unsafe builder.add(slot, record.span.bytes)
            }
            let page = ObjectPage.page(of: id.row)
            if index + 1 < rows.count, ObjectPage.page(of: rows[index + 1] + stored.offset) == page { continue }
            builder.finish(into: &bytes)
            commit.put(bytes, for: Keyspace.page(id.classNumber, page))
            builder.reset()
        }
        commit.put(Keyspace.bigEndian(last), for: Keyspace.lastRow(stored.own.number))
    }

    /// Records which indexes are complete: those of a class that had no objects and whose keys are all known.
    private func addIndexes(_ stored: ImportedClass, _ result: inout Result) throws(ObjectStoreError) {
        let former = try stored.own.entry(in: view, store.name)
        var entry = former
        for place in entry.indexes.indices {
            let index = entry.indexes[place]
            let isIncomplete = stored.incomplete.contains(index.number)
            if isIncomplete { result.incompleteIndexes.append("\(stored.name).\(index.properties.joined(separator: ","))") }
            entry.indexes[place].isComplete = !isIncomplete && (index.isComplete || stored.offset == 0)
        }
        // Texts are indexed by the program that has the class.
        for text in entry.texts ?? [] { result.incompleteIndexes.append("\(stored.name) (text of \(text.property))") }
        entry.changeTexts { text in
            text.isComplete = false
            text.nextPage = nil
        }
        if entry != former { commit.put(entry.encoded(), for: Keyspace.storedClass(stored.own.number)) }
    }
}
