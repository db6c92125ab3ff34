/// An engine in a file or directory, which messages name.
package protocol LocatedEngine: StorageEngine {
    var path: String { get }
}
