import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The connections of a server. When there are more than `most`, those give way that have waited longest for their client: for a request, or for the rest
/// of one. A connection whose request is being answered is kept until the answer has been sent.
///
/// Sixteen that wait are always left, so that new clients have time to ask before others come. While fewer wait, since the others are being answered, new
/// clients wait too, until one is answered or leaves. In between, there can be sixteen more than `most`.
final class Connections: AvailableConnectionsDelegate {
    /// Makes a connection give way if it still waits at this place.
    fileprivate struct GiveWay: Sendable { let place: Int }

    private struct State {
        var open = 0
        /// How many were told to give way, and have not done so.
        var leaving = 0
        var lastPlace = 0
        /// Those that wait, by their place in the queue.
        var waiting: [Int: any Channel] = [:]
        /// The places of those that wait, and of some that no longer do.
        var queue = CircularBuffer<Int>()
        /// Whether new clients were left to wait.
        var isFull = false
    }
    private static let newcomers = 16

    private let most: Int
    private let state = Mutex(State())

    init(most: Int) { self.most = most }

    // MARK: Of the listening socket

    func connectionOpened() { change { $0.open += 1 } }

    func connectionClosed() { change { $0.open -= 1 } }

    func isAcceptingNewConnections() -> Bool {
        state.withLock { state in
            state.isFull = !hasRoom(state)
            return !state.isFull
        }
    }

    // MARK: Of connections

    /// Puts a connection at the end of the queue, and returns its place.
    fileprivate func wait(_ channel: any Channel) -> Int {
        let (place, isRoomAgain) = change { state in
            state.lastPlace += 1
            state.waiting[state.lastPlace] = channel
            state.queue.append(state.lastPlace)
            if state.queue.count > 2 * state.waiting.count + 1024 {
                let waiting = state.waiting
                state.queue.removeAll { waiting[$0] == nil }
            }
            return (state.lastPlace, state.isFull && hasRoom(state))
        }
        // The listening socket asks again.
        if isRoomAgain { channel.parent?.read() }
        return place
    }

    /// A connection no longer waits: what it waited for is here, or it is closed.
    fileprivate func leave(_ place: Int) {
        change { state in
            // If it was told to give way, it has done so, or another one has to.
            if state.waiting.removeValue(forKey: place) == nil { state.leaving -= 1 }
        }
    }

    private func hasRoom(_ state: State) -> Bool {
        state.open < most || state.open < most + Self.newcomers && state.waiting.count > Self.newcomers
    }

    /// Changes the state, and lets connections give way if there are too many now.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, chosen) = state.withLock { state in
            let result = body(&state)
            var chosen: [(Int, any Channel)] = []
            while state.open - state.leaving > most, state.waiting.count > Self.newcomers, let place = state.queue.popFirst() {
                guard let channel = state.waiting.removeValue(forKey: place) else { continue }
                state.leaving += 1
                chosen.append((place, channel))
            }
            return (result, chosen)
        }
        // Without the lock, as this may call the handler of that connection at once.
        for (place, channel) in chosen { channel.pipeline.fireUserInboundEventTriggered(GiveWay(place: place)) }
        return result
    }
}

/// Notes for `Connections` when a connection waits for its client. What a client sends before the whole head of a request is here does not count.
final class WaitingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections
    /// Its place among those that wait.
    private var place: Int?
    private var isReading = false
    private var unanswered = 0

    init(_ connections: Connections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) { note(context) }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReading = true
            unanswered += 1
        case .body: break
        case .end: isReading = false
        }
        note(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenSuccess { [self] in
            unanswered -= 1
            note(context)
        }
        context.write(data, promise: written)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? Connections.GiveWay else { return context.fireUserInboundEventTriggered(event) }
        if event.place == place { context.close(promise: nil) }
    }

    /// Something has come or gone: it waits from now on, or does not.
    private func note(_ context: ChannelHandlerContext) {
        leave()
        // The last one may still be coming, and the ones before are not answered yet.
        if unanswered <= (isReading ? 1 : 0) { place = connections.wait(context.channel) }
    }

    private func leave() {
        if let place { connections.leave(place) }
        place = nil
    }
}
