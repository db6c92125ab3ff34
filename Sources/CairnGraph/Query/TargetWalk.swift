import CairnCore
import Synchronization

/// Finds the objects of a class in the order of a property of those that they refer to: goes through an index of the other class, and passes on what
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
        let all = "what leads by \(relation.name) to each \(target.name) of its index (\(properties))"
        return withoutTarget == nil ? all : all + ", and what leads to none"
    }

    private static let null: [UInt8] = [0x00]

    /// Calls `body` with each object and the key of the value that it is sorted by, until it returns false. Those with the same value come by identity.
    func forEach(
        _ view: StoreView,
        isReversed: Bool,
        _ body: (ObjectID, [UInt8]) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        var waiting: [ObjectID] = []
        var key = Self.null
        var isAtNull = !isReversed
        var goesOn = true
        var failure: ObjectStoreError?
        /// Passes on what leads to the objects with the same value.
        func passAll() {
            do throws(ObjectStoreError) {
                goesOn = try pass(waiting, key, view, isReversed, body)
            } catch {
                (failure, goesOn) = (error, false)
            }
        }
        try QueryAccess.index(scan(isReversed)).forEach(view, target, isReversed: isReversed, wantsKeys: true) { id, found, _ in
            if found != key {
                if isAtNull || !waiting.isEmpty { passAll() }
                guard goesOn else { return false }
                (waiting, key) = ([], found)
            }
            isAtNull = found == Self.null
            waiting.append(id)
            return true
        }
        if goesOn, isAtNull || !waiting.isEmpty { passAll() }
        if goesOn, isReversed, !isAtNull {
            (waiting, key) = ([], Self.null)
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

    private func pass(
        _ targets: [ObjectID],
        _ key: [UInt8],
        _ view: StoreView,
        _ isReversed: Bool,
        _ body: (ObjectID, [UInt8]) -> Bool
    ) throws(ObjectStoreError) -> Bool {
        let isNull = key == Self.null
        // In an ascending walk that starts later, the null comes before the start.
        if isNull, !isReversed, let start, start != Self.null { return true }
        let owners = QueryAccess.owners(of: targets, ReferringProperty(relation), "")
        if !isNull, targets.count == 1 {
            return try owners.forEach(view, relation.owner, isReversed: isReversed) { id, _, _ in body(id, key) }
        }
        var ids = isNull ? try withoutTarget?() ?? [] : []
        try owners.forEach(view, relation.owner) { id, _, _ in
            ids.append(id)
            return true
        }
        ids.sort()
        for id in isReversed ? ids.reversed() : ids { guard body(id, key) else { return false } }
        return true
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
