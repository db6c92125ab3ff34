import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Rewrites a store from one cipher, or none, to another, or none.
///
/// Goes through the keys in order. Each step is one commit, which also records the first key not yet changed, so it can stop at any time.
/// Nobody else has the store open in the meantime. Only here are values from that key on treated as plain, and only if the caller says that
/// the store was plain.
struct Rekeying {
    private let engine: any StorageEngine
    private let name: String
    private var header: EncryptionHeader
    /// `nil`: plain.
    private var old: SealedForm?
    private var new: SealedForm?

    /// The kinds of keys that contain values or hashes of them, and are rebuilt.
    private static let indexKinds: [UInt8] = [Keyspace.entryKind, Keyspace.textKind]
    /// The maximum number of values, and of their bytes, that a step writes.
    static var valuesInStep: Int { 1024 }
    static var bytesInStep: Int { 4 << 20 }

    /// Begins a change, or continues an unfinished one; `nil` if there is nothing to do.
    init?(_ engine: any StorageEngine, _ name: String, from old: (any ObjectCipher)?, to new: (any ObjectCipher)?) throws(ObjectStoreError)
    {
        self.engine = engine
        self.name = name
        let view = try StoreView(engine)
        let bytes = try view.get(Keyspace.header)
        guard let bytes else { throw ObjectStoreError(.notFound, "\(name) contains no object store") }
        _ = try StoreHeader(decoding: bytes, name)
        if let mark = try MoveMark.read(view, name) { throw mark.refusal(name) }
        let found = try EncryptionHeader.read(view, name)
        if let found, found.change == nil, found.holdsFormer == true, let new, (try? ObjectStore.unlock(found.cipher, new, name)) != nil,
            old.map({ (try? ObjectStore.unlock(found.cipher, $0, name)) == nil }) ?? true
        {
            header = found
            return
        }
        header = found ?? EncryptionHeader(cipher: nil)
        self.old = try Self.form(header.cipher, old, header.identity, name)
        if let change = header.change {
            self.new = try Self.form(change.cipher, new, header.identity, name)
            return
        }
        guard let new else {
            guard old != nil else { return nil }
            header.change = .init(cipher: nil)
            try begin(view)
            return
        }
        let (session, block) = try ObjectStore.make(new, name)
        self.new = SealedForm(session, header.identity)
        header.change = .init(cipher: block)
        try begin(view)
    }

    /// The form for a cipher, or for plain values; throws if they don't match.
    private static func form(
        _ block: Data?,
        _ cipher: (any ObjectCipher)?,
        _ identity: UUID,
        _ name: String
    ) throws(ObjectStoreError) -> SealedForm? {
        switch (block, cipher) {
        case (nil, nil): return nil
        case (nil, _?): throw ObjectStoreError(.wrongKey, "\(name) is not encrypted, or was being decrypted")
        case (_?, nil): throw ObjectStoreError(.keyNeeded, "\(name) is encrypted, or to be encrypted, and its key is needed")
        case (let block?, let cipher?): return SealedForm(try ObjectStore.unlock(block, cipher, name), identity)
        }
    }

    /// Records that a change has begun. Indexes start over, because the keys of their entries change.
    private func begin(_ view: StoreView) throws(ObjectStoreError) {
        var commit = EngineCommit()
        commit.put(header.encoded(), for: Keyspace.encryption)
        if engine.limits.deletesRanges { for kind in Self.indexKinds { commit.deleteRange(KeyRange(prefix: [kind])) } }
        let classes = try view.entries(KeyRange(lowerBound: Keyspace.storedClass(0), upperBound: Keyspace.lastRow(0)))
        for (key, value) in classes {
            let plain = try open(key, value).value
            guard var entry = try? CatalogEntry(decoding: plain), key.count == 4 else {
                throw ObjectStoreError(.corruption, "the catalog of \(name) is damaged: a class cannot be read")
            }
            let number: UInt16 = unsafe Keyspace.number(key.span.bytes, at: 2)
            for place in entry.indexes.indices {
                let index = entry.indexes[place]
                entry.indexes[place] = .init(
                    number: UInt32(number) << 16 | UInt32(try entry.nextIndex(name)),
                    properties: index.properties,
                    isUnique: index.isUnique,
                    isComplete: false
                )
            }
            for place in (entry.texts ?? []).indices {
                let index = UInt32(try entry.nextIndex(name))
                entry.texts?[place].number = UInt32(number) << 16 | index
            }
            entry.changeTexts { ($0.isComplete, $0.nextPage, $0.isToBeCleared) = (false, nil, nil) }
            commit.put(try Self.seal(key, entry.encoded(), old, name).value, for: key)
        }
        try perform(commit)
    }

    // MARK: Steps

    mutating func run(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        if header.change != nil {
            try step(0)
            let total = try count()
            var done = 0
            while let count = try convert() {
                done += count
                try step(min(Double(done) / Double(max(total, 1)), 1) * 0.9)
            }
            try finish()
        }
        guard header.holdsFormer == true else { return try step(1) }
        try step(0.9)
        try ObjectStoreError.translating { () throws(EngineError) in try engine.removeFormerData(in: .all) }
        (header.holdsFormer, header.holdsFormerKeys) = (nil, nil)
        var commit = EngineCommit()
        commit.put(header.encoded(), for: Keyspace.encryption)
        try perform(commit)
        try step(1)
    }

    /// The number of values to write.
    private func count() throws(ObjectStoreError) -> Int {
        var count = 0
        let view = try view()
        let range = KeyRange(lowerBound: Array(header.change?.next ?? Data()), upperBound: nil)
        try view.lendEntries(in: range, reverse: false) { _, _ in
            count += 1
            return true
        }
        return count
    }

