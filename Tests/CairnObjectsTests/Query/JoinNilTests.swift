import CairnObjects
import Foundation
import Testing

/// `nil` behind relationships.
struct JoinNilTests {
    @Stored(name: "Record") final class Record {
        var number: Int
        @Relationship var label: Label?
    }

    @Stored(name: "Label") final class Label {
        var name: String?
        @Relationship(inverse: \City.labels) var cities: ObjectSet<City>
    }

    @Stored(name: "City") final class City {
        var name: String
        @Relationship var labels: ObjectList<Label>
    }

    private let store: ObjectStore

    init() throws {
        store = try ObjectStore(engine: MemoryEngine(), classes: [Record.self, Label.self, City.self])
        try store.write { context in
            let labels = [Label(name: "x"), Label(name: nil)]
            labels.forEach(context.insert)
            let city = City(name: "here")
            context.insert(city)
            city.labels.append(labels[0])
            for number in 0..<3 {
                let record = Record(number: number)
                context.insert(record)
                if number < 2 { record.label = labels[number] }
            }
        }
    }

    private func numbers(_ predicate: Predicate<Record>) throws -> [Int] {
        try store.read { try $0.fetch(Record.self, where: predicate).map(\.number) }
    }

    @Test func aValueOfAnUnwrappedObjectCanBeNil() throws {
        #expect(try numbers(#Predicate { $0.label!.name == nil }) == [1])
        #expect(try numbers(#Predicate { $0.label!.name != "x" }) == [1])
        #expect(try numbers(#Predicate { ($0.label!.name ?? "none") == "none" }) == [1])
        #expect(try numbers(#Predicate { $0.label?.name == nil }) == [1, 2])
        #expect(try numbers(#Predicate { $0.label?.name == "x" }) == [0])
    }

    @Test func objectsThatInnerConditionsNameAreBroughtUpToDate() throws {
        let context = try store.makeContext()
        let city = try #require(try context.first(City.self))
        context.refresh()
        let here = ObjectCondition<Record>.has(\.label, where: .contains(\.cities, city))
        #expect(try context.fetch(where: here).map(\.number) == [0])
        context.refresh()
        #expect(try context.fetch(where: !here).map(\.number) == [1, 2])
    }
}
