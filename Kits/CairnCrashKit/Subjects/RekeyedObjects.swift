import CairnObjectsEncryption
import CairnRocksGraph
import Foundation
import Synchronization

/// An object store that now and then gets another cipher, or none, or another passphrase for the one it has. A change that was ended by a
/// kill is finished when the store is opened. Nothing is committed meanwhile: the store is closed.
final class RekeyedObjects: CrashSubject {
    static let name = "objects-rekeyed"
    static let roundCost = 5
    static let workload: CrashWorkload = {
        var workload = ObjectSubject.workload
        workload.tidiesOneIn = 30
        // Each change rewrites everything.
        workload.operationsInRound = 40
        return workload
    }()

    private struct State {
        /// `nil` once it is closed.
        var subject: ObjectSubject?
        var cipher: (any ObjectCipher)?
        /// Why there is no subject any more.
        var failure: (any Error)?
    }
    private let directory: String
    private let state: Mutex<State>

    init(directory: String) throws {
        self.directory = directory
        state = Mutex(try Self.open(directory))
    }

    private static let ciphers: [(any ObjectCipher)?] = {
        guard let cost = ScryptCost(stored: 4) else { preconditionFailure("no cost of 2^4 rounds") }
        return [nil]
            + ["one", "two"].map { passphrase in
                do { return try ObjectEncryption(passphrase: passphrase, cost: cost) } catch { preconditionFailure("no cipher: \(error)") }
            }
    }()

    // MARK: Opening

    /// Opens the store with whatever cipher it has.
    private static func open(_ directory: String) throws -> State {
        if try isUnfinished(directory) { try finishChange(directory) }
        for cipher in ciphers {
            if let state = try fitting({ State(subject: try ObjectSubject(directory: directory, cipher: cipher), cipher: cipher) }) {
                return state
            }
        }
        throw CrashDamage("no cipher opens the store")
    }

    /// Whether a change of the cipher has begun, and not ended.
    private static func isUnfinished(_ directory: String) throws -> Bool {
        do { try ObjectSubject(directory: directory, cipher: nil).close() } catch let error as ObjectStoreError {
            guard error.code == .keyNeeded || error.code == .changeUnfinished else { throw error }
            return error.code == .changeUnfinished
        }
        return false
    }

    /// Finishes a change, whatever it was from and to.
    private static func finishChange(_ directory: String) throws {
        for old in ciphers {
            for new in ciphers where old != nil || new != nil {
                if try fitting({ try change(directory, from: old, to: new) }) != nil { return }
            }
        }
        throw CrashDamage("no ciphers can finish a change")
    }

    /// What `body` returns; `nil` where its ciphers are not those of the store.
    private static func fitting<Value>(_ body: () throws -> Value) throws -> Value? {
        do { return try body() } catch let error as ObjectStoreError {
            guard error.code == .keyNeeded || error.code == .wrongKey else { throw error }
            return nil
        }
    }

    private static func change(_ directory: String, from old: (any ObjectCipher)?, to new: (any ObjectCipher)?) throws {
        try ObjectStore.rekey(path: directory, classes: ObjectSubject.classes, from: old, to: new)
    }

    // MARK: The store

    func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        try using { try $0.commit(operation, midway: midway) }
    }

    func contents() throws -> CrashContents { try using { try $0.contents() } }

    private func using<Value: Sendable>(_ body: (ObjectSubject) throws -> Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let subject = state.subject else { throw CrashDamage("the store was closed") }
            return try body(subject)
        }
    }

    func tidy(waits: Bool) throws {
        guard waits else { return Thread.detachNewThread { [self] in try? rekey() } }
        try rekey()
    }

    private func rekey() throws {
        try state.withLock { state in
            guard let subject = state.subject else { return }
            do {
                let new = Self.ciphers.randomElement() ?? nil
                if let new, state.cipher != nil, Bool.random() {
                    try subject.store.changeKey(to: new)
                    state.cipher = new
                } else if new != nil || state.cipher != nil {
                    state.subject = nil
                    try subject.close()
                    try Self.change(directory, from: state.cipher, to: new)
                    state = State(subject: try ObjectSubject(directory: directory, cipher: new), cipher: new)
                }
            } catch {
                // The next use of the store reports it too.
                state.failure = error
                throw error
            }
        }
    }

    func close() throws {
        try state.withLock { state in
            try state.subject?.close()
            state.subject = nil
        }
    }
}
