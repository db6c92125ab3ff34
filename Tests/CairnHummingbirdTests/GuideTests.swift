#if Hummingbird
import CairnHummingbird
import CairnMapped
import Foundation
import Hummingbird
import Testing

struct FastSession: Codable, Equatable, Sendable {
    var name: String
    var visits = 0
}

extension FastSession: MappedValue {
    init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        var fields = try MappedFieldReader(bytes, as: type)
        self.init(name: try fields.read(), visits: try fields.read())
    }

    func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        var fields = MappedFieldWriter()
        try fields.write(name)
        try fields.write(visits)
        return try fields.withStoredBytes(body)
    }
}

/// The programs of the guide and of the catalog, which are compiled here: without the trait, they cannot be.
struct GuideTests {
    struct Session: Codable, Sendable {
        var name: String
        var visits = 0
    }

    func guide() async throws {
        let sessions = MappedPersistDriver(store: try MappedStore(path: "sessions.map"))
        try await sessions.set(key: "5f0c", value: Session(name: "Ada"), expires: .seconds(43_200))
        // If it is still there: it expires when it would have, and one that has ended stays so.
        try await sessions.update(key: "5f0c", as: Session.self) { $0.visits += 1 }

        let cache = ResponseCacheMiddleware<BasicRequestContext>(store: try MappedStore(path: "responses.map"))
        let router = Router()
        router.add(middleware: cache)
        router.get("/statistics") { _, _ in
            Response(status: .ok, headers: [.cacheControl: "max-age=5"], body: ResponseBody(byteBuffer: ByteBuffer(string: "42")))
        }
    }

    func catalog() async throws {
        let sessions = MappedPersistDriver(store: try MappedStore(path: "sessions.map"))
        let cache = ResponseCacheMiddleware<BasicRequestContext>(store: try MappedStore(path: "responses.map"))

        let router = Router()
        router.add(middleware: cache)
        router.post("/visits/{user}") { _, context in
            let user = try context.parameters.require("user")
            let visits = try await sessions.get(key: user, as: Int.self) ?? 0
            try await sessions.set(key: user, value: visits + 1, expires: .seconds(3600))
            return "\(visits + 1)"
        }
        var app = Application(router: router)
        app.addServices(sessions)
        try await app.runService()
    }

    @Test(arguments: ["docs/guides/sessions.md", "Sources/CairnHummingbird/CairnHummingbird.docc/CairnHummingbird.md"])
    func documentsHaveTheseLines(_ document: String) throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func lines(_ file: URL) throws -> [String] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
                line.split(separator: " ").joined(separator: " ")
            }
        }
        let known = Set(try lines(here))
        var isCode = false
        var count = 0
        for line in try lines(root.appending(path: document)) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode {
                count += 1
                #expect(known.contains(line), "\(document) has a line that is not compiled")
            }
        }
        #expect(count > 10)
    }
}
#endif
