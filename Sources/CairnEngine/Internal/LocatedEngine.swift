/// An engine in a file or directory that messages name.
package protocol LocatedEngine: StorageEngine {
    var path: String { get }
}
