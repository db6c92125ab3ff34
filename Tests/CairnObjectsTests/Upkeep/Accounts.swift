import CairnObjects

// A class before and after a change that needs code: cents become euros, and the owner's initial is kept.

enum AccountsBefore {
    @Stored(name: "Account") final class Account {
        @Unique var number: Int
        var owner: String
        var cents: Int
        var memo: String = ""
        @Relationship var heirs: ObjectList<Account>
    }
}

enum AccountsNow {
    @Stored(name: "Account", version: 2) final class Account {
        @Unique var number: Int
        var owner: String
        @Indexed var initial: String = ""
        var cents: Int = 0
        var euros: Double = 0
        @Relationship var heirs: ObjectList<Account>

        func migrate(from version: UInt8) {
            initial = String(owner.prefix(1))
            euros = Double(cents) / 100
            // An object that another leads to may be looked at, and is migrated before.
            if let heir = heirs.first { owner += " (\(heir.initial))" }
        }
    }
}

/// A version that changes nothing.
enum AccountsUnchanged {
    @Stored(name: "Account", version: 2) final class Account {
        @Unique var number: Int
        var owner: String
        var cents: Int
        var memo: String = ""
        @Relationship var heirs: ObjectList<Account>
    }
}

/// A migration that makes what is to be unique the same.
enum AccountsOfOneNumber {
    @Stored(name: "Account", version: 2) final class Account {
        @Unique var number: Int
        var owner: String

        func migrate(from version: UInt8) { number = 7 }
    }
}

/// Small enough for an engine that holds little.
enum TinyBefore {
    @Stored(name: "T") final class Tiny { var number: Int }
}

enum TinyNow {
    @Stored(name: "T", version: 2) final class Tiny {
        var number: Int

        func migrate(from version: UInt8) { number += 1 }
    }
}
