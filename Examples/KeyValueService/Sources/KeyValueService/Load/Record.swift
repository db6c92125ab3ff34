import Foundation

/// Clients that write down what was acknowledged, and verify later that it is there: for a service that is killed meanwhile.
struct Record {
    let port: UInt16
    let path: String

    private static let clients = 4

    /// Writes keys and begins sessions until the service is gone; each that was acknowledged is a line of the file.
    func write() throws -> Int32 {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path) else {
            throw SocketError("could not create \(path)")
        }
        let lines = Lines(file)
        let group = DispatchGroup()
        for number in 0..<Self.clients {
            group.enter()
            Thread.detachNewThread { [port] in
                // It ends with an error, when the service is killed.
                try? Self.write(port, number, lines)
                group.leave()
            }
        }
        group.wait()
        print("\(lines.count) acknowledged")
        return 0
    }

    private static func write(_ port: UInt16, _ number: Int, _ lines: Lines) throws {
        let client = try Client(port: port)
        for round in 0... {
            let key = "record/\(number)/\(round)"
            if try client.request("PUT", "/keys/\(key)", body: Array("value of \(key)".utf8)).status == 204 { lines.add("key \(key)") }
            let answer = try client.request("POST", "/login", body: Array("{\"name\":\"\(key)\"}".utf8))
            if answer.status == 204, let cookie = answer.cookie { lines.add("session \(cookie) \(key)") }
        }
    }

    /// Reads what the file has; 0 if all of it is there.
    func verify() throws -> Int32 {
        let client = try Client(port: port)
        var (count, lost) = (0, 0)
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let isThere: Bool
            if words[0] == "key" {
                isThere = try client.request("GET", "/keys/\(words[1])").body == Array("value of \(words[1])".utf8)
            } else {
                let answer = try client.request("GET", "/session", cookie: words[1])
                isThere =
                    answer.status == 200
                    && String(decoding: answer.body, as: UTF8.self).replacing("\\/", with: "/").contains("\"\(words[2])\"")
            }
            count += 1
            if !isThere {
                lost += 1
                log("lost: \(line)")
            }
        }
        print("\(count) were acknowledged, \(lost) are lost")
        return lost == 0 && count > 0 ? 0 : 1
    }

    /// Lines of a file, each written at once.
    private final class Lines: @unchecked Sendable {  // Used under the lock.
        private let file: FileHandle
        private let lock = NSLock()
        private(set) var count = 0

        init(_ file: FileHandle) { self.file = file }

        func add(_ line: String) {
            lock.withLock {
                file.write(Data((line + "\n").utf8))
                count += 1
            }
        }
    }
}
