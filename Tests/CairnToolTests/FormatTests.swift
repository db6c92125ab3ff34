import CairnToolKit
import Testing

struct RecordFormatTests {
    @Test(arguments: [
        ("a.jsonl", "", RecordFormat.jsonl), ("A.CSV", "x", .csv), ("dir.csv/x.tsv", "", .tsv), ("x.ndjson", "", .jsonl),
        ("x.control", "", .control), ("status", "Package: bash\n", .control), ("dir.csv/input", "Package: bash\n", .control),
        ("-", "\n {\"key\":1}", .jsonl), ("-", "a\tb,c\n", .tsv), ("-", "a,b: c\n", .csv), ("-", "\"a: b\",c\n", .csv),
    ])
    func nameOrBeginningTells(name: String, beginning: String, format: RecordFormat) {
        #expect(RecordFormat.detect(name: name, beginning: Array(beginning.utf8)) == format)
    }

    @Test(arguments: ["", "word\n", "two words\n"])
    func otherwiseItIsUnknown(beginning: String) {
        #expect(RecordFormat.detect(name: "input", beginning: Array(beginning.utf8)) == nil)
    }
}

struct OptionsFileTests {
    @Test func sectionsAndEscapesAreRead() {
        let file = OptionsFile(
            text: ##"""
                # a comment
                [Version]
                  rocksdb_version=7.8.3
                [DBOptions]
                  max_open_files=-1
                  wal_dir=a\:b\#c
                [CFOptions "default"]
                  comparator=leveldb.BytewiseComparator
                [TableOptions/BlockBasedTable "default"]
                  block_size=4096
                [CFOptions "two words"]
                  merge_operator={id=StringAppendOperator;delimiter=,;}
                """##
        )
        #expect(file.database == ["max_open_files": "-1", "wal_dir": "a:b#c"])
        #expect(file.columnFamilies["default"] == ["comparator": "leveldb.BytewiseComparator"])
        #expect(file.columnFamilies["two words"] == ["merge_operator": "{id=StringAppendOperator;delimiter=,;}"])
        #expect(file.tables == ["default": ["block_size": "4096"]])
    }

    @Test func theNewestIsTheOneWithTheHighestNumber() {
        #expect(OptionsFile.newest(of: ["OPTIONS-000009", "LOG", "OPTIONS-000010", "OPTIONS-000011.dbtmp"]) == "OPTIONS-000010")
        #expect(OptionsFile.newest(of: ["CURRENT"]) == nil)
    }

    @Test func changesLeaveOutDefaultsAndUnknownNames() {
        let settings = ["a": "1", "b": "{x=1;}", "c": "2", "d": "3"]
        #expect(OptionsFile.changes(settings, from: ["a": "1", "b": "x=1;", "c": "0"]) == ["c": "2"])
    }
}
