import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Foundation
import Testing

/// Random work on messages of some users, beside a dictionary.
struct ShreddingModelTests {
    private struct Entry: Equatable {
        var user: String?
        var text: String
        var isShredded = false
    }

    @Test func randomWork() async throws {
        try await withSeeds("shredding", count: Thorough.count(2, of: 6)) { random in
            let open = try OpenSafe()
            var store = try open.store(mailbox)
            var model: [ObjectID: Entry] = [:]
            let users: [String?] = ["a", "b", "c", "d", nil]
            for step in 0..<120 {
                let user = users[random.int(in: 0..<5)]
                switch random.int(in: 0..<10) {
                case 0..<4:
                    let size = random.int(in: 0..<8) == 0 ? 1500 : 3
                    let message = Message(user: user, code: "\(step)", text: "text \(step)", attachment: [UInt8](repeating: 7, count: size))
                    let id = try store.write { context in
                        context.insert(message)
                        return message.objectID
                    }
                    model[try #require(id)] = Entry(user: user, text: "text \(step)")
                case 4..<7:
                    guard let id = model.keys.sorted().randomElement(using: &random), model[id]?.isShredded == false else { continue }
                    try store.write { context in
                        let message = try #require(try context.object(id, as: Message.self))
                        (message.user, message.text) = (user, "changed \(step)")
                    }
                    model[id] = Entry(user: user, text: "changed \(step)")
                case 7:
                    guard let id = model.keys.sorted().randomElement(using: &random) else { continue }
                    try store.write { context in
                        let all = try context.shreddedObjects(Message.self)
                        let message = try all.first { $0.objectID == id } ?? #require(try context.object(id, as: Message.self))
                        try context.delete(message)
                    }
                    model[id] = nil
                case 8:
                    guard let user else { continue }
                    let found = model.filter { $0.value.user == user && !$0.value.isShredded }.keys
                    #expect(try store.shred(user) == found.count)
                    for id in found { model[id]?.isShredded = true }
                default: store = try open.store(mailbox)
                }
            }
            let report = try store.verify()
            #expect(report.isIntact, "\(report.problems)")
            #expect(report.classes[0].shreddedCount == model.values.count { $0.isShredded })
            try store.read { context in
                for (id, entry) in model {
                    guard !entry.isShredded else {
                        #expect(code { try context.object(id, as: Message.self) } == .shredded)
                        continue
                    }
                    let message = try #require(try context.object(id, as: Message.self))
                    #expect(Entry(user: message.user, text: message.text) == entry)
                }
                for user in users {
                    let wanted = model.values.filter { $0.user == user && !$0.isShredded }.map(\.text).sorted()
                    #expect(try context.fetch(Message.self, where: \.user == user).map(\.text).sorted() == wanted)
                }
            }
        }
    }
}
