import CairnHistoryKit
import CairnPostgresEngine
import CairnPostgresKit
import CairnTestSupport
import Foundation
import Testing

/// Reading from a server that cannot be written to.
@Suite(.checking, .enabled(if: Server.shared != nil, Server.missing), .timeLimit(.minutes(30))) struct PostgresStandbyTests {
    /// A standby cannot notify.
    @Test func `a reader on a standby polls, and tries to listen once`() async throws {
        let cluster = try Cluster()
        // A commit returns when the standby shows it.
        let writer = try PostgresEngine(url: cluster.url + "&options=-csynchronous_commit%3Dremote_apply")
        try writer.put("0", "a")
        let attempts = Tally()
        let proxy = try Proxy(to: .port(cluster.standbyPort)) { bytes in
            if Data(bytes).range(of: Data("LISTEN".utf8)) != nil { attempts.add() }
            return false
        }
        var options = PostgresEngineOptions()
        options.readOnly = true
        let reader = try PostgresEngine(url: proxy.url, options: options)
        var changes = try reader.changes().makeAsyncIterator()
        for round in 1...5 {
            let version = try writer.put("\(round)", "a")
            #expect(try await changes.next()?.version == version)
            #expect(try reader.get("a") == "\(round)")
        }
        #expect(attempts.count == 1)
        try reader.close()
        try writer.close()
    }
}
