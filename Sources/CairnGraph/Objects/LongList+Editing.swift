extension LongList {
    /// Replaces the references in a range.
    ///
    /// - Complexity: O(1) in the length of the list, except for finding and moving the entries of the directory: one or two chunks are read and changed.
    mutating func replace(_ range: Range<Int>, with new: ReferenceList.Content) {
        guard !range.isEmpty || !new.ids.isEmpty else { return }
        if unreadCount > 0 {
            for id in ids(in: range) { note(id, -1) }
            for id in new.ids { note(id, 1) }
        }
        guard range.lowerBound < count else { return append(new) }
        let (first, start) = place(of: range.lowerBound)
        let (last, end) = range.isEmpty ? (first, start) : place(after: range.upperBound - 1)
        read(first)
        if last == first {
            change(first) { $0.replace(start..<end, with: new) }
        } else {
            read(last)
            let rest = chunks[last].content.map { $0[end..<$0.ids.count] } ?? ReferenceList.Content()
            let isUnreadable = chunks[last].isUnreadable
            setChunks(first + 1..<last + 1, [])
            change(first) { content in
                content.replace(start..<content.ids.count, with: new)
                content.replace(content.ids.count..<content.ids.count, with: rest)
            }
            if isUnreadable { loseChunk(first) }
        }
        balance(first)
    }

    private mutating func place(after position: Int) -> (chunk: Int, offset: Int) {
        let (chunk, offset) = place(of: position)
        return (chunk, offset + 1)
    }

    /// Appends references: to the last chunk if it has room for them, otherwise in chunks of their own.
    private mutating func append(_ new: ReferenceList.Content) {
        guard let last = chunks.indices.last, chunks[last].count + new.ids.count <= longest else {
            add(new)
            addCount(new.ids.count)
            return
        }
        read(last)
        change(last) { $0.replace($0.ids.count..<$0.ids.count, with: new) }
    }

    /// Divides a chunk that is too long, and removes or joins one that is too short.
    private mutating func balance(_ chunk: Int) {
        guard let content = chunks[chunk].content else { return }
        let size = content.ids.count
        if size > longest {
            let parts = (size + longest - 1) / longest
            let isUnreadable = chunks[chunk].isUnreadable
            let new = (0..<parts).map { part in
                var new = ListChunk(content[size * part / parts..<size * (part + 1) / parts])
                new.isUnreadable = isUnreadable
                return new
            }
            setChunks(chunk..<chunk + 1, new)
        } else if size == 0 {
            setChunks(chunk..<chunk + 1, [])
        } else if size < longest / 4 {
            for neighbour in [chunk + 1, chunk - 1] where chunks.indices.contains(neighbour) {
                guard size + chunks[neighbour].count <= longest / 2 else { continue }
                return join(min(chunk, neighbour))
            }
        }
    }

    /// Joins a chunk with the next.
    private mutating func join(_ chunk: Int) {
        read(chunk)
        read(chunk + 1)
        let isUnreadable = chunks[chunk + 1].isUnreadable
        guard let next = chunks[chunk + 1].content else { return }
        setChunks(chunk + 1..<chunk + 2, [])
        change(chunk) { $0.replace($0.ids.count..<$0.ids.count, with: next) }
        if isUnreadable { loseChunk(chunk) }
    }

    mutating func move(from start: Int, to end: Int) {
        let (id, key) = (id(at: start), hasKeys ? key(at: start) : nil)
        replace(start..<start + 1, with: ReferenceList.Content(ids: [], keys: hasKeys ? [] : nil))
        replace(end..<end, with: ReferenceList.Content(ids: [id], keys: key.map { [$0] }))
    }

    /// Removes the references at ascending positions.
    mutating func remove(at positions: [Int]) {
        let none = ReferenceList.Content(ids: [], keys: hasKeys ? [] : nil)
        var end = positions.count
        while end > 0 {
            // Neighbours together.
            var start = end - 1
            while start > 0, positions[start - 1] == positions[start] - 1 { start -= 1 }
            replace(positions[start]..<positions[end - 1] + 1, with: none)
            end = start
        }
    }

    /// Removes all references to an object.
    mutating func removeAll(_ id: ObjectID) {
        var left = occurrences(of: id)
        let former = count
        var chunk = chunks.count - 1
        while chunk >= 0, left > 0 {
            let ids = content(of: chunk).ids
            let found = ids.indices.filter { ids[$0] == id }
            if !found.isEmpty {
                left -= found.count
                change(chunk) { content in
                    for offset in found.reversed() {
                        content.ids.remove(at: offset)
                        content.keys?.remove(at: offset)
                    }
                }
                balance(chunk)
            }
            chunk = min(chunk, chunks.count) - 1
        }
        note(id, count - former)
    }

    /// The place of a key in a dictionary, whose keys ascend, and whether it is there.
    mutating func place(ofKey key: [UInt8]) -> (position: Int, isThere: Bool) {
        var (low, high) = (0, chunks.count)
        // The first chunk that does not end before the key.
        while low < high {
            let middle = (low + high) / 2
            if content(of: middle).keys?.last?.lexicographicallyPrecedes(key) ?? false { low = middle + 1 } else { high = middle }
        }
        let start = chunks[..<low].reduce(0) { $0 + $1.count }
        guard low < chunks.count else { return (start, false) }
        let (offset, isThere) = content(of: low).place(ofKey: key)
        return (start + offset, isThere)
    }
}

extension ReferenceList.Content {
    /// The place of a key, and whether it is there.
    func place(ofKey key: [UInt8]) -> (position: Int, isThere: Bool) {
        guard let keys else { return (0, false) }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return (low, low < keys.count && keys[low] == key)
    }
}
