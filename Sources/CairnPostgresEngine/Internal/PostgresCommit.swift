import CairnEngine

/// A commit that was seen. A server that has lost it may have given its number to another one, which has another name.
struct PostgresCommit {
    let version: EngineVersion
    /// Empty if it has none, like the commit that created the store.
    let name: [UInt8]
}
