/// The settings of a run.
public struct Settings: Sendable {
    /// Rows of the databases, and records of the constant databases.
    public var rows = 1_000_000
    /// Operations of each round on mapped stores.
    public var operations = 300_000
    /// Keys of mapped stores.
    public var keys = 100_000
    /// Objects of the simple programs; those with playlists take a tenth as many.
    public var songs = 1_000_000
    /// Texts that are searched.
    public var names = 1_000_000
    /// Sizes of the stores that are queried, in objects.
    public var items = [10_000, 300_000]
    /// Rounds that count, instead of each workload's own number.
    public var rounds: Int?
    public var clock = Clock.wall
    /// Rivals run against themselves.
    public var isNull = false
    /// Parts of the names of workloads; none: all.
    public var filter: [String] = []
    /// The filter has whole names.
    public var isExact = false
    /// Where to make the folder of the run; `nil`: where temporary files go.
    public var path: String?

    public init() {}

    public func isSelected(_ workload: String) -> Bool {
        filter.isEmpty || filter.contains { isExact ? workload == $0 : workload.contains($0) }
    }

    /// The number of rounds, given what is usual.
    public func rounds(_ usual: Int) -> Int { rounds ?? usual }
}
