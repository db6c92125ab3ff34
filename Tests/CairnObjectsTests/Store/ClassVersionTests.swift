import CairnCore
import CairnObjects
import Foundation
import Testing

struct ClassVersionTests {
    private let engine = MemoryEngine()

    private func store(_ classes: any StoredObject.Type...) throws -> ObjectStore { try ObjectStore(engine: engine, classes: classes) }

    private func refusal(_ classes: any StoredObject.Type...) -> ObjectStoreError? {
        do throws(ObjectStoreError) {
            _ = try ObjectStore(engine: engine, classes: classes)
            return nil
        } catch {
            return error
        }
    }

    /// Three people, of whom the first knows the others.
    private func addPeople() throws {
        try store(PersonOne.self, Pet.self).write { context in
            let people = (1...3).map { PersonOne(name: "n\($0)", age: Int32($0) * 10, nickname: "k\($0)") }
            people.forEach(context.insert)
            people[0].friends.append(contentsOf: [people[2], people[1], people[2]])
            context.insert(Pet(name: "rex"))
        }
    }

    /// A macro cannot tell a superclass from a protocol.
    @Test func aSuperclassIsRefused() {
        let refusal = refusal(Heir.self)
        #expect(refusal?.code == .schemaMismatch)
        #expect(
            refusal?.message.hasSuffix(
                "inherits from Ancestor, whose properties would not be stored; use a protocol for what classes share"
            ) == true
        )
    }

    @Test func propertiesMayBeAddedRemovedRenamedReorderedAndWidened() throws {
        try addPeople()
        let newer = try store(PersonTwo.self)
        let context = try newer.makeContext()
        let people = try context.allObjects(PersonTwo.self)
        #expect(people.map(\.fullName) == ["n1", "n2", "n3"] && people.map(\.age) == [10, 20, 30])
        #expect(people.allSatisfy { $0.email == "none" })
        #expect(people[0].friends.map(\.fullName) == ["n3", "n2", "n3"])
        people[1].age = 1 << 40
        people[1].email = "n2@example.com"
        try context.save()
        let entry = try #require(newer.catalog["Person"])
        #expect(entry.properties.map(\.name) == ["fullName", "age", "nickname", "friends", "email"])
        #expect(entry.properties.map(\.isGone) == [false, false, true, false, false])
        #expect(entry.properties[1].type == .integer(bits: 64, isSigned: true) && entry.version == 2)
        #expect(try newer.verify().isIntact)
    }

    @Test func whatWasGoneComesBackWhereRecordsHaveIt() throws {
        try addPeople()
        try store(PersonTwo.self).write { context in try context.allObjects(PersonTwo.self)[1].age = 1 << 40 }
        let newest = try store(PersonThree.self)
        try newest.read { context in
            let first = try #require(try context.object(ObjectID("1/1")!, as: PersonThree.self))
            #expect(first.fullName == "n1" && first.nickname == "k1" && first.age == 10)
            // A number that does not fit the narrower type is an error of that object alone, which names the property.
            var failure: ObjectStoreError?
            do throws(ObjectStoreError) { _ = try context.object(ObjectID("1/2")!, as: PersonThree.self) } catch { failure = error }
            #expect(failure?.code == .corruption && failure?.object == ObjectID("1/2"))
            #expect(failure?.message.contains("Person 2, property age") == true)
        }
    }

    @Test func aNameThatIsFreeAgainMayBeTaken() throws {
        try addPeople()
        _ = try store(PersonTwo.self)
        _ = try store(PersonFour.self)
        try store(PersonFour.self).write { context in
            let names = try context.allObjects(PersonFour.self).map(\.nickname)
            #expect(names == ["n1", "n2", "n3"])
            context.insert(PersonFour(nickname: "n4"))
        }
        #expect(try store(PersonFour.self).read { try $0.allObjects(PersonFour.self).map(\.nickname) } == ["n1", "n2", "n3", "n4"])
    }

    @Test func aClassMayBeRenamed() throws {
        try addPeople()
        let renamed = try store(Pet.self, Human.self)
        try renamed.write { context in
            let people = try context.allObjects(Human.self)
            #expect(people.map(\.name) == ["n1", "n2", "n3"])
            #expect(people[0].friends.map(\.name) == ["n3", "n2", "n3"])
            people[0].friends.removeAll { $0 === people[2] }
            context.insert(Human(name: "n4"))
        }
        #expect(renamed.catalog.classes.map(\.name) == ["Person", "Pet"].map { $0 == "Person" ? "Human" : $0 })
        #expect(try renamed.verify().isIntact)
        #expect(try store(Human.self).read { try $0.count(Human.self) } == 4)
    }

    @Test func classesMayBeGivenInAnyOrder() throws {
        try addPeople()
        for _ in 0..<2 {
            let store = try store(Pet.self, PersonOne.self)
            #expect(store.catalog.classes.map(\.name) == ["Person", "Pet"])
            #expect(try store.read { try $0.allObjects(Pet.self).map(\.name) } == ["rex"])
            #expect(try store.read { try $0.allObjects(PersonOne.self).map(\.name) } == ["n1", "n2", "n3"])
        }
    }

    @Test func objectsOfAMissingClassStayWhatTheyAre() throws {
        try addPeople()
        let before = try people()
        let few = try store(Pet.self)
        #expect(code { try few.read { try $0.allObjects(PersonOne.self) } } == .unknownClass)
        try few.write { context in
            try context.delete(context.allObjects(Pet.self)[0])
            for number in 0..<100 { context.insert(Pet(name: "\(number)")) }
        }
        #expect(try few.verify().isIntact)
        #expect(try people() == before)
        let all = try store(PersonOne.self, Pet.self)
        #expect(try all.read { try $0.allObjects(PersonOne.self)[0].friends.map(\.name) } == ["n3", "n2", "n3"])
        #expect(try all.read { try $0.count(Pet.self) } == 100)
        #expect(try all.verify().isIntact)
    }

    @Test func whatAMissingClassLeadsToIsNotDeleted() throws {
        try store(PetOwner.self, Pet.self).write { context in
            context.insert(PetOwner(name: "n", pets: [Pet(name: "rex")]))
            context.insert(Pet(name: "tom"))
        }
        let few = try store(Pet.self)
        let context = try few.makeContext()
        let pets = try context.allObjects(Pet.self)
        let rex = try #require(pets.first { $0.name == "rex" }), tom = try #require(pets.first { $0.name == "tom" })
        var failure: ObjectStoreError?
        do throws(ObjectStoreError) { try context.delete(rex) } catch { failure = error }
        #expect(failure?.code == .unknownClass && failure?.message.contains("PetOwner 1 refers to it") == true)
        #expect(!rex.isDeleted && !context.hasChanges)
        try context.delete(tom)
        rex.name = "Rex"
        try context.save()
        let all = try store(PetOwner.self, Pet.self)
        #expect(try all.read { try $0.allObjects(PetOwner.self)[0].pets.map(\.name) } == ["Rex"])
        #expect(try all.verify().isIntact)
    }

    /// What the engine holds of people.
    private func people() throws -> [[UInt8]] {
        try engine.makeView().entries(KeyRange(prefix: [0x01, 0, 1] as [UInt8])).flatMap { [$0.key, $0.value] }
    }

    @Test func typesThatCannotReadWhatIsStoredAreRefused() throws {
        try addPeople()
        let before = try engine.makeView().entries().map(\.value)
        for (type, words) in [
            (PersonWithTextAge.self, ["Person.age", "int32", "string"]), (PersonWithNumberName.self, ["Person.name", "string", "int64"]),
            (PersonWithFriendText.self, ["Person.friends", "list", "string"]),
            (PersonWithOneFriend.self, ["Person.friends", "list", "one"]),
        ] as [(any StoredObject.Type, [String])] {
            let error = try #require(refusal(type))
            #expect(error.code == .schemaMismatch, "\(error)")
            for word in words { #expect(error.message.contains(word), "\(error.message)") }
        }
        let error = try #require(refusal(PersonWithPets.self, Pet.self))
        #expect(error.code == .schemaMismatch && error.message.contains("Person.friends") && error.message.contains("Pet"))
        #expect(try engine.makeView().entries().map(\.value) == before)
        #expect(try store(PersonOne.self).read { try $0.count(PersonOne.self) } == 3)
    }

    /// What is written by hand only the program reads; what it leads to is known all the same.
    @Test func classesWrittenByHandAreVerifiedAndChanged() throws {
        try store(LetterByHand.self).write { context in
            let letters = ["a", "b"].map { LetterByHand(text: $0, length: 1) }
            letters.forEach(context.insert)
            letters[0].answers.append(letters[1])
        }
        for classes in [[], [LetterByHand.self], [NewerLetterByHand.self]] as [[any StoredObject.Type]] {
            let store = try ObjectStore(engine: engine, classes: classes)
            let report = try store.verify()
            #expect(report.isIntact && report.referenceCount == 1 && report.classes[0].objectCount == 2, "\(report.problems)")
            try store.inspect { inspector in
                let letter = try inspector.object(ObjectID("1/1")!)
                #expect(letter?["field 1"] == .value(.text("a")) && letter?["answers"] == .many([ObjectID("1/2")!]))
            }
        }
        #expect(refusal(LetterByHand.self)?.code == .unsupportedVersion)
        try store(NewerLetterByHand.self).write { context in
            let letters = try context.allObjects(NewerLetterByHand.self)
            #expect(letters.map(\.length) == ["1", "1"] && letters[0].answers.map(\.text) == ["b"])
            letters[0].length = "one"
        }
        #expect(try store(NewerLetterByHand.self).read { try $0.allObjects(NewerLetterByHand.self).map(\.length) } == ["one", "1"])
        let catalog = try store().catalog
        #expect(code { try ObjectImporter(ObjectStore(engine: MemoryEngine(), catalog: catalog)).add(catalog.classes[0]) } == .notSupported)
    }

    @Test func aClassDoesNotBecomeOneWrittenByHandNorTheOtherWayRound() throws {
        _ = try store(Letter.self)
        let error = try #require(refusal(LetterByHand.self))
        #expect(error.code == .schemaMismatch && error.message.contains("Letter"))
        let other = MemoryEngine()
        _ = try ObjectStore(engine: other, classes: [LetterByHand.self])
        #expect(code { try ObjectStore(engine: other, classes: [Letter.self]) } == .schemaMismatch)
    }

    @Test func aNewerClassIsRefused() throws {
        try addPeople()
        _ = try store(PersonTwo.self)
        let error = try #require(refusal(PersonOne.self))
        #expect(error.code == .unsupportedVersion && error.message.contains("version 2 of Person") && error.message.contains("version 1"))
        #expect(try store(PersonTwo.self).read { try $0.count(PersonTwo.self) } == 3)
    }

    @Test func twoClassesOfOneNameAreRefused() throws {
        let error = try #require(refusal(PersonOne.self, PersonTwo.self))
        #expect(error.code == .schemaMismatch && error.message.contains("two classes are called Person"))
        let new = #expect(throws: ObjectStoreError.self) { try ObjectStore(engine: MemoryEngine(), classes: [Twin.self, Other.Twin.self]) }
        #expect(new?.code == .schemaMismatch && new?.message.contains("two classes are called Twin") == true, "\(String(describing: new))")
    }

    @Test func olderRecordsAreMigratedWhenTheyAreRead() throws {
        try addPeople()
        // Of the same version: nothing to migrate.
        #expect(try store(PersonWhoMigrates.self).read { try $0.allObjects(PersonWhoMigrates.self).map(\.name) } == ["n1", "n2", "n3"])
    }

    /// A relationship is removed: its notes go with the records that had it.
    @Test func whatARemovedPropertyLedToIsForgottenWithTheNextSave() throws {
        try addPeople()
        let without = try store(PersonThree.self)
        #expect(try without.verify().referenceCount == 2)
        try without.write { context in for person in try context.allObjects(PersonThree.self) { person.nickname = "x" } }
        let report = try without.verify()
        #expect(report.isIntact && report.referenceCount == 0, "\(report)")
        #expect(try engine.makeView().entries(KeyRange(prefix: [0x05] as [UInt8])).isEmpty)
    }
}

