import CairnObjects

/// What can be undone, as pairs of states of a graph.
struct ModelUndo {
    typealias Group = (before: ModelGraph, after: ModelGraph)
    static let limit = 4

    private var undoGroups: [Group] = []
    private var redoGroups: [Group] = []
    private var open: ModelGraph?
    private(set) var depth = 0

    var canUndo: Bool { !undoGroups.isEmpty || open != nil }
    var canRedo: Bool { !redoGroups.isEmpty && open == nil }

    /// Something was changed, which was `before`.
    mutating func changed(_ before: ModelGraph) {
        if open == nil { open = before }
        redoGroups = []
    }

    mutating func close(_ now: ModelGraph) {
        guard let before = open else { return }
        open = nil
        undoGroups.append((before, now))
        if undoGroups.count > Self.limit { undoGroups.removeFirst() }
    }

    mutating func begin(_ now: ModelGraph) {
        if depth == 0 { close(now) }
        depth += 1
    }

    mutating func end(_ now: ModelGraph) {
        guard depth > 0 else { return }
        depth -= 1
        if depth == 0 { close(now) }
    }

    /// Whether there was something to undo; nothing is done within a group.
    mutating func undo(_ graph: inout ModelGraph) -> Bool {
        close(graph)
        guard let group = undoGroups.popLast() else { return false }
        graph.apply(from: group.after, to: group.before)
        redoGroups.append(group)
        return true
    }

    mutating func redo(_ graph: inout ModelGraph) -> Bool {
        close(graph)
        guard let group = redoGroups.popLast() else { return false }
        graph.apply(from: group.before, to: group.after)
        undoGroups.append(group)
        return true
    }

    mutating func removeAll() {
        open = nil
        undoGroups = []
        redoGroups = []
    }
}
