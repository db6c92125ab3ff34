import CairnHummingbird
import Foundation
import Hummingbird

/// Sessions, which all worker processes share.
///
///     POST  /login    {"name": "Ada"}: begins a session, whose identifier is in a cookie
///     GET   /session  what is in it, with the number of visits
///     POST  /logout   ends it
///
/// There are no passwords here. With hummingbird-auth, its `SessionMiddleware(storage: sessions)` does the same.
struct SessionRoutes: Sendable {
    let sessions: MappedPersistDriver

    struct Session: Codable, Sendable, ResponseEncodable {
        var name: String
        var since: Date
        var visits = 0
    }

    private struct Login: Codable {
        var name: String
    }

    private static let cookie = "SESSION_ID"
    private static let lifetime = 12 * 60 * 60

    func add(to router: Router<BasicRequestContext>) {
        router.post("/login") { request, context in
            let login = try await request.decode(as: Login.self, context: context)
            guard !login.name.isEmpty, login.name.utf8.count <= 256 else {
                throw HTTPError(.badRequest, message: "a name has 1 to 256 bytes")
            }
            // 256 bits of the system's generator: nobody guesses them.
            let identifier = (0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined()
            let session = Session(name: login.name, since: Date())
            try await sessions.create(key: Self.key(identifier), value: session, expires: .seconds(Self.lifetime))
            var response = Response(status: .noContent)
            response.setCookie(Cookie(name: Self.cookie, value: identifier, maxAge: Self.lifetime, path: "/", sameSite: .lax))
            return response
        }
        router.get("/session") { request, _ in
            // At once: a session that ends meanwhile is not made again.
            guard let key = Self.key(request), let session = try await sessions.update(key: key, as: Session.self, { $0.visits += 1 })
            else {
                throw HTTPError(.unauthorized, message: "there is no session")
            }
            return session
        }
        router.post("/logout") { request, _ in
            if let key = Self.key(request) { try await sessions.remove(key: key) }
            var response = Response(status: .noContent)
            response.setCookie(Cookie(name: Self.cookie, value: "", maxAge: 0, path: "/", sameSite: .lax))
            return response
        }
    }

    private static func key(_ identifier: String) -> String { "session " + identifier }

    private static func key(_ request: Request) -> String? {
        guard let identifier = request.cookies[cookie]?.value, (1...64).contains(identifier.utf8.count) else { return nil }
        return key(identifier)
    }
}
