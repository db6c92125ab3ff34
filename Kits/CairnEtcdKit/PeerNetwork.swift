import CairnTestSupport
import Foundation

/// The network between the members of a cluster: a proxy in front of each, which knows members by the header that they send first.
final class PeerNetwork: Sendable {
    private let proxies: [Proxy]
    var ports: [UInt16] { proxies.map(\.port) }

    init(to ports: [UInt16]) throws {
        proxies = try ports.map { try Proxy(to: .port($0)) { _ in false } }
    }

    deinit { for proxy in proxies { proxy.stop() } }

    /// Lets members reach those of their own group.
    ///
    /// - Parameter names: The numbers of the members, which they send in hexadecimal.
    func cut(_ groups: [[Int]], names: [String]) {
        for (member, proxy) in proxies.enumerated() {
            let reached = groups.first { $0.contains(member) } ?? [member]
            var refused: [Data] = []
            for (other, name) in names.enumerated() where !reached.contains(other) {
                guard let number = UInt64(name) else { continue }
                refused.append(Data("X-Server-From: \(String(number, radix: 16))\r\n".utf8))
            }
            let marks = refused
            proxy.refuse { bytes in marks.contains { Data(bytes).range(of: $0) != nil } }
        }
    }
}
