import CairnCDB
import CairnInspector
import CairnMapped
import CairnObjects
import CairnRocks
import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

/// What a page shows over time, in a real browser: in several windows, after a question without an answer, of unusual keys.
@Suite(.serialized, .checking, .enabled(if: Browser.program != nil, Browser.missing))
struct TabTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func songs(_ count: Int) throws -> ObjectStore {
        let store = try ObjectStore(path: directory.path("Music.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            for number in 0..<count { context.insert(InspectedSong(title: "Song \(number)", year: 1980 + number)) }
        }
        return store
    }

    /// A browser opens six connections to a server.
    @Test func eightWindowsHearOfCommits() async throws {
        let store = try songs(1)
        try await browsing(.store(store)) { [store] (browser, page) throws in
            try browser.open(page.inspector.url)
            for _ in 0..<7 { try browser.openAnother(page.inspector.url) }
            try browser.wait("document.getElementById('live').innerText.includes('live')")
            try store.write { $0.insert(InspectedSong(title: "Second", year: 2)) }
            try browser.wait("document.querySelector('tr.new')?.innerText.includes('Second')")
        }
    }

    /// Without shared workers, a hidden page leaves its connection to others, and asks again when it is shown.
    @Test func hiddenPagesCatchUp() async throws {
        let store = try songs(1)
        try await browsing(.store(store)) { [store] (browser, page) throws in
            let script = """
                delete window.SharedWorker;
                window.isHidden = false;
                Object.defineProperty(document, 'hidden', { get: () => window.isHidden });
                window.hide = (isHidden) => { window.isHidden = isHidden; document.dispatchEvent(new Event('visibilitychange')); };
                """
            try browser.call("Page.addScriptToEvaluateOnNewDocument", [("source", .string(script))])
            try browser.open(page.inspector.url)
            let live = "document.getElementById('live').innerText"
            try browser.wait("\(live).includes('live')")
            try browser.value("hide(true)")
            try browser.wait("\(live) === 'not connected'")
            try store.write { $0.insert(InspectedSong(title: "Second", year: 2)) }
            try browser.value("hide(false)")
            try browser.wait("document.querySelectorAll('tbody tr').length === 2 && \(live).includes('live')")
            try store.write { $0.insert(InspectedSong(title: "Third", year: 3)) }
            try browser.wait("document.querySelector('tr.new')?.innerText.includes('Third')")
        }
    }

    @Test func nothingStaysBesideAnError() async throws {
        try await browsing(.store(try songs(3))) { (browser, page) throws in
            try browser.open(page.inspector.url)
            #expect(try browser.text().contains("Song 1"))
            // What was asked stays, to be corrected.
            try browser.go("#/class/Song?where=year+%3E")
            try browser.wait("document.getElementById('message').innerText !== ''")
            #expect(try browser.value("document.querySelector('[name=where]').value").string == "year >")
            #expect(try browser.value("document.querySelectorAll('main tbody tr').length").int == 0)
            try browser.go("#/object/1/1")
            #expect(try browser.text().contains("Song 0"))
            try browser.go("#/object/1/77")
            #expect(try browser.value("document.getElementById('message').innerText").string?.contains("no object") == true)
            #expect(try browser.text() == "")
            // Not even the address can be read.
            try browser.go("#/class/%FF")
            #expect(try browser.value("document.getElementById('message').innerText").string?.isEmpty == false)
            try browser.go("#/class/Song?where=year+%3E+1980")
            #expect(try browser.text().contains("2 objects"))
            #expect(try browser.value("document.getElementById('message').innerText").string == "")
        }
    }

    @Test func oneIsNotSeveral() async throws {
        try await browsing(.store(try songs(1))) { (browser, page) throws in
            try browser.open(page.inspector.url)
            #expect(try browser.value("document.querySelector('caption').innerText").string == "1 object")
            try browser.value("document.getElementById('count-button').click(); 0")
            try browser.wait("document.getElementById('count').innerText === '1 object'")
            try browser.go("#/object/1/1")
            #expect(try browser.text().contains("saved 1 time,"))
            let counts = try browser.value(
                "import('./ui.js').then(({ count }) => [count(0, 'key'), count(1, 'key'), count('1000', 'entry', 'entries')].join())"
            )
            #expect(counts.string == "0 keys,1 key,1,000 entries")
        }
    }

