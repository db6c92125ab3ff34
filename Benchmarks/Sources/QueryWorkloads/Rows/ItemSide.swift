/// A store of items, and the queries as its users would write them.
protocol ItemSide: AnyObject {
    /// As it is called in the tables.
    var name: String { get }
    /// Whether its stores are files of SQLite, which are copied once one of such sides made one.
    var isSQLite: Bool { get }
    /// Makes a store of all items at a place where nothing is, and closes it.
    func build(_ items: Items, at path: String) throws
    /// Inserts all items with their owners and tags into a store that is open and empty, in one commit.
    func insert(_ rows: [ItemRow], _ items: Items) throws
    func open(_ path: String) throws
    /// Closes the store, if it is open.
    func close() throws
    /// Keeps the arguments that `run` will use, by their places; not timed.
    func prepare(_ row: Row, _ arguments: [Argument]) throws
    /// Runs a query for each of the arguments at these places: each sees the store as it is, and what changes is committed.
    func run(_ row: Row, _ places: Range<Int>) throws -> Found
}
