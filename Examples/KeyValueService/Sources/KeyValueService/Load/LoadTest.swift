import Foundation

/// Clients that ask all at once, and check every answer.
struct LoadTest {
    let port: UInt16
    let seconds: Int
    let clients: Int

    /// Prints how many answers came how soon; false where one was wrong.
    func run() -> Bool {
        let results = Results()
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        // Two more: one changes a first and a last key in turn, the other lists all that is between.
        let jobs: [@Sendable (inout Meter) throws -> Void] =
            (0..<clients).map { number in { try Self.readAndWrite(number, until: end, &$0) } }
            + [{ try Self.changeBounds(until: end, &$0) }, { try Self.list(until: end, &$0) }]
        let group = DispatchGroup()
        for job in jobs {
            group.enter()
            Thread.detachNewThread { [port] in
                var meter = Meter()
                do {
                    meter.client = try Client(port: port)
                    try job(&meter)
                } catch {
                    meter.complaints.append("\(error)")
                }
                results.add(meter)
                group.leave()
            }
        }
        group.wait()
        return results.report(elapsed: start.duration(to: .now))
    }

    // MARK: What clients do

    /// Each client has keys of its own, so that it knows what is there.
    private static func readAndWrite(_ number: Int, until end: ContinuousClock.Instant, _ meter: inout Meter) throws {
        let prefix = "load/key/\(number)/"
        var round = 0
        while .now < end {
            let path = "/keys/\(prefix)\(round % 100)"
            let value = Array("value \(round) of client \(number)".utf8)
            try meter.expect(204, "PUT", path, body: value)
            try meter.expect(200, "GET", path, answer: value)
            if round % 16 == 0 {
                let page = try meter.expect(200, "GET", "/range?prefix=\(prefix)&limit=1000")
                meter.check(page.count { $0 == UInt8(ascii: "\n") } == min(round + 1, 100), "a range lacks keys")
            }
            if round % 100 == 99 {
                for key in 0..<100 { try meter.expect(204, "DELETE", "/keys/\(prefix)\(key)") }
                try meter.expect(404, "GET", path)
                round = -1
            }
            round += 1
        }
    }

    /// Numbers under the first key, and then the same under the last.
    private static func changeBounds(until end: ContinuousClock.Instant, _ meter: inout Meter) throws {
        var number = 0
        while .now < end {
            number += 1
            for name in ["first", "zlast"] { try meter.expect(204, "PUT", "/keys/load/\(name)", body: Array("\(number)".utf8)) }
        }
    }

    /// At any instant, the first number is the last one or the next, however long a listing takes.
    private static func list(until end: ContinuousClock.Instant, _ meter: inout Meter) throws {
        while .now < end {
            let lines = String(decoding: try meter.expect(200, "GET", "/listing?prefix=load/"), as: UTF8.self).split(separator: "\n")
            func number(_ name: String) -> Int? { lines.first { $0.hasPrefix(name + "\t") }.flatMap { Int($0.dropFirst(name.count + 1)) } }
            guard let first = number("load%2Ffirst"), let last = number("load%2Fzlast") else { continue }
            meter.check(first == last || first == last + 1, "a listing is of more than one instant: \(first) and \(last)")
        }
    }
}

/// What one client found.
struct Meter {
    var client: Client?
    var times: [Duration] = []
    var complaints: [String] = []

    mutating func check(_ isRight: Bool, _ complaint: @autoclosure () -> String) {
        if !isRight { complaints.append(complaint()) }
    }

    @discardableResult
    mutating func expect(_ status: Int, _ method: String, _ path: String, body: [UInt8]? = nil, answer expected: [UInt8]? = nil) throws
        -> [UInt8]
    {
        guard let client else { return [] }
        let start = ContinuousClock.now
        let answer = try client.request(method, path, body: body)
        times.append(start.duration(to: .now))
        check(answer.status == status, "\(method) \(path) was answered \(answer.status) instead of \(status)")
        if let expected { check(answer.body == expected, "\(method) \(path) has another value") }
        return answer.body
    }
}

/// What all found.
private final class Results: @unchecked Sendable {  // Changed under the lock; read when all threads have ended.
    private let lock = NSLock()
    private var times: [Duration] = []
    private var complaints: [String] = []

    func add(_ meter: Meter) {
        lock.withLock {
            times += meter.times
            complaints += meter.complaints
        }
    }

    func report(elapsed: Duration) -> Bool {
        times.sort()
        guard !times.isEmpty else {
            log(complaints.first ?? "no request was answered")
            return false
        }
        func microseconds(_ part: Double) -> Int { Int(times[Int(Double(times.count - 1) * part)] / .microseconds(1)) }
        let rate = Int(Double(times.count) / (elapsed / .seconds(1)))
        print(
            "\(times.count) requests, \(rate) a second; half took less than \(microseconds(0.5)) µs, 99 of 100 less than \(microseconds(0.99)) µs"
        )
        print(complaints.isEmpty ? "Every answer was right." : "\(complaints.count) answers were wrong, such as: \(complaints[0])")
        return complaints.isEmpty
    }
}
