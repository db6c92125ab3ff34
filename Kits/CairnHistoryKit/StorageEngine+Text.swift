package import CairnEngine

extension StorageEngine {
    @discardableResult
    package func put(_ value: String, _ key: String, _ durability: Durability = .buffered) throws(EngineError) -> EngineVersion {
        var commit = EngineCommit()
        commit.put(value, for: key)
        return try self.commit(commit, durability: durability)
    }

    package func get(_ key: String) throws(EngineError) -> String? { try makeView().text(key) }
}

extension EngineView {
    package func text(_ key: String) throws(EngineError) -> String? { try get(key).map { String(decoding: $0, as: UTF8.self) } }
}

/// The code of the error that `body` throws.
package func code(_ body: () throws(EngineError) -> Void) -> EngineError.Code? { failure(body)?.code }

/// The error that `body` throws.
package func failure(_ body: () throws(EngineError) -> Void) -> EngineError? {
    do throws(EngineError) {
        try body()
        return nil
    } catch {
        return error
    }
}
