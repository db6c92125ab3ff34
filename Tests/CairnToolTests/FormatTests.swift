import CairnToolKit
import Testing

struct RecordFormatTests {
    @Test(arguments: [
        ("a.jsonl", "", RecordFormat.jsonl), ("A.CSV", "x", .csv), ("input", "", .jsonl), ("empty.csv", "", .csv),
        ("dir.csv/x.tsv", "", .tsv), ("x.ndjson", "", .jsonl),
        ("x.control", "", .control), ("status", "Package: bash\n", .control), ("dir.csv/input", "Package: bash\n", .control),
        ("-", "\n {\"key\":1}", .jsonl), ("-", "a\tb,c\n", .tsv), ("-", "a,b: c\n", .csv), ("-", "\"a: b\",c\n", .csv),
    ])
    func nameOrBeginningTells(name: String, beginning: String, format: RecordFormat) {
        #expect(RecordFormat.detect(name: name, beginning: Array(beginning.utf8)) == format)
    }

    @Test(arguments: ["\n", "word\n", "two words\n"])
    func otherwiseItIsUnknown(beginning: String) {
        #expect(RecordFormat.detect(name: "input", beginning: Array(beginning.utf8)) == nil)
    }
}
