public import CairnEngine

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One thing that every `StorageEngine` must do.
///
/// ```swift
/// for check in EngineCheck.all {
///     try await check.run(on: EngineUnderTest { name in try MyEngine(path: directory + "/" + name) })
/// }
/// ```
///
/// Works with any test framework: a check throws an `EngineCheckFailure` that says what was wrong. Checks respect `StorageEngine.limits`,
/// and accept engines that now and then refuse a commit with an unnecessary `conflict`.
public struct EngineCheck: Sendable, CustomStringConvertible {
    /// What the engine does, as a sentence.
    public let description: String
    let isForPersistentEngines: Bool
    let body: @Sendable (inout Stage) async throws -> Void

    init(_ description: String, isForPersistentEngines: Bool = false, _ body: @escaping @Sendable (inout Stage) async throws -> Void) {
        self.description = description
        self.isForPersistentEngines = isForPersistentEngines
        self.body = body
    }

    /// Whether the check has anything to do for this engine.
    public func applies(to subject: EngineUnderTest) -> Bool { !isForPersistentEngines || subject.persists }

    /// Runs the check on a new engine, which it closes; blocks a thread while the engine works.
    ///
    /// - Parameters:
    ///   - subject: How engines are made and opened again.
    ///   - seed: The seed of random checks.
    /// - Throws: `EngineCheckFailure`, or what the engine throws where it should not.
    public func run(on subject: EngineUnderTest, seed: UInt64 = 1) async throws {
        guard applies(to: subject) else { return }
        let engine = try subject.open("store")
        var stage = Stage(subject: subject, engine: engine, seed: seed)
        do {
            try await body(&stage)
        } catch {
            try? stage.engine.close()
            throw error
        }
        try stage.engine.close()
    }

    /// All checks.
    public static let all =
        viewChecks + scanChecks + commitChecks + conflictChecks + limitChecks + closingChecks + threadChecks + changeChecks + modelChecks
        + persistenceChecks + clientChecks + clientChangeChecks + outcomeChecks
}

/// The engine that is checked: how to make it.
///
/// Checks with two clients open the store a second time if `StorageEngine.isShared` is true; otherwise, the only engine stands for both.
public struct EngineUnderTest: Sendable {
    let open: @Sendable (_ name: String) throws -> any StorageEngine
    let persists: Bool

    /// Makes an engine lose the reply to its next commit, after the commit was performed. Default: `nil`, for engines that get no replies, whose
    /// checks then have nothing to do.
    public var loseReply: (@Sendable (any StorageEngine) -> Void)?
    /// Expires all views that an engine has made so far. Default: `nil`, for engines whose views never expire.
    public var expireViews: (@Sendable (any StorageEngine) -> Void)?
    /// How long an engine may take to learn of the commits of other clients. Default: 30 seconds.
    public var patience = Duration.seconds(30)

    /// - Parameters:
    ///   - persists: Whether data survives closing and reopening the engine.
    ///   - open: Opens the store of that name: empty the first time. Each check needs names of its own, so give each its own
    ///     directory. Opening the store of a shared engine again returns another client.
    public init(persists: Bool = false, open: @escaping @Sendable (_ name: String) throws -> any StorageEngine) {
        self.persists = persists
        self.open = open
    }
}

/// What an engine did wrong.
public struct EngineCheckFailure: LocalizedError, CustomStringConvertible {
    public let description: String

    /// The ``description``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { description }
}

/// Throws unless `condition` is true.
func require(_ condition: @autoclosure () throws -> Bool, _ message: @autoclosure () throws -> String) throws {
    guard try condition() else { throw EngineCheckFailure(description: try message()) }
}

/// Throws unless `body` throws an `EngineError` of that code.
func requireError(_ code: EngineError.Code, _ what: String, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as EngineError {
        try require(error.code == code, "\(what) must throw \(code), but threw \(error)")
        try require(!error.message.isEmpty, "\(what) must throw an error with a message")
        return
    }
    throw EngineCheckFailure(description: "\(what) must throw \(code), but threw nothing")
}
