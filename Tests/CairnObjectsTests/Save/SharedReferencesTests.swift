import CairnHistoryKit
import CairnObjects
import CairnTestSupport
import Testing

/// Objects that one store deletes while another one saves references to them.
@Suite struct SharedReferencesTests {
    private let engine = MeddlingEngine()

    private static let count = 100

    /// Two stores with hubs, the first and the last of which are in pages of their own: saving one does not touch the other.
    private func stores() throws -> (ObjectStore, ObjectStore) {
        let one = try ObjectStore(engine: engine, classes: modelClasses)
        try one.write { context in for number in 1...Self.count { context.insert(ModelHub(number: number)) } }
        return (one, try ObjectStore(engine: engine, classes: modelClasses))
    }

    private static func hub(_ number: Int, in context: ObjectContext) throws -> ModelHub {
        try #require(try context.first(ModelHub.self, where: \.number == number))
    }

    private static func link(in context: ObjectContext) throws { try hub(1, in: context).next = hub(count, in: context) }

    /// Whether the first hub leads nowhere.
    private static func isFree(_ store: ObjectStore) throws -> Bool { try store.read { try hub(1, in: $0).next == nil } }

    /// Deleted is what is referred to, and the reference is removed, even if it was saved after the deletion had looked for references.
    @Test func aReferenceSavedDuringADeletionIsRemoved() throws {
        let (one, two) = try stores()
        let context = try one.makeContext()
        try context.delete(Self.hub(Self.count, in: context))
        let hasMeddled = try engine.meddle {
            #expect(throws: Never.self) { try two.write { try Self.link(in: $0) } }
        } in: {
            try context.save()
        }
        #expect(hasMeddled)
        context.close()
        #expect(try two.read { try $0.count(ModelHub.self) } == Self.count - 1)
        #expect(try Self.isFree(two))
        #expect(try one.verify().problems.isEmpty)
    }

    /// An object that another store has deleted, or deletes during the save, is not referred to.
    @Test(arguments: [false, true]) func aReferenceToADeletedObjectIsNotSaved(isMeanwhile: Bool) throws {
        let (one, two) = try stores()
        let context = try two.makeContext()
        try Self.link(in: context)
        func delete() {
            #expect(throws: Never.self) { try one.write { try $0.delete(Self.hub(Self.count, in: $0)) } }
        }
        if !isMeanwhile { delete() }
        var failure: ObjectStoreError?
        let hasMeddled = engine.meddle {
            if isMeanwhile { delete() }
        } in: {
            do { try context.save() } catch { failure = error as? ObjectStoreError }
        }
        #expect(failure?.code == .conflict && hasMeddled == isMeanwhile)
        context.close()
        #expect(try Self.isFree(one))
        #expect(try one.verify().problems.isEmpty)
    }
}
