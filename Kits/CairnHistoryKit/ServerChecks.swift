import CairnCore
package import CairnEngine
package import CairnTestSupport
import Foundation
import Testing

/// What engines on servers must do.
package enum ServerChecks {
    /// Reads in pages and batches of all sizes, with other calls in between.
    ///
    /// - Parameters:
    ///   - engine: An empty engine with one connection.
    ///   - perCommit: How many entries fit a commit.
    ///   - largeOnes: Every how many entries one has a large value.
    package static func pagesAreWhole(_ engine: any StorageEngine, perCommit: Int, largeOnes: Int) throws {
        func key(_ number: Int) -> [UInt8] { [UInt8(number / 256), UInt8(number % 256)] }
        func size(_ number: Int) -> Int { number % largeOnes == 0 ? 300_000 : 10 }
        for start in stride(from: 0, to: 3000, by: perCommit) {
            var commit = EngineCommit()
            for number in start..<start + perCommit { commit.put([UInt8](repeating: 1, count: size(number)), for: key(number)) }
            try engine.commit(commit, durability: .buffered)
        }
        let view = try engine.makeView()
        for reverse in [false, true] {
            var found: [Int] = []
            // With a call in between, although there is one connection.
            try view.scan(reverse: reverse) { key, value in
                found.append(Int([UInt8](copying: key)[0]) * 256 + Int([UInt8](copying: key)[1]))
                #expect(value.byteCount == size(found[found.count - 1]))
                if found.count % 500 == 0 { try #require(try view.contains(key)) }
                return true
            }
            #expect(found == (reverse ? Array((0..<3000).reversed()) : Array(0..<3000)))
        }
        let numbers = (0..<2500).map { $0 * 7 % 3200 }
        let values = try view.multiGet(KeyList(numbers.map(key)))
        for (number, value) in zip(numbers, values) { #expect((value != nil) == (number < 3000)) }
    }

    /// Reads a hundred ranges with two requests, of which the first has fewer: a caller may want few.
    ///
    /// - Parameters:
    ///   - engine: An empty engine.
    ///   - sent: Counts its requests that read ranges.
    package static func rangesAreReadTogether(_ engine: any StorageEngine, sent: Tally) throws {
        var commit = EngineCommit()
        for number in 0..<300 { commit.put("\(number)", for: "key \(1000 + number)") }
        try engine.commit(commit, durability: .buffered)
        let view = try engine.makeView()
        let ranges = (0..<100).map { KeyRange(prefix: "key \(1000 + $0 * 3)") }
        func requests(_ body: () throws -> Void) rethrows -> Int {
            let before = sent.count
            try body()
            return sent.count - before
        }
        for isPrepared in [false, true] {
            var found = 0
            let together = try requests {
                try view.lendEntries(inEach: ranges, reverse: false) { _, _, _ in
                    found += 1
                    return true
                }
            }
            #expect(found == 100)
            // Preparing a statement is a request of its own.
            if isPrepared { #expect(together == 2) }
        }
        #expect(try requests { try view.lendOneByOne(ranges, reverse: false) { _, _, _ in true } } >= 100)
    }

    /// Calls on an engine behind a proxy wait while the server is away.
    package static func callsWait(_ engine: any StorageEngine, behind proxy: Proxy) async throws {
        try engine.put("1", "a")
        let view = try engine.makeView()
        proxy.cut()
        try await onThreads(3) { number in
            switch number {
            case 0:
                while proxy.refusals < 4 { usleep(1000) }
                proxy.cut(false)
            case 1: try #require(try view.text("a") == "1")
            default: try engine.put("2", "b")
            }
        }
        #expect(try engine.get("b") == "2")
    }

    /// Calls on an engine whose server is far away take their time, and succeed.
    package static func callsCrossDelays(_ engine: any StorageEngine, behind proxy: Proxy) throws {
        try engine.put("0", "number")
        proxy.delay(.milliseconds(30))
        let start = ContinuousClock.now
        for number in 1...5 {
            let version = try engine.commit(increment(engine))
            #expect(try engine.get("number") == "\(number)" && engine.makeView().version == version)
        }
        // Each commit there and back.
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        proxy.delay(.zero)
    }

    /// Calls that take longer than the engine waits fail with what is known, and nothing is lost or doubled.
    ///
    /// - Parameter engine: An engine that waits and retries for less than a minute, with a store that no other uses.
    package static func callsGiveUp(_ engine: any StorageEngine, behind proxy: Proxy) throws {
        try engine.put("0", "number")
        var commit = try increment(engine)
        commit.idempotencyID = Array("name".utf8)
        proxy.delay(.seconds(60))
        let lost = failure { () throws(EngineError) in _ = try engine.commit(commit) }
        #expect(lost?.code == .unavailable && lost?.isOutcomeUnknown == true, "\(String(describing: lost))")
        let unread = failure { () throws(EngineError) in _ = try engine.makeView() }
        #expect(unread?.code == .unavailable && unread?.isOutcomeUnknown == false, "\(String(describing: unread))")
        proxy.delay(.zero)
        // What is still held back is not waited for.
        proxy.cut()
        proxy.cut(false)
        let version = try engine.commit(commit)
        #expect(try engine.get("number") == "1" && engine.commit(commit) == version)
    }

    /// Reads that wait for a server that does not answer end when their task is cancelled.
    ///
    /// - Parameter engine: An engine behind the proxy, with one connection, and with time-outs that are longer than the test may take.
    package static func readsEndWhenCancelled(_ engine: any StorageEngine, behind proxy: Proxy) async throws {
        try engine.put("1", "a")
        let view = try engine.makeView()
        let read = { @Sendable in code { () throws(EngineError) in _ = try view.text("b") } }
        let beginReading = { @Sendable in Task { await offPool { () throws(Never) in read() }.get() } }
        func untilLosses(after count: Int) async { while proxy.losses == count { await Task.yield() } }
        proxy.fallSilent()

        // For an answer.
        var losses = proxy.losses
        var reading = beginReading()
        await untilLosses(after: losses)
        reading.cancel()
        #expect(await reading.value == .cancelled)

        // In the task itself, which needs a connection now.
        reading = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return read()
        }
        #expect(await reading.value == .cancelled)

        // For the only connection, which another call has.
        losses = proxy.losses
        reading = beginReading()
        await untilLosses(after: losses)
        let waiting = beginReading()
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        reading.cancel()
        #expect(await reading.value == .cancelled)

        // For the next attempt.
        proxy.cut()
        let refusals = proxy.refusals
        reading = beginReading()
        while proxy.refusals < refusals + 4 { await Task.yield() }
        reading.cancel()
        #expect(await reading.value == .cancelled)
    }

    /// A commit of a cancelled task writes nothing if it has sent nothing; if it was sent, it ends with its outcome.
    ///
    /// - Parameter engine: As ``readsEndWhenCancelled(_:behind:)``, but with several connections.
    package static func commitsEndWithTheirOutcome(_ engine: any StorageEngine, behind proxy: Proxy) async throws {
        try engine.put("1", "number")
        let commit = try increment(engine)
        let commits = { @Sendable () async -> Result<EngineVersion, EngineError> in
            await offPool { () throws(EngineError) in try engine.commit(commit, durability: .buffered) }
        }
        let unsent = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await commits()
        }.value
        let error = #expect(throws: EngineError.self) { try unsent.get() }
        #expect(error?.code == .cancelled && error?.isOutcomeUnknown == false, "\(String(describing: error))")
        #expect(try engine.get("number") == "1")

        let losses = proxy.losses
        proxy.lose(.silently)
        let committing = Task { await commits() }
        while proxy.losses == losses { await Task.yield() }
        proxy.fallSilent()
        committing.cancel()
        // By the time that a read has noticed, so would the commit have: as it waits for the answer, and between attempts.
        let reading = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return code { () throws(EngineError) in _ = try engine.makeView() }
        }
        #expect(await reading.value == .cancelled)
        proxy.cut()
        proxy.fallSilent(false)
        let refusals = proxy.refusals
        while proxy.refusals < refusals + 16 { await Task.yield() }
        proxy.cut(false)
        let version = try await committing.value.get()
        let view = try engine.makeView()
        #expect(try view.version == version && view.text("number") == "2")
    }

    /// A commit that adds one to a number, and must therefore not be performed twice.
    package static func increment(_ engine: any StorageEngine) throws(EngineError) -> EngineCommit {
        let view = try engine.makeView()
        var commit = EngineCommit()
        commit.read("number", in: view)
        commit.put("\(Int(try view.text("number") ?? "0")! + 1)", for: "number")
        return commit
    }
}
