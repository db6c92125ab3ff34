import CairnObjects
import CairnTestSupport
import Foundation
import Testing

struct Cents: RawRepresentable, StoredValue, KeyCodable, SummableValue {
    var rawValue: Int

    static func sum(_ total: NumberTotal) throws(ObjectStoreError) -> Cents { Cents(rawValue: try Int.sum(total)) }
}

@Stored(indexes: [["kind", "amount"]]) final class Payment {
    var kind: String
    @Indexed var amount: Int
    var large: UInt64 = 0
    var huge: UInt128 = 0
    var exact: Float?
    var weight: Double = 0
    var price: Cents = Cents(rawValue: 0)

    var half: Int { amount / 2 }
}

/// Sums, averages, least and greatest values, groups: what they are, how they are computed, and what they refuse.
struct AggregateTests {
    private func store(_ payments: [Payment], _ engine: any StorageEngine = MemoryEngine()) throws -> ObjectStore {
        let store = try ObjectStore(engine: engine, classes: [Payment.self])
        try store.write { context in payments.forEach(context.insert) }
        return store
    }

    @Test func valuesHaveTheirTypes() throws {
        var payments: [Payment] = []
        for number in 1...4 {
            let payment = Payment(kind: number == 4 ? "cash" : "card", amount: number * 10)
            if number > 1 { payment.exact = Float(number) / 2 }
            payment.weight = Double(number) / 4
            payment.price = Cents(rawValue: number)
            payments.append(payment)
        }
        let context = try store(payments).makeContext()
        let sum: Int = try context.sum(Payment.self, of: \.amount)
        #expect(sum == 100)
        #expect(try context.sum(Payment.self, of: \.amount, where: \.kind == "card") == 60)
        #expect(try context.sum(Payment.self, of: \.amount, where: #Predicate { $0.kind == "card" }) == 60)
        let weight: Double = try context.sum(of: \Payment.weight)
        #expect(weight == 2.5)
        let exact: Double = try context.sum(of: \Payment.exact)
        #expect(exact == 4.5)
        #expect(try context.average(Payment.self, of: \.exact, where: \.amount >= 20) == 1.5)
        let price: Cents = try context.sum(of: \Payment.price)
        #expect(price.rawValue == 10)
        #expect(try context.sum(of: \Payment.half) == 50)
        let least: Float? = try context.min(of: \Payment.exact)
        #expect(least == 1)
        #expect(try context.max(Payment.self, of: \.kind, where: \.amount < 40) == "card")
        #expect(try context.max(Payment.self, of: \.amount, where: #Predicate { $0.kind == "card" }) == 30)
        #expect(try context.min(Payment.self, of: \.price)?.rawValue == 1)
        let groups = try context.groups(Payment.self, by: \.kind, .count, .sum(of: \.amount), .max(of: \.exact), .average(of: \.amount))
        #expect(
            groups.map { "\($0)" } == [
                #"("card", 3, 60, Optional(1.5), Optional(20.0))"#, #"("cash", 1, 40, Optional(2.0), Optional(40.0))"#,
            ]
        )
        let some = try context.groups(Payment.self, by: \.half, .count, where: #Predicate { $0.amount > 10 })
        #expect(some.map { "\($0)" } == ["(10, 1)", "(15, 1)", "(20, 1)"])
        #expect(try context.groups(Payment.self, by: \.kind) == ["card", "cash"])
    }

    @Test func nothingHasNoValues() throws {
        let context = try store([]).makeContext()
        #expect(try context.sum(of: \Payment.amount) == 0)
        #expect(try context.sum(of: \Payment.weight) == 0)
        #expect(try context.average(of: \Payment.amount) == nil)
        #expect(try context.min(of: \Payment.amount) == nil)
        #expect(try context.max(of: \Payment.exact) == nil)
        #expect(try context.groups(Payment.self, by: \.kind, .count).isEmpty)
    }

