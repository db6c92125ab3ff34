import CairnRocks

extension DatabaseOptions {
    /// Makes the database and its column families.
    static var creating: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        return options
    }
}
