import CairnCore

/// How a writer writes collections that may be long.
enum LongForm {
    /// As if they were short: all references in the record.
    case whole
    /// As a directory: the save, which gives the record this change count, writes the chunks.
    case chunks(UInt32, longest: Int)
    /// Not at all: the caller keeps them elsewhere.
    case apart
}

/// A long collection that was written.
struct LongField {
    let field: Int
    let collection: ObjectCollection

    /// Whether chunks of it must be stored.
    var hasChangedChunks: Bool { collection.long?.hasChangedChunks ?? false }
}

extension RecordWriter {
    /// Writes a collection that may be long.
    @inline(never)
    mutating func writeLong(_ collection: ObjectCollection, field number: Int) {
        switch longForm {
        case .whole:
            let content = collection.long == nil ? collection.short : collection.long?.all() ?? ReferenceList.Content()
            return unsafe write(references: ReferenceList.encode(content).span.bytes, field: number)
        case .apart: if collection.long != nil { return longLists.append(LongField(field: number, collection: collection)) }
        case .chunks(let save, let longest):
            collection.settle(longest)
            guard let long = collection.long else { break }
            if long.hasLostChunks { field.fail(StoredChunk.lost.about(field: number)) }
            longLists.append(LongField(field: number, collection: collection))
            return unsafe write(references: long.directory(save).span.bytes, field: number)
        }
        unsafe write(references: ReferenceList.encode(collection.short).span.bytes, field: number)
    }

    /// Starts the record of a save.
    @inline(__always)
    mutating func beginLists(_ save: UInt32, longest: Int) {
        longForm = .chunks(save, longest: longest)
        self.longest = longest
        if !longLists.isEmpty { longLists.removeAll() }
    }
}
