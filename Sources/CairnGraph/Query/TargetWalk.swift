import CairnCore
import Synchronization

/// Finds the objects of a class in the order of a property of the objects that they refer to: walks an index of the other class, and passes on what
/// refers to each of its objects.
///
/// Objects that refer to none come where `nil` does, and no entry leads to them: they are found by a scan, unless the results end before, or the condition
/// excludes them.
struct TargetWalk {
    let index: StoredIndex
    /// The other class.
    let target: StoredClass
    let relation: Relation
    /// The objects that refer to none, in order; `nil` if they are not wanted.
    let withoutTarget: (() throws(ObjectStoreError) -> [ObjectID])?
    /// The key of a value before which nothing is wanted, in the direction of the walk.
    var start: [UInt8]?

    var text: String {
        let properties = index.index.properties.joined(separator: ", ")
        let all = "references through \(relation.name) to each \(target.name) of its index (\(properties))"
        return withoutTarget == nil ? all : all + ", and objects without one"
    }

    private static let null: [UInt8] = [0x00]

    /// The objects of the other class that have the same value.
    private struct Group {
        let key: [UInt8]
        var targets: [ObjectID] = []
    }

    /// How many objects of the other class one call of the engine takes, at most.
    private static let largestBatch = 256

    /// Calls `body` with each object and the key of the value that it is sorted by, until it returns false. Those with the same value come by identity.
    func forEach(
        _ view: StoreView,
        isReversed: Bool,
        _ body: (ObjectID, [UInt8]) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        // Objects without a target come first, or last.
        var groups = isReversed ? [] : [Group(key: Self.null)]
        // Most queries want few.
        var (count, batch) = (0, 1)
        var goesOn = true
        var failure: ObjectStoreError?
        func passAll() {
            do throws(ObjectStoreError) { goesOn = try pass(groups, view, isReversed, body) } catch { (failure, goesOn) = (error, false) }
            (groups, count, batch) = ([], 0, min(batch * 4, Self.largestBatch))
        }
        try QueryAccess.index(scan(isReversed)).forEach(view, target, isReversed: isReversed, wantsKeys: true) { id, key, _ in
            if groups.last?.key != key {
                if count >= batch { passAll() }
                guard goesOn else { return false }
                groups.append(Group(key: key))
            }
            groups[groups.count - 1].targets.append(id)
            count += 1
            return true
        }
        if goesOn {
            if isReversed, groups.last?.key != Self.null { groups.append(Group(key: Self.null)) }
            passAll()
        }
        if let failure { throw failure }
        return goesOn
    }

    private func scan(_ isReversed: Bool) -> IndexScan {
        let scan = IndexScan(index, [], "")
        guard let start, var range = scan.ranges.first else { return scan }
        let bound = Keyspace.entries(index.number) + start
        if isReversed { range.upperBound = bound + KeySpan.end } else { range.lowerBound = bound }
        return IndexScan(index: index, ranges: [range], equalCount: 0, text: "", prefixSize: scan.prefixSize)
    }

    /// Passes on the objects that refer to those of some groups.
    private func pass(
        _ groups: [Group],
        _ view: StoreView,
        _ isReversed: Bool,
        _ body: (ObjectID, [UInt8]) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        let property = ReferringProperty(relation)
        let targets = groups.enumerated().flatMap { place, group in group.targets.map { (id: $0, group: place) } }
        var current = 0
        // What was found for the current group, if it comes by identity.
        var found: [ObjectID] = []
        func endGroup() throws(ObjectStoreError) -> Bool {
            let key = groups[current].key
            current += 1
            if key == Self.null {
                // In an ascending walk that starts later, the null comes before the start.
                if !isReversed, let start, start != Self.null { found = [] } else { found += try withoutTarget?() ?? [] }
            }
            found.sort()
            for id in isReversed ? found.reversed() : found { guard body(id, key) else { return false } }
            found = []
            return true
        }
        var goesOn = true
        let ranges = targets.map { property.references(to: $0.id) }
        try view.lendEntries(inEach: ranges, reverse: isReversed) { index, key, _ throws(ObjectStoreError) in
            while goesOn, current < targets[index].group { goesOn = try endGroup() }
            guard goesOn, let id = Keyspace.owner(key) else { return goesOn }
            if groups[current].targets.count == 1, groups[current].key != Self.null {
                goesOn = body(id, groups[current].key)
            } else {
                found.append(id)
            }
            return goesOn
        }
        while goesOn, current < groups.count { goesOn = try endGroup() }
        return goesOn
    }
}

extension QueryPlanner {
    /// The walk that finds objects in a wanted order, if the other class is so small that even a walk to its end costs little more than a scan. It answers
    /// no condition but that there is a target.
    func walk(_ parts: [Condition], _ sorts: [SortPart]) throws(ObjectStoreError) -> TargetWalk? {
        // Targets with unsaved changes have other values than their entries.
        guard sorts.count == 1, context.pending.isEmpty, let path = sorts[0].property.path,
            let relation = stored.relations[path.relationship], relation.shape == .one, !relation.isDerived,
            parts.allSatisfy({ $0.excludesNil(path.relationship) })
        else { return nil }
        let target = try context.knownClass(path.target)
        let (mine, theirs) = (stored.lastRow.load(ordering: .relaxed), target.lastRow.load(ordering: .relaxed))
        // The values of shredded objects are unknown, and their entries may be gone.
        guard theirs <= mine / 8, !target.isShreddable,
            let index = target.indexes.first(where: {
                $0.index.properties == [path.name] && !$0.keys.areHashed && $0.isComplete(in: view)
            })
        else { return nil }
        let (context, type) = (context, stored.schema?.type)
        guard parts.isEmpty else { return TargetWalk(index: index, target: target, relation: relation, withoutTarget: nil) }
        let test = Condition.link(LinkTest(property: path.relationship, name: relation.name, target: nil))
        return TargetWalk(index: index, target: target, relation: relation) { () throws(ObjectStoreError) in
            guard let type else { return [] }
            return try context.ids(type, test)
        }
    }
}

extension Condition {
    /// Whether the condition is that a to-one property leads to an object.
    fileprivate func excludesNil(_ relationship: Int) -> Bool {
        guard case .link(let test) = self else { return false }
        return test.isNegated && test.property == relationship && test.target == nil && test.targetID == nil
    }
}

extension ObjectContext {
    /// The objects of a class that meet a condition, in order.
    fileprivate func ids<Object: StoredObject>(_ type: Object.Type, _ condition: Condition) throws(ObjectStoreError) -> [ObjectID] {
        try query(type, condition, wantsObjects: false).matches().map(\.id)
    }
}
