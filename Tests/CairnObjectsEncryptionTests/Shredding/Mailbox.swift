import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Testing

@Stored final class Message {
    @Indexed var user: String?
    @Unique var code: String
    @Searchable var text: String
    var attachment: [UInt8] = []
    @Relationship(inverse: \Folder.messages) var folder: Folder?
    @Relationship var answers: ObjectList<Message>
}

extension Message: ShreddableObject {
    var shredGroup: String? { user }
}

@Stored final class Folder {
    var title: String
    @Relationship var messages: ObjectList<Message>
}

let mailbox: [any StoredObject.Type] = [Message.self, Folder.self]

func messageID(_ row: Int) -> ObjectID { ObjectID("1/\(row)")! }

/// 90 messages, in turn of ada, ben and nobody, every tenth with a large attachment, in a folder; each is an answer to the one before.
func fillMailbox(_ store: ObjectStore, _ count: Int = 90) throws {
    try store.write { context in
        let folder = Folder(title: "inbox")
        context.insert(folder)
        var last: Message?
        for number in 0..<count {
            let user = [nil, "ada", "ben"][number % 3]
            let message = Message(user: user, code: "code \(number)", text: "\(user ?? "nobody") wrote letter \(number)")
            if number.isMultiple(of: 10) { message.attachment = [UInt8](repeating: UInt8(number), count: 2000) }
            context.insert(message)
            folder.messages.append(message)
            last?.answers.append(message)
            last = message
        }
    }
}

/// The texts of all messages that can be read, one by one, and of the others why not.
func mail(_ store: ObjectStore, _ count: Int = 90) throws -> [String] {
    try store.read { context in
        (1...count).map { row in
            do {
                guard let message = try context.object(messageID(row), as: Message.self) else { return "-" }
                return message.text + (message.attachment.isEmpty ? "" : " with \(message.attachment.count) bytes")
            } catch { return "\((error as? ObjectStoreError)?.code.description ?? "\(error)")" }
        }
    }
}

/// What ``mail(_:_:)`` becomes.
func shredded(_ mail: [String], _ user: String) -> [String] { mail.map { $0.hasPrefix(user) ? "shredded" : $0 } }
