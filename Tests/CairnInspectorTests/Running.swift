import CairnInspector
import CairnTestSupport
import CairnToolKit
import Dispatch
import Foundation
import Testing

extension Answer {
    var json: JSON { get throws { JSON(try JSONTree(value: body)) } }
}

/// JSON, to look into.
@dynamicMemberLookup struct JSON: CustomStringConvertible {
    let tree: JSONTree?

    init(_ tree: JSONTree?) { self.tree = tree }

    subscript(dynamicMember name: String) -> JSON { JSON(tree?[name]) }
    subscript(name: String) -> JSON { JSON(tree?[name]) }

    subscript(place: Int) -> JSON {
        guard case .array(let values)? = tree, values.indices.contains(place) else { return JSON(nil) }
        return JSON(values[place])
    }

    var list: [JSON] {
        guard case .array(let values)? = tree else { return [] }
        return values.map { JSON($0) }
    }

    var string: String? { if case .string(let text)? = tree { text } else { nil } }
    var int: Int? { if case .number(let text)? = tree { Int(text) } else { nil } }
    var bool: Bool? { if case .bool(let value)? = tree { value } else { nil } }
    var isNull: Bool { tree == .null }
    var description: String { "\(tree.map { "\($0)" } ?? "nothing")" }
}

/// An inspector that runs while a test does.
struct Running {
    let inspector: Inspector

    var port: UInt16 { UInt16(inspector.url.port ?? 0) }
    var host: String { "127.0.0.1:\(port)" }
    var token: String { inspector.url.pathComponents[1] }

    /// Sends bytes, and reads the answer until the server closes the connection.
    func exchange(_ text: String) throws -> Answer { try exchange(Array(text.utf8)) }

    func exchange(_ bytes: [UInt8]) throws -> Answer {
        let client = try Client(port: port)
        client.send(bytes)
        return try Answer(client.receiveAll())
    }

    /// A request of the page.
    func get(_ path: String, host: String? = nil, headers: String = "") throws -> Answer {
        try exchange("GET \(path) HTTP/1.1\r\nHost: \(host ?? self.host)\r\nConnection: close\r\n\(headers)\r\n")
    }

    /// The answer to a question of the page.
    func ask(_ question: String, _ query: [String: String] = [:]) throws -> JSON {
        let answer = try answer(question, query)
        try #require(answer.status == 200, "\(question): \(answer.text)")
        return try answer.json
    }

    func answer(_ question: String, _ query: [String: String] = [:]) throws -> Answer {
        let fields = query.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        return try get("/\(token)/api/\(question)?\(fields)")
    }

    /// The answer to a change of the page.
    func change(_ command: String, _ edit: String = "{}") throws -> JSON {
        let answer = try changing(command, edit)
        try #require(answer.status == 200, "\(command) \(edit): \(answer.text)")
        return try answer.json
    }

    /// Makes an edit as the page does: after a preview.
    func perform(_ edit: String) throws -> JSON {
        let name = try #require(try change("preview", edit).edit.string)
        return try change("perform", "{\"edit\": \"\(name)\"}")
    }

    func changing(_ command: String, _ edit: String = "{}") throws -> Answer {
        let head = "Host: \(host)\r\nOrigin: http://\(host)\r\nContent-Type: application/json\r\nConnection: close\r\n"
        return try exchange("POST /\(token)/api/\(command) HTTP/1.1\r\n\(head)Content-Length: \(edit.utf8.count)\r\n\r\n\(edit)")
    }

    private static func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}

/// Serves a store while `body` runs, on a thread of its own: the client waits.
func inspecting(_ source: Inspector.Source, options: Inspector.Options = .init(), _ body: @escaping @Sendable (Running) throws -> Void)
    async throws
{
    let inspector = try Inspector(source, options: options)
    // Other tests may keep all of Swift's shared threads busy for longer than the client waits.
    let server = Task(executorPreference: ServerThread()) { try await inspector.run() }
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, any Error>, Never>) in
        DispatchQueue(label: "client").async { continuation.resume(returning: Result { try body(Running(inspector: inspector)) }) }
    }
    server.cancel()
    try await server.value
    try result.get()
}
