import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server on loopback that gives the same answer to whatever a client sends first, as a server of another protocol does.
public final class ForeignServer: Sendable {
    public var port: UInt16 { listener.port }
    private let listener: Listener

    public init(answer: String) throws {
        ignoreBrokenPipes()
        let listener = try Listener()
        self.listener = listener
        let answer = Array(answer.utf8)
        Thread {
            while true {
                let client = accept(listener.descriptor, nil, nil)
                guard client >= 0 else { return }
                Thread { Self.serve(client, answer) }.start()
            }
        }
        .start()
    }

    deinit { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ client: Int32, _ answer: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isAnswered = false
        // Until the client hangs up: the end of a connection with bytes that nobody has read can overtake the answer.
        while unsafe recv(client, &buffer, buffer.count, 0) > 0 {
            if !isAnswered { _ = unsafe send(client, answer, answer.count, 0) }
            isAnswered = true
        }
        _ = close(client)
    }
}
