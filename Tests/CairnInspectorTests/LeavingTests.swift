import CairnCore
import CairnInspector
import CairnObjects
import CairnTestSupport
import Dispatch
import Synchronization
import Testing

/// Clients that leave before they have their answer, or send no more.
@Suite struct LeavingTests {
    private let engine = EndlessEngine()
    private let store: ObjectStore

    init() throws {
        store = try ObjectStore(engine: engine, classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in context.insert(InspectedSong(title: "Walking on Sunshine", year: 1984)) }
        engine.isEndless.store(true, ordering: .relaxed)
    }

    private static func request(_ page: Running, _ question: String, _ header: String = "") -> String {
        "GET /\(page.token)/api/\(question) HTTP/1.1\r\nHost: \(page.host)\r\n\(header)\r\n"
    }

    @Test func workOnTheirAnswersEnds() async throws {
        try await inspecting(.store(store)) { [engine] (page) throws in
            do {
                let client = try Client(port: page.port)
                client.send(Self.request(page, "size?class=Song").utf8)
                #expect(engine.began.wait(timeout: .now() + 300) == .success)
            }
            #expect(engine.ended.wait(timeout: .now() + 300) == .success, "the scan continued without a client")
            engine.isEndless.store(false, ordering: .relaxed)
            #expect(try page.ask("size", ["class": "Song"]).objects.int == 1)
        }
    }

    @Test func whatTheySendMeanwhileIsTheNextRequest() async throws {
        try await inspecting(.store(store)) { [engine] (page) throws in
            let client = try Client(port: page.port)
            client.send(Self.request(page, "size?class=Song").utf8)
            #expect(engine.began.wait(timeout: .now() + 300) == .success)
            client.send(Self.request(page, "count?class=Album", "Connection: close\r\n").utf8)
            engine.isEndless.store(false, ordering: .relaxed)
            let answers = String(decoding: client.receiveAll(), as: UTF8.self)
            #expect(answers.contains(#""objects":"#) && answers.contains(#""count":0}"#), "\(answers)")
        }
    }

    /// Those that listened, too: twice as many as there are places find one, one half after the other.
    @Test func theirPlacesAreFreeAtOnce() async throws {
        try await inspecting(.store(store)) { (page) throws in
            for _ in 0..<2 {
                var listeners: [Listener] = []
                for _ in 0..<64 {
                    let listener = Listener(client: try Client(port: page.port))
                    listener.client.send("GET /\(page.token)/events HTTP/1.1\r\nHost: \(page.host)\r\n\r\n".utf8)
                    try #require(listener.client.receive(until: ": alive").contains(": alive"), "\(listeners.count) have a place")
                    listeners.append(listener)
                }
            }
        }
    }

    /// A client in an array.
    private final class Listener {
        let client: Client

        init(client: consuming Client) { self.client = client }
    }

    /// As those of `nc -N` do.
    @Test func clientsThatSendNoMoreGetTheirAnswers() async throws {
        engine.isEndless.store(false, ordering: .relaxed)
        try await inspecting(.store(store)) { (page) throws in
            for _ in 0..<20 {
                let client = try Client(port: page.port)
                client.send((Self.request(page, "size?class=Song") + Self.request(page, "count?class=Album")).utf8)
                client.endSending()
                let answers = String(decoding: client.receiveAll(), as: UTF8.self)
                #expect(answers.contains(#""objects":"#) && answers.contains(#""count":0}"#), "\(answers)")
            }
        }
    }
}

/// An engine whose scans of pages lend the same page again and again, until the reader has enough.
private final class EndlessEngine: StorageEngine {
    private let engine = MemoryEngine()
    let isEndless = Atomic(false)
    /// Signalled when an endless scan begins, and when its reader ends it.
    let (began, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    var limits: EngineLimits { engine.limits }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { engine.latestVersion }

    func makeView() throws(EngineError) -> any EngineView { EndlessView(try engine.makeView(), self) }
    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try engine.commit(commit, durability: durability)
    }
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    func close() throws(EngineError) { try engine.close() }
}

private final class EndlessView: EngineView {
    private let view: any EngineView
    private let engine: EndlessEngine

    init(_ view: any EngineView, _ engine: EndlessEngine) {
        self.view = view
        self.engine = engine
    }

    var version: EngineVersion { view.version }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool { try view.lendValue(for: key, to: body) }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) { try view.lendValues(for: keys, to: body) }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        var goesOn = true
        try view.lendEntries(in: range, reverse: reverse) { key, value in
            guard engine.isEndless.load(ordering: .relaxed) else { return body(key, value) }
            engine.began.signal()
            while goesOn, engine.isEndless.load(ordering: .relaxed) { goesOn = body(key, value) }
            if !goesOn { engine.ended.signal() }
            return goesOn
        }
    }
}