    /// Writes the next values; returns how many, or `nil` if there are no more.
    private mutating func convert() throws(ObjectStoreError) -> Int? {
        let next = Array(header.change?.next ?? Data())
        let names = SealedRange.names
        var range = KeyRange(lowerBound: next, upperBound: nil)
        let isBeforeNames = next.lexicographicallyPrecedes(names.lowerBound)
        if isBeforeNames { range.upperBound = names.lowerBound }
        // Names change their keys and so their order: they are written in a single step.
        let areNames = next == names.lowerBound
        if areNames { range = names }
        let most = max(1, min(Self.valuesInStep, (engine.limits.maximumCommitOperations ?? .max) - 1))
        let mostBytes = min(Self.bytesInStep, (engine.limits.maximumCommitSize ?? .max) / 4)
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var size = 0
        let view = try view()
        try view.lendEntries(in: range, reverse: false) { key, value in
            entries.append(([UInt8](copying: key), [UInt8](copying: value)))
            size += key.byteCount + value.byteCount
            return areNames || (entries.count < most && size < mostBytes)
        }
        let isWhole = areNames || (entries.count < most && size < mostBytes)
        var commit = EngineCommit()
        if areNames { for entry in entries { commit.delete(entry.key) } }
        for entry in entries { try add(entry.key, entry.value, to: &commit) }
        if isWhole {
            guard let end = range.upperBound else {
                guard !entries.isEmpty else { return nil }
                header.change?.next = Data(entries[entries.count - 1].key + [0])
                try perform(noting(commit))
                return entries.count
            }
            header.change?.next = Data(end)
        } else {
            header.change?.next = Data(entries[entries.count - 1].key + [0])
        }
        try perform(noting(commit))
        return entries.count
    }

    private func add(_ key: [UInt8], _ value: [UInt8], to commit: inout EngineCommit) throws(ObjectStoreError) {
        if key == Keyspace.encryption || key == Keyspace.header { return }
        guard let kind = key.first, !Self.indexKinds.contains(kind) else { return commit.delete(key) }
        // Without encryption, nothing can be shredded.
        if new == nil, kind == Keyspace.groupKind { return commit.delete(key) }
        var plain = try open(key, value)
        if new == nil { plain.value = try withoutGroups(key, plain.value) }
        let sealed = try Self.seal(plain.key, plain.value, new, name)
        commit.put(sealed.value, for: sealed.key)
    }

    private func noting(_ commit: EngineCommit) -> EngineCommit {
        var commit = commit
        commit.put(header.encoded(), for: Keyspace.encryption)
        return commit
    }

    private mutating func finish() throws(ObjectStoreError) {
        var commit = EngineCommit()
        header.cipher = header.change?.cipher
        header.change = nil
        if new == nil {
            // No secret data is left to remove, even if an earlier change was interrupted before removing it.
            header.holdsFormer = nil
            commit.delete(Keyspace.encryption)
        } else {
            header.holdsFormer = true
            commit.put(header.encoded(), for: Keyspace.encryption)
        }
        try perform(commit)
    }

    // MARK: Entries

    private typealias Entry = (key: [UInt8], value: [UInt8])

    /// Decrypts an entry from the old form.
    private func open(_ key: [UInt8], _ value: [UInt8]) throws(ObjectStoreError) -> (key: [UInt8], value: [UInt8]) {
        guard let old else { return (key, value) }
        do {
            if key.first == Keyspace.nameKind { return unsafe try old.openName(value.span.bytes, at: key.span.bytes) }
            return unsafe (key, try old.open(value.span.bytes, at: key.span.bytes))
        } catch {
            let what = unsafe SealedRange.phrase(of: key.span.bytes) { "class \($0)" }
            throw ObjectStoreError(
                .corruption,
                "\(what) of \(name) cannot be decrypted: it was modified, or comes from another place or store; restore it from a backup",
                cause: error
            )
        }
    }

    /// A value whose records belong to no group, decrypted. Group keys come later, and are still unchanged.
    private func withoutGroups(_ key: [UInt8], _ value: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
        guard let old, unsafe GroupKeys.mayHaveGroups(value, at: key.span.bytes) else { return value }
        let view = try view()
        return try ObjectStoreError.translating { () throws(EngineError) in
            let keys = GroupKeys(old, nil)
            let opened = unsafe try keys.opened(value, at: key.span.bytes, view.version) { key throws(EngineError) in
                guard let sealed = try view.engineView.get(key) else { return nil }
                do { return unsafe try old.open(sealed.span.bytes, at: key.span.bytes) } catch {
                    throw EngineError(.corruption, "the key of a group of \(name) cannot be decrypted", cause: error)
                }
            }
            return unsafe GroupKeys.stripped(opened, at: key.span.bytes)
        }
    }

    /// An entry in another form.
    private static func seal(
        _ key: [UInt8],
        _ value: [UInt8],
        _ form: SealedForm?,
        _ name: String
    ) throws(ObjectStoreError) -> (key: [UInt8], value: [UInt8]) {
        guard let form else { return (key, value) }
        do {
            guard key.first == Keyspace.nameKind else { return unsafe (key, try form.seal(value.span.bytes, at: key.span.bytes)) }
            let storedKey = unsafe form.storedKey(ofName: key.span.bytes)
            return unsafe (storedKey, try form.sealName(key.span.bytes, value.span.bytes, at: storedKey))
        } catch {
            throw ObjectStoreError(.ioError, "a value of \(name) could not be encrypted", cause: error)
        }
    }

    // MARK: The engine

    private func view() throws(ObjectStoreError) -> StoreView {
        try StoreView(engine)
    }

    private func perform(_ commit: EngineCommit) throws(ObjectStoreError) {
        try engine.perform(commit, durability: .buffered)
    }
}
