import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Equality works by indexes that hold hashes only; all else scans, and says so.
struct EncryptedQueryTests {
    private func store() throws -> ObjectStore {
        let store = try OpenSafe().store()
        try fill(store)
        return store
    }

    @Test func explainSaysWhatIndexesCannotDo() throws {
        let context = try store().makeContext()
        func plan(_ condition: ObjectCondition<Patient>, _ sorts: [ObjectSort<Patient>] = [], limit: Int? = nil) throws -> String {
            "\(try context.explain(where: condition, sortedBy: sorts, limit: limit))"
        }
        let equality = try plan(\.city == "Secretville")
        #expect(
            equality == """
                scan:   index (city): city = "Secretville"
                finds:  67
                asks:   city = "Secretville"
                order:  as inserted
                """
        )
        let compound = try plan(\.city == "Secretville" && \.age == 3)
        #expect(
            compound == """
                scan:   index (age): age = 3
                finds:  3
                asks:   city = "Secretville" and age = 3
                order:  as inserted
                """
        )
        let range = try plan(\.age > 80)
        #expect(
            range == """
                scan:   all Patient, since the index (age) is encrypted and supports only equality
                finds:  200
                asks:   age > 80
                order:  as inserted
                """
        )
        let prefix = try plan(.hasPrefix(\.city, "Secret"), [.ascending(\.city)], limit: 3)
        #expect(
            prefix == """
                scan:   all Patient, since the indexes (city), (city, age) are encrypted and support only equality
                finds:  200
                asks:   city begins with "Secret"
                order:  sorted in memory by city, the first 3 kept
                """
        )
        let other = try plan(\.name == "Aurora 2")
        #expect(other.hasPrefix("scan:   all Patient\n"))
        let some = try plan(.isIn(\.city, ["Secretville", "Nowhere"]))
        #expect(some.hasPrefix("scan:   index (city)"))
    }

    @Test func uniqueValuesAreFoundAndKept() throws {
        let store = try store()
        try store.read { context in
            let found = try context.fetch(Patient.self, where: \.number == "Z-number 42")
            #expect(found.map(\.name) == ["Aurora 42"])
            let none = try context.fetch(Patient.self, where: \.number == nil)
            #expect(none.map(\.name) == ["Zebulon 7"])
        }
        func add(_ number: String?) throws { try store.write { $0.insert(Patient(city: "", number: number, name: "")) } }
        #expect(code { try add("Z-number 9") } == .notUnique)
        try add(nil)
        try add("Z-number 900")
        let number = "Z-number 900"
        try store.upsert(\Patient.number, number, make: { Patient(city: "", number: number, name: "") }, update: { $0.name = "found" })
        let found = try store.read { try $0.fetch(Patient.self, where: \.number == "Z-number 900").map(\.name) }
        #expect(found == ["found"])
    }

    /// The same changes and the same questions, encrypted, plain, and encrypted with scans that threads share.
    @Test func answersAreThoseOfAPlainStore() async throws {
        var sharing = ObjectStoreOptions()
        (sharing.smallestSharedScan, sharing.scanThreads) = (1, 3)
        try await withSeeds("encrypted queries", count: Thorough.count(2, of: 8)) { [sharing] random in
            let stores = [
                try OpenSafe().store(), try OpenSafe().store(encrypted: false), try OpenSafe().store(hospital, encrypted: true, sharing),
            ]
            let cities = ["", "A", "B", "Ä", "a longer name of a city"]
            for round in 0..<25 {
                let (city, age, choice, limit) = (random.pick(cities), random.int(in: 0..<6), random.int(in: 0..<6), random.int(in: 1..<5))
                let (row, number) = (random.int(in: 1..<40), random.int(in: 0..<30))
                var answers: [String] = []
                for store in stores {
                    let change = Result {
                        try store.write { context in
                            switch choice {
                            case 0: try context.delete(Patient.self, where: \.age == age && \.city == city)
                            case 1:
                                if let patient = try context.object(patientID(row), as: Patient.self) {
                                    (patient.city, patient.age, patient.number) = (city, age, "\(number)")
                                }
                            default:
                                for place in 0..<4 {
                                    let number = place == 0 ? "\(number)" : nil
                                    context.insert(Patient(city: city, number: number, name: "\(round)", age: (age + place) % 6))
                                }
                            }
                        }
                    }
                    var answer = "\(code { try change.get() }.map { "\($0)" } ?? "saved")\n"
                    try store.read { context in
                        let conditions: [ObjectCondition<Patient>] = [
                            \.city == city, \.age == age, \.city == city && \.age == age, \.city == city && \.age > 2, \.age < age,
                            \.city == city || \.age == age, .isIn(\.city, [city, "B"]) && .isIn(\.age, [age, 1]), \.number == "\(number)",
                            \.number == nil, \.city != city, .hasPrefix(\.city, "a"),
                        ]
                        let sorts: [ObjectSort<Patient>] = [.descending(\.city), .descending(\.age)]
                        for condition in conditions {
                            answer += "\(try context.count(Patient.self, where: condition)): "
                            answer += "\(try context.fetchIDs(Patient.self, where: condition)) "
                            answer +=
                                "\(try context.fetchIDs(Patient.self, where: condition, sortedBy: [.ascending(\.age)], limit: limit)) "
                            answer += "\(try context.fetchIDs(Patient.self, where: condition, sortedBy: sorts)) "
                            answer += "\(try context.min(Patient.self, of: \.age, where: condition) ?? -1) "
                            answer += "\(try context.groups(Patient.self, by: \.city, .count, .sum(of: \.age), where: condition))\n"
                        }
                    }
                    answers.append(answer)
                }
                #expect(answers[0] == answers[1] && answers[2] == answers[1], "round \(round)")
            }
            for store in stores { #expect(try store.verify().isIntact) }
        }
    }

    @Test func undoAndTransferWork() throws {
        let store = try store()
        let saved = try contents(store)
        let context = try store.makeContext()
        context.undo.isEnabled = true
        for patient in try context.fetch(Patient.self, where: \.age == 3) { try context.delete(patient) }
        try context.setNamed("the director's note", to: "other")
        try context.save()
        #expect(try contents(store) != saved)
        try context.undo.undo()
        try context.save()
        #expect(try contents(store) == saved)
        context.close()
        #expect(try store.verify().isIntact)
    }

    /// Indexes that are declared later are built, by hashes too.
    @Test func indexesAreBuilt() throws {
        let open = try OpenSafe()
        let store = try open.store()
        try fill(store)
        try store.rebuildIndexes()
        #expect(store.incompleteIndexes.isEmpty)
        #expect(try store.verify().isIntact)
        #expect(try store.read { try $0.count(Patient.self, where: \.city == "Hiddenberg") } == 133)
    }
}
