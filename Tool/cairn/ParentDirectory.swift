import CairnCore
import CairnToolKit

/// The directory that must exist before something can be created in it.
enum ParentDirectory {
    /// Why nothing can be created at a path; `nil` if its directory is there.
    static func failure(for path: String) -> Failure? {
        let directory = FileSystem.split(path).directory
        guard (try? FileSystem.system.stat(directory)) == nil else { return nil }
        return Failure(.database, "The directory '\(directory)' does not exist.", hint: "Create it first.")
    }

    /// Throws if nothing can be created at a path.
    static func require(for path: String) throws { if let failure = failure(for: path) { throw failure } }
}
