package import CairnCore

/// An engine that knows what was committed lately, so that it need not ask a server.
package protocol RecentCommits: StorageEngine {
    /// Whether commits after `version`, up to that of `view`, may have changed a range; false only if they have not.
    func mayHaveChanged(_ range: KeyRange, after version: EngineVersion, in view: any EngineView) -> Bool
}
