import CairnCore
import CairnRocks
import Testing

/// Options that RocksDB 11 reads and ignores, in a library that does not list them.
@Suite struct RetiredOptionsTests {
    private static func without(_ defaults: [String: String]) -> [String: String] {
        defaults.filter { !OptionRules.retired.contains($0.key) }
    }

    /// Each is a typed option of the database or of a column family.
    private static var options: [(name: String, check: @Sendable ([String: String]?) throws -> Void)] {
        OptionsTests.all.filter { OptionRules.retired.contains($0.name) }.map { option in
            let name = option.name
            return (
                name,
                { listed in
                    var setup = OptionSetup()
                    option.set(&setup)
                    if option.kind == .database {
                        try setup.database.checkRetired(listed: listed ?? DatabaseOptions.defaults)
                    } else {
                        try setup.family.checkRetired(listed: listed ?? ColumnFamilyOptions.defaults)
                    }
                }
            )
        }
    }

    @Test func areRefusedWhereTheLibraryLacksThem() throws {
        #expect(Self.options.count == 7)
        let lacking = Self.without(DatabaseOptions.defaults.merging(ColumnFamilyOptions.defaults) { $1 })
        for option in Self.options {
            let error = failure { try option.check(lacking) }
            #expect(error?.code == .invalidOption && error?.message.contains("'\(option.name)'") == true, "\(option.name)")
            if isLibrary(before: 8, 0) { try option.check(nil) }
        }
        try DatabaseOptions().checkRetired(listed: Self.without(DatabaseOptions.defaults))
        try ColumnFamilyOptions().checkRetired(listed: Self.without(ColumnFamilyOptions.defaults))
    }

    /// The library has them, but where they were not set.
    @Test(.enabled(if: isLibrary(before: 8, 0), "the lists are those of RocksDB 7.8")) func misplacedOptionsAreNotMissing() throws {
        var options = DatabaseOptions()
        options["level_compaction_dynamic_file_size"] = "1"
        #expect(
            failure { try options.checkRetired() }?.message
                == "'level_compaction_dynamic_file_size' is not an option of DatabaseOptions; set it in ColumnFamilyOptions"
        )
        var family = ColumnFamilyOptions()
        family["fail_if_options_file_error"] = "true"
        #expect(
            failure { try family.checkRetired() }?.message
                == "'fail_if_options_file_error' is not an option of ColumnFamilyOptions; set it in DatabaseOptions"
        )
    }

    /// The files of older releases name them all. They are left out, so that the database opens with what was read.
    @Test func filesOfOlderReleasesAreRead() throws {
        let stored = Dictionary(uniqueKeysWithValues: OptionRules.retired.map { ($0, "true") })
        let lacking = Self.without(DatabaseOptions.defaults)
        var options = DatabaseOptions()
        let unknown = options.take(stored.merging(["max_background_jobs": "7"]) { $1 }, listed: lacking)
        #expect(unknown == OptionRules.retired && options.maxBackgroundJobs == 7)
        try options.checkRetired(listed: lacking)
        #expect(StoredOptions.refused(unknown.union(["shiny_new"])) == ["shiny_new"])
    }
}