    /// Only the result must fit, whatever the order.
    @Test func sumsThatDoNotFitAreErrors() throws {
        let payments = [.max, 1, -1, .min, .max, 2].map { Payment(kind: "", amount: $0, large: .max, huge: .max) }
        let context = try store(payments).makeContext()
        #expect(code { try context.sum(of: \Payment.amount) } == .outOfRange)
        #expect(code { try context.groups(Payment.self, by: \.kind, .sum(of: \.amount)) } == .outOfRange)
        #expect(code { try context.sum(of: \Payment.large) } == .outOfRange)
        #expect(code { try context.sum(of: \Payment.huge) } == .outOfRange)
        #expect(try context.average(of: \Payment.huge) == 0x1p128)
        #expect(try context.average(of: \Payment.large) == 0x1p64)
        #expect(try context.sum(Payment.self, of: \.amount, where: \.amount <= 2) == .min + 2)
        // More than 128 bits with a sign.
        let halves = try store([1, 2].map { Payment(kind: "", amount: $0, huge: UInt128(Int128.max)) }).makeContext()
        #expect(code { try halves.sum(of: \Payment.huge) } == .outOfRange)
        #expect(try halves.average(of: \Payment.huge) == 0x1p127)
        let wide = try store([Payment(kind: "", amount: 0, large: 1 << 62, huge: 7), Payment(kind: "", amount: 0, large: 5, huge: 8)])
        #expect(try wide.read { try $0.sum(of: \Payment.large) } == 1 << 62 + 5)
        #expect(try wide.read { try $0.sum(of: \Payment.huge) } == 15)
    }

    @Test func floatingPointNumbersAreAddedWithCare() throws {
        func total(_ weights: [Double]) throws -> Double {
            try store(weights.map { Payment(kind: "", amount: 0, weight: $0) }).read { try $0.sum(of: \Payment.weight) }
        }
        #expect(try total([1, 1e100, 1, -1e100]) == 2)
        #expect(try total([Double](repeating: 0.1, count: 1000)) == 100)
        #expect(try total([1, .infinity]) == .infinity)
        #expect(try total([.infinity, -.infinity]).isNaN)
        #expect(try total([1, .nan]).isNaN)
    }

    @Test func explainSaysWhatIsRead() throws {
        let store = try store((0..<60).map { Payment(kind: $0 % 2 == 0 ? "card" : "cash", amount: $0) })
        let context = try store.makeContext()
        func plan<Value>(_ aggregate: ObjectAggregate<Payment, Value>, _ condition: ObjectCondition<Payment> = .everything) throws -> String
        {
            "\(try context.explain(Payment.self, aggregate, where: condition))"
        }
        let last = """
            scan:   index (kind, amount): kind = "card"
            finds:  30
            reads:  the last entry of the index
            """
        #expect(try plan(.max(of: \.amount), \.kind == "card") == last)
        let first = """
            scan:   index (amount), all of it
            finds:  60
            reads:  the first entry of the index
            """
        #expect(try plan(.min(of: \.amount)) == first)
        let entries = """
            scan:   index (kind, amount): kind = "card" and amount > 49
            finds:  5
            reads:  entries of the index, no objects
            """
        #expect(try plan(.sum(of: \.amount), \.kind == "card" && \.amount > 49) == entries)
        let records = """
            scan:   index (amount): amount > 49
            finds:  10
            reads:  records
            """
        #expect(try plan(.sum(of: \.weight), \.amount > 49) == records)
        let objects = """
            scan:   index (kind, amount): kind begins with "c"
            finds:  60
            asks:   kind ends with "d"
            reads:  objects
            """
        #expect(try plan(.average(of: \.half), .hasPrefix(\.kind, "c") && .hasSuffix(\.kind, "d")) == objects)
        #expect(try plan(.count, \.amount < 3).hasSuffix("reads:  entries of the index, no objects"))
        #expect(try plan(.count, \.weight < 3).hasSuffix("reads:  records"))
        #expect(try plan(.count, .satisfies { $0.half > 3 }).hasSuffix("reads:  objects"))
        let few = try context.explain(Payment.self, by: \.amount, .count, where: \.amount < 3)
        let groups = """
            scan:   index (amount): amount < 3
            finds:  3
            reads:  entries of the index, no objects
            order:  by amount
            """
        #expect(few.description == groups)
        let all = try context.explain(Payment.self, by: \.weight, .count, .max(of: \.amount))
        let scan = """
            scan:   all Payment
            finds:  60
            reads:  records
            order:  by weight
            """
        #expect(all.description == scan)
        context.insert(Payment(kind: "new", amount: 7))
        #expect(try plan(.max(of: \.amount)).hasSuffix("beside: 1 with unsaved changes"))
    }

