/// A store with an album, whose tracks are an ordered list, and a label, whose tracks are an unordered set, as its users would write them: each call is
/// a context or a transaction of its own.
protocol GrowthSide: AnyObject {
    var name: String { get }
    /// Makes a store with this many tracks at an unused path, and closes it. Tracks are numbered from 0.
    func build(_ tracks: Int, at path: String) throws
    func open(_ path: String) throws
    /// Closes the store, if it is open.
    func close() throws

    /// Makes a track, and puts it at the end of the album.
    func append(_ number: Int) throws
    /// Makes a track that has the label.
    func add(_ number: Int) throws
    /// Makes a track, and inserts it into the label's tracks.
    func insert(_ number: Int) throws
    /// The numbers of the last 50 tracks of the album.
    func tail() throws -> [Int]
    /// The numbers of the first 50 tracks that have the label, found by a condition.
    func labelled() throws -> [Int]
    /// How many tracks the label has.
    func count() throws -> Int
    /// Whether the label has a track, one of those that were there from the beginning.
    func contains(_ number: Int) throws -> Bool
    /// Deletes the label; its tracks remain. Calls `stop` then, and returns how many tracks have none.
    func delete(_ stop: () -> Void) throws -> Int

    /// Adds a file with a name and contents.
    func attach(_ name: String, _ contents: [UInt8]) throws
    /// Gives the file another name.
    func rename(_ name: String) throws
}
