import CairnEtcdKit
import CairnPostgresKit
import CairnTestSupport
import Foundation
import Testing

/// `cairn-cluster`, the servers of `make cluster`.
@Suite(
    .checking,
    .enabled(if: EtcdServer.isInstalled, EtcdServer.missing),
    .enabled(if: Cluster.isPossible, Server.missing),
    .endsWhenItHangs
)
struct ClusterTests {
    /// A command gets URLs that work, and its status is that of the program; nothing is left when it ends.
    @Test func aCommandHasServersUntilItEnds() throws {
        let store = #"{"cairn_objects":1}"#
        let script = """
            for url in "$CAIRN_ETCD_URL" "$CAIRN_POSTGRES_URL#songs"; do
                echo '\(store)' | '\(toolPath("cairn"))' objects import "$url" --create && '\(toolPath("cairn"))' objects verify "$url" || exit 1
            done
            echo "$CAIRN_CLUSTER_POSTGRES $CAIRN_CLUSTER_ETCD"
            exit 7
            """
        let result = try runTool("cairn-cluster", ["/bin/bash", "-c", script])
        #expect(result.status == 7, "\(result)")
        let places = try #require(result.standardOutput.split(separator: "\n").last).split(separator: " ").map(String.init)
        #expect(places.count == 2 && !FileManager.default.fileExists(atPath: places[0]))
        #expect(throws: EtcdSession.NoAnswer.self) { _ = try EtcdSession(port: #require(UInt16(places[1]))).revision() }
    }

    /// Ctrl-C ends the servers, and so does the death of the program.
    @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func signalsEndTheServers(signal: Int32) throws {
        let child = try ChildProcess("cairn-cluster")
        var port: UInt16?
        var lines: [String] = []
        while let line = child.readLine(), !line.contains("Ctrl-C") {
            lines.append(line)
            if line.contains("etcd://"), let text = line.split(separator: ":").dropFirst(2).first {
                port = UInt16(text.prefix { $0.isNumber })
            }
        }
        let session = EtcdSession(port: try #require(port, "\(lines)"))
        #expect(throws: Never.self) { _ = try session.revision() }
        kill(child.processIdentifier, signal)
        #expect(try child.waitForEnd() == (signal == SIGKILL ? .killed(signal: SIGKILL) : .exited(0)))
        // The shells that run the servers learn of it when their input ends.
        while (try? session.revision()) != nil {}
    }
}
