extension Condition {
    /// The part of the condition that can test records, and the rest.
    func recordTest(_ targets: QueryTargets, _ stored: StoredClass) -> (test: RecordTest?, rest: Condition) {
        guard let schema = stored.schema, !schema.isHandCoded else { return (nil, self) }
        let parts = if case .all(let parts) = self { parts } else { [self] }
        var tests: [RecordTest] = []
        var rest: [Condition] = []
        for part in parts {
            if let test = part.test(targets, stored) { tests.append(test) } else { rest.append(part) }
        }
        return (tests.isEmpty ? nil : tests.count == 1 ? tests[0] : RecordTest.Several(tests, endsAt: false), .allOf(rest))
    }

    /// The whole condition as a test of records; `nil` if a part of it needs the object.
    private func test(_ targets: QueryTargets, _ stored: StoredClass) -> RecordTest? {
        switch self {
        case .always, .text: return nil
        case .value(let test):
            guard let index = test.property.index, test.property.isValue, let form = test.property.form() else {
                return nil
            }
            return form.test(index, test.spans)
        case .link(let test):
            guard let relation = stored.relations[test.property], relation.shape == .one, !(test.target?.isDeleted ?? false),
                test.target == nil || test.target?.objectID != nil
            else { return nil }
            let leads = RecordTest.Link(test.property, test.target?.objectID)
            return test.isNegated ? RecordTest.Not(leads) : leads
        case .join(let test):
            guard let relation = stored.relations[test.property], relation.shape == .one, let set = targets.set(test) else { return nil }
            let leads = RecordTest.Join(test.property, set, whenNil: test.whenNil)
            return test.isNegated ? RecordTest.Not(leads) : leads
        case .other(let test):
            guard let recordTest = test.recordTest?() else { return nil }
            return test.isNegated ? RecordTest.Not(recordTest) : recordTest
        case .all(let parts): return Self.tests(parts, targets, stored).map { RecordTest.Several($0, endsAt: false) }
        case .any(let parts): return Self.tests(parts, targets, stored).map { RecordTest.Several($0, endsAt: true) }
        }
    }

    private static func tests(_ parts: [Condition], _ targets: QueryTargets, _ stored: StoredClass) -> [RecordTest]? {
        var tests: [RecordTest] = []
        for part in parts {
            guard let test = part.test(targets, stored) else { return nil }
            tests.append(test)
        }
        return tests
    }
}

extension RecordTest {
    /// Whether a to-one property refers to an object or, if that is `nil`, to none.
    final class Link: Reference {
        private let target: ObjectID?

        init(_ index: Int, _ target: ObjectID?) {
            self.target = target
            super.init(index, whenNil: target == nil)
        }

        override func holds(_ id: ObjectID) -> Bool? { id == target }
    }

    /// Whether a to-one property refers to an object that meets a condition.
    final class Join: Reference {
        private let targets: any TargetSet

        init(_ index: Int, _ targets: any TargetSet, whenNil: Bool) {
            self.targets = targets
            super.init(index, whenNil: whenNil)
        }

        override var asksRecordsOnly: Bool { false }

        // If the object cannot be read, testing its owner fails with the reason.
        override func holds(_ id: ObjectID) -> Bool? { try? targets.contains(id) }
    }
}
