import CairnObjects

// One class of a store, as a program has it that is developed further.

@Stored(name: "Person") final class PersonOne {
    var name: String
    var age: Int32 = 0
    var nickname: String?
    @Relationship var friends: ObjectList<PersonOne>
}

/// One property is renamed, one is wider, one is gone, one is new, and they are declared in another order.
@Stored(name: "Person", version: 2) final class PersonTwo {
    @Relationship var friends: ObjectList<PersonTwo>
    var email: String = "none"
    var age: Int = 0
    @Stored(originalName: "name") var fullName: String
}

/// What was gone is back.
@Stored(name: "Person", version: 3) final class PersonThree {
    @Stored(originalName: "name") var fullName: String
    var nickname: String?
    var age: Int8 = 0
}

@Stored(name: "Human", formerNames: ["Person"]) final class Human {
    var name: String
    var age: Int32 = 0
    @Relationship var friends: ObjectList<Human>
}

@Stored(name: "Person") final class PersonWithTextAge {
    var name: String
    var age: String = ""
}

@Stored(name: "Person") final class PersonWithNumberName {
    var name: Int = 0
}

@Stored(name: "Person") final class PersonWithFriendText {
    var name: String
    var friends: String = ""
}

@Stored(name: "Person") final class PersonWithPets {
    var name: String
    @Relationship var friends: ObjectList<Pet>
}

@Stored(name: "Person") final class PersonWithOneFriend {
    var name: String
    @Relationship var friends: PersonWithOneFriend?
}

@Stored(name: "Person") final class PersonWhoMigrates {
    var name: String
    var age: Int32 = 0

    func migrate(from version: UInt8) { name = "migrated from \(version)" }
}

/// A property takes the name of one that is gone.
@Stored(name: "Person", version: 4) final class PersonFour {
    @Stored(originalName: "fullName") var nickname: String
}

@Stored final class Pet {
    var name: String
}

@Stored final class PetOwner {
    var name: String
    @Relationship var pets: ObjectList<Pet>
}

@Stored(name: "Letter") final class LetterByHand: HandCodedObject {
    var text: String
    @Relationship var answers: ObjectList<LetterByHand>
    var length: Int = 0

    func read(from record: inout RecordReader) throws(RecordError) {
        text = try record.read()
        length = try record.read()
    }

    func write(to record: inout RecordWriter) {
        record.write(text)
        record.write(length)
    }
}

/// The same with another type, which its method knows to read.
@Stored(name: "Letter", version: 2) final class NewerLetterByHand: HandCodedObject {
    var text: String
    @Relationship var answers: ObjectList<NewerLetterByHand>
    var length: String = ""

    func read(from record: inout RecordReader) throws(RecordError) {
        text = try record.read()
        if record.version < 2 { length = "\(try record.read(Int.self))" } else { length = try record.read() }
    }

    func write(to record: inout RecordWriter) {
        record.write(text)
        record.write(length)
    }
}

@Stored(name: "Letter") final class Letter {
    var text: String
    @Relationship var answers: ObjectList<Letter>
    var length: Int = 0
}