    /// What explain says is what is done: reads are counted.
    @Test func littleIsRead() throws {
        let engine = CountingEngine()
        let store = try store((0..<3200).map { Payment(kind: $0 % 100 == 0 ? "card" : "cash", amount: $0) }, engine)
        let context = try store.makeContext()
        _ = try context.count(Payment.self)
        func reads(_ body: () throws -> Void) throws -> [Int] {
            let (values, entries) = try engine.count(body)
            return [values, entries]
        }
        #expect(try reads { _ = try context.max(of: \Payment.amount) } == [0, 1])
        #expect(try reads { _ = try context.min(Payment.self, of: \.amount, where: \.kind == "card") } == [0, 1])
        #expect(try reads { _ = try context.max(Payment.self, of: \.amount, where: .isIn(\.kind, ["card", "cash", "none"])) } == [0, 2])
        #expect(try reads { _ = try context.sum(Payment.self, of: \.amount, where: \.kind == "card") } == [0, 32])
        #expect(try reads { _ = try context.groups(Payment.self, by: \.amount, .count, where: \.amount < 7) } == [0, 7])
        // All pages.
        #expect(try reads { _ = try context.sum(of: \Payment.weight) } == [0, 101])
    }

    /// Unsaved changes and deletions are passed over in the index.
    @Test func changesOfTheContextCount() throws {
        let store = try store((0..<10).map { Payment(kind: "card", amount: $0) })
        let context = try store.makeContext()
        let payments = try context.fetch(Payment.self, sortedBy: \.amount)
        try context.delete(payments[9])
        payments[8].amount = -5
        #expect(try context.max(of: \Payment.amount) == 7)
        #expect(try context.min(of: \Payment.amount) == -5)
        #expect(try context.sum(Payment.self, of: \.amount, where: \.kind == "card") == 23)
        payments[7].kind = "cash"
        #expect(try context.max(Payment.self, of: \.amount, where: \.kind == "card") == 6)
        let groups = try context.groups(Payment.self, by: \.kind, .count)
        #expect(groups.map { "\($0)" } == [#"("card", 8)"#, #"("cash", 1)"#])
        context.rollback()
        #expect(try context.max(of: \Payment.amount) == 9)
    }

    @Test func aggregatesOfClosedAndUnknownThingsAreRefused() throws {
        let store = try store([Payment(kind: "card", amount: 1)])
        let context = try store.makeContext()
        #expect(code { try context.sum(of: \Track.seconds) } == .unknownClass)
        #expect(code { try context.groups(Track.self, by: \.artist, .count) } == .unknownClass)
        context.close()
        #expect(code { try context.sum(of: \Payment.amount) } == .closed)
        #expect(code { try context.max(of: \Payment.amount) } == .closed)
        #expect(code { try context.groups(Payment.self, by: \.kind, .count) } == .closed)
        #expect(code { try context.explain(Payment.self, .max(of: \.amount)) } == .closed)
    }

    /// Values of other objects, which are read.
    @Test func groupsAreThoseOfWhatRelationshipsReferTo() throws {
        let store = try Scene().tracks()
        var generator = SeededGenerator(seed: 1)
        try store.write { context in
            let discs = ["one", "two"].map { Disc(title: $0) }
            for disc in discs { context.insert(disc) }
            for number in 0..<7 {
                let track = TrackPool.track(number, Track.self, &generator)
                track.disc = number % 3 < 2 ? discs[number % 3] : nil
                context.insert(track)
            }
        }
        let context = try store.makeContext()
        let groups = try context.groups(Track.self, by: \.disc?.title, .count)
        #expect(groups.map { "\($0.0 ?? "none") \($0.1)" } == ["none 2", "one 3", "two 2"])
        #expect(try context.max(of: \Track.disc?.title) == "two")
        #expect(try context.explain(Track.self, by: \.disc?.title, .count).values == "objects")
    }

    /// What a serializable write has aggregated is declared: another one that changes it comes before or after.
    @Test func aggregatesAreReadsOfAWrite() throws {
        let store = try store([Payment(kind: "card", amount: 1)])
        var attempts = 0
        try store.write { context in
            attempts += 1
            let most = try context.max(of: \Payment.amount) ?? 0
            if attempts == 1 { try store.write { $0.insert(Payment(kind: "cash", amount: 5)) } }
            context.insert(Payment(kind: "card", amount: most + 1))
        }
        #expect(attempts == 2)
        #expect(try store.read { try $0.max(of: \Payment.amount) } == 6)
    }
}