struct StoreFormatTests {
    private func opening(_ header: String?, more: [UInt8] = []) throws -> ObjectStoreError? {
        let engine = MemoryEngine()
        var commit = EngineCommit()
        if let header { commit.put(header, for: [0, 0] as [UInt8]) }
        if !more.isEmpty { commit.put("x", for: more) }
        try engine.commit(commit)
        do throws(ObjectStoreError) {
            _ = try ObjectStore(engine: engine, classes: [Pet.self])
            return nil
        } catch {
            let kept = try engine.makeView().entries()
            #expect(kept.count == (header == nil ? 0 : 1) + (more.isEmpty ? 0 : 1), "what is refused is left alone")
            return error
        }
    }

    private let identity = "\"identity\":\"00000000-0000-0000-0000-000000000000\""

    @Test func aNewerFormatIsRefused() throws {
        let error = try opening("{\"format\":3,\"kind\":\"cairn objects\",\"something\":\"new\"}")
        #expect(error?.code == .unsupportedVersion && error?.message.contains("format 3") == true)
        for format in 1...2 { #expect(try opening("{\"format\":\(format),\"kind\":\"cairn objects\",\(identity)}") == nil) }
    }

    @Test func whatIsNoStoreIsLeftAlone() throws {
        #expect(try opening("{\"format\":1,\"kind\":\"something else\",\(identity)}")?.code == .foreignFile)
        #expect(try opening("hello")?.code == .foreignFile)
        #expect(try opening(nil, more: [7])?.code == .foreignFile)
        #expect(try opening("{\"format\":1,\"kind\":\"cairn objects\"}")?.code == .corruption)
    }

    @Test func aDamagedCatalogIsToldByItsClass() throws {
        let engine = MemoryEngine()
        _ = try ObjectStore(engine: engine, classes: [Pet.self, PersonOne.self])
        var commit = EngineCommit()
        commit.put("{", for: [0, 1, 0, 2] as [UInt8])
        try engine.commit(commit)
        var failure: ObjectStoreError?
        do throws(ObjectStoreError) { _ = try ObjectStore(engine: engine, classes: []) } catch { failure = error }
        #expect(failure?.code == .corruption && failure?.message.contains("class 2") == true)
    }
}

private class Ancestor { var inherited = 7 }

@Stored private final class Heir: Ancestor {
    var own: Int = 1
}

@Stored private final class Twin {
    var number: Int = 0
}

private enum Other {
    @Stored final class Twin {
        var number: String = ""
    }
}