    @Test func emptyAndLongKeysOfDatabases() async throws {
        let database = try RocksDB(path: directory.path("keys.db"), options: DatabaseOptions(createIfMissing: true))
        let long = String(repeating: "long ", count: 4000)
        try database.put("of the empty key", for: "")
        for number in 10..<70 { try database.put("value \(number)", for: long + "\(number)") }
        try await browsing(.database(database)) { (browser, page) throws in
            try browser.open(page.inspector.url)
            try browser.value("document.querySelector('tbody tr a').click(); 0")
            try browser.wait("document.querySelector('main').innerText.includes('16 bytes')")
            #expect(try browser.text().contains("of the empty key"))
            // The second page begins with a long key; against the order, the last one with the empty key.
            for (order, last) in [("", "value 69"), ("?reverse=1", "of the empty key")] {
                try browser.go("#/family/default\(order)")
                try browser.press("ArrowRight")
                try browser.wait("document.querySelector('caption').innerText === '11 entries'")
                #expect(try browser.value("document.querySelector('tbody tr:last-child').innerText").string?.contains(last) == true)
            }
            try browser.go("#/family/default")
            try browser.value("document.querySelectorAll('tbody tr a')[40].click(); 0")
            try browser.wait("document.querySelector('main h3')?.innerText === 'Key'")
            #expect(try browser.text().contains("value 49"))
            #expect(try browser.value("document.querySelector('main').textContent").string?.contains(long + "49") == true)
        }
    }

    @Test func emptyAndLongKeysOfMappedStores() async throws {
        let store = try MappedStore(path: directory.path("keys.map"))
        let long = String(repeating: "long ", count: 4000)
        for number in 10..<70 { try store.set("value \(number)", for: long + "\(number)") }
        try store.set("of the empty key", for: "")
        try await browsing(.mapped(store)) { [store] (browser, page) throws in
            try browser.open(page.inspector.url)
            try browser.value("document.querySelector('tbody tr a').click(); 0")
            try browser.wait("document.querySelector('main h2')?.innerText === 'empty'")
            #expect(try browser.text().contains("of the empty key"))
            try browser.go("#/entries")
            try browser.press("ArrowRight")
            try browser.wait("document.querySelectorAll('tbody tr').length === 11")
            try browser.value("document.querySelector('tbody tr:last-child a').click(); 0")
            try browser.wait("document.querySelector('main h2')?.innerText === 'Entry with a long key'")
            #expect(try browser.text().contains("value 69"))
            try store.set("changed", for: long + "69")
            try browser.wait("document.querySelector('main').innerText.includes('changed')")
        }
    }

    @Test func emptyAndLongKeysOfConstantDatabases() async throws {
        let path = directory.path("keys.cdb")
        let writer = try CDBWriter(path: path)
        try writer.put("of the empty key", for: "")
        try writer.put("of the long key", for: String(repeating: "long ", count: 4000))
        try writer.finish()
        try await browsing(.cdb(try CDBReader(path: path))) { (browser, page) throws in
            try browser.open(page.inspector.url)
            for (row, value) in [(0, "of the empty key"), (1, "of the long key")] {
                try browser.go("#/records")
                try browser.value("document.querySelectorAll('tbody tr a')[\(row)].click(); 0")
                try browser.wait("document.querySelector('caption').innerText === '1 value of this key'")
                #expect(try browser.text().contains(value))
            }
        }
    }

    @Test func listsOfMappedStoresLeadToTheirDamage() async throws {
        let path = directory.path("damaged.map")
        do {
            let store = try MappedStore(path: path)
            for number in 0..<3 { try store.set("a value \(number)", for: "key \(number)") }
            try store.close()
        }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for part in ["value 0", "key 1"] {
            let range = try #require(bytes.range(of: Data(part.utf8)))
            bytes[range.lowerBound] ^= 1
        }
        try bytes.write(to: URL(fileURLWithPath: path))
        let store = try MappedStore(path: path, options: MappedStoreOptions(readOnly: true))
        try await browsing(.mapped(store)) { (browser, page) throws in
            try browser.open(page.inspector.url)
            let text = try browser.value("document.getElementById('damage').innerText").string ?? ""
            #expect(text.contains("Damaged: 1 value.") && text.contains("1 record."), "\(text)")
            try browser.value("document.querySelector('#damage a').click(); 0")
            try browser.wait("document.querySelector('main h2').innerText === 'Sizes and damage'")
            #expect(try browser.text().contains("1 value is intact, 1 key is damaged, 1 record cannot be read."))
        }
    }
}
