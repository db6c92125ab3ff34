import CairnCDB
import CairnInspector
import CairnMapped
import CairnObjects
import CairnRocks
import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

/// Every page in a real browser.
@Suite(.serialized, .checking, .enabled(if: Browser.program != nil, Browser.missing))
struct BrowserTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func browsing(
        _ source: Inspector.Source,
        name: String,
        isEditable: Bool = false,
        reopening: Inspector.Reopening? = nil,
        _ body: @escaping @Sendable (Browser, Running) throws -> Void
    ) async throws {
        let options = Inspector.Options(name: name, isEditable: isEditable, reopening: reopening)
        try await CairnInspectorTests.browsing(source, options: options) { (browser, page) throws in
            try browser.resize(1180, 760, isDark: false)
            try browser.open(page.inspector.url)
            try body(browser, page)
        }
    }

    @Test func objectStores() async throws {
        let store = try ObjectStore(path: directory.path("Music.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            let album = InspectedAlbum(name: "<img src=x onerror=document.title='hacked'>")
            context.insert(album)
            for number in 1...120 {
                let song = InspectedSong(title: "Song \(number)", year: 1900 + number)
                song.words = number % 10 == 0 ? "walking on sunshine" : "rain"
                context.insert(song)
                if number <= 3 { album.songs.append(song) }
            }
            try context.setNamed("favourite", to: album)
        }
        try await browsing(.store(store), name: "Music.store") { (browser, _) throws in
            try browser.wait("document.querySelectorAll('tbody tr').length === 50")
            try browser.picture("objects")
            // The keys: next page, rows, opening one.
            try browser.press("ArrowRight")
            try browser.wait("document.querySelector('tbody').innerText.includes('Song 51')")
            try browser.press("ArrowDown")
            try browser.press("ArrowDown")
            #expect(try browser.value("document.activeElement.innerText").string?.contains("Song 52") == true)
            try browser.press("Enter")
            try browser.wait("document.querySelector('main h2').innerText === 'Song 52'")
            // A query typed into the form, with its plan.
            try browser.go("#/class/Song")
            try browser.press("/")
            #expect(try browser.value("document.activeElement.name").string == "where")
            try browser.type("year > 1990")
            try browser.press("Enter")
            try browser.wait("document.querySelector('.plan') && document.querySelectorAll('tbody tr').length === 30")
            try browser.value(
                "document.querySelector('[name=sort]').value = '-year'; document.querySelector('form.ask').requestSubmit(); 0"
            )
            try browser.wait("document.querySelector('tbody tr').innerText.includes('Song 120')")
            try browser.value("document.getElementById('count-button').click(); 0")
            try browser.wait("document.getElementById('count').innerText === '30 objects'")
            #expect(try browser.value("document.querySelector('.plan').innerText").string?.contains("year") == true)
            try browser.picture("query")
            try browser.go("#/class/Song?search=sunshine")
            #expect(try browser.value("document.querySelectorAll('tbody tr').length").int == 12)
            try browser.go("#/class/Song?where=year+%3E")
            try browser.wait("document.getElementById('message').innerText !== ''")
            // Relationships, both ways.
            try browser.go("#/object/1/2")
            #expect(try browser.text().contains("Referred to by"))
            try browser.value("document.querySelector('main a.chip').click(); 0")
            try browser.wait("document.querySelector('main h2').innerText === 'Album 1'")
            // What a store holds is text.
            #expect(try browser.text().contains("<img src=x"))
            #expect(
                try browser.value("document.title + document.querySelectorAll('main img').length").string
                    == "Music.store · Cairn Inspector0"
            )
            try browser.picture("object")
            try browser.go("#/class/Song?view=structure")
            #expect(try browser.value("document.querySelectorAll('svg.drawing rect').length").int.map { $0 > 2 } == true)
            try browser.picture("structure")
            try browser.go("#/names")
            #expect(try browser.text().contains("favourite"))
        }
    }

    @Test func commitsAppear() async throws {
        let store = try ObjectStore(path: directory.path("Live.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { $0.insert(InspectedSong(title: "First", year: 1)) }
        try await browsing(.store(store), name: "Live.store") { [store] (browser, _) throws in
            try browser.wait("document.getElementById('live').innerText.includes('live')")
            try store.write { $0.insert(InspectedSong(title: "Second", year: 2)) }
            try browser.wait(
                "document.querySelectorAll('tbody tr').length === 2 && document.querySelector('tr.new').innerText.includes('Second')"
            )
            #expect(try browser.value("document.getElementById('live').innerText").string?.contains("1 new") == true)
        }
    }

    @Test func databases() async throws {
        let database = try RocksDB(path: directory.path("music.db"), options: DatabaseOptions(createIfMissing: true))
        let lengths = try database.table("lengths", key: String.self, value: Int.self, codec: .littleEndian)
        for number in 0..<3000 {
            try database.put(String(repeating: "value ", count: 20), for: String(format: "key %05d", number))
            try lengths.put(number, for: "song \(number)")
            if number % 1000 == 999 { try database.flush(nil) }
        }
        try await browsing(.database(database), name: "music.db") { [database] (browser, _) throws in
            try browser.wait("document.querySelectorAll('tbody tr').length === 50")
            try browser.go("#/family/lengths?prefix=song+299")
            #expect(try browser.value("document.querySelectorAll('tbody tr').length").int == 11)
            try browser.picture("entries")
            try browser.go("#/family/default?view=levels")
            #expect(try browser.value("document.querySelectorAll('svg.drawing rect').length").int == 3)
            try browser.picture("levels")
            try browser.go("#/family/default?view=properties")
            #expect(try browser.text().contains("rocksdb.estimate-num-keys"))
            try browser.go("#/figures")
            try database.put("b", for: "a")
            try browser.wait(
                "document.querySelectorAll('polyline').length === 5 && document.querySelector('polyline').getAttribute('points').split(' ').length > 1"
            )
            try browser.picture("figures")
        }
    }

    @Test func mappedStores() async throws {
        let store = try MappedStore(path: directory.path("settings.map"), options: MappedStoreOptions())
        for number in 0..<200 { try store.set("value \(number)", for: String(format: "setting %03d", number)) }
        for number in 0..<100 { try store.set(number, for: String(format: "setting %03d", number)) }
        try await browsing(.mapped(store), name: "settings.map") { [store] (browser, _) throws in
            try browser.wait("document.querySelectorAll('tbody tr').length === 50")
            try browser.go("#/entries?contains=9")
            #expect(try browser.text().contains("38 of 200 keys"))
            try browser.wait("document.getElementById('live').innerText.includes('live')")
            try store.set("changed", for: "setting 009")
            try browser.wait("document.querySelector('tr.new')?.innerText.includes('changed')")
            try browser.go("#/sizes")
            #expect(try browser.text().contains("None: 200 values were read."))
            try browser.picture("mapped")
        }
    }

    @Test func constantDatabases() async throws {
        let path = directory.path("music.cdb")
        let writer = try CDBWriter(path: path)
        for number in 0..<500 { try writer.put("value \(number)", for: "key \(number)") }
        try writer.finish()
        try await browsing(.cdb(try CDBReader(path: path)), name: "music.cdb") { (browser, _) throws in
            try browser.wait("document.querySelectorAll('tbody tr').length === 50")
            try browser.go("#/records?key=key+7")
            #expect(try browser.text().contains("value 7"))
            try browser.go("#/chains")
            #expect(try browser.text().contains("records and hash tables match"))
            try browser.picture("cdb")
        }
    }

    /// With the keyboard: an edit, what it will do, the edit, and back.
    @Test func editingWithUndo() async throws {
        let store = try ObjectStore(path: directory.path("Edited.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            let album = InspectedAlbum(name: "Best of")
            context.insert(album)
            album.songs.append(InspectedSong(title: "Rain", year: 1966))
        }
        try await browsing(.store(store), name: "Edited.store", isEditable: true) { [store] (browser, _) throws in
            func title() throws -> String? { try store.read { try $0.fetch(InspectedSong.self).first?.title } }
            try browser.go("#/object/1/1")
            #expect(try browser.value("document.getElementById('undo').disabled").bool == true)
            try browser.press("e")
            try browser.wait("document.querySelector('dialog#edit textarea')?.value === 'Rain'")
            try browser.enter("Sun")
            try browser.wait("document.querySelector('.effects')?.innerText.includes('Rain → Sun')")
            try browser.lookForNames()
            try browser.picture("edit")
            #expect(try title() == "Rain")
            try browser.confirm()
            try browser.wait("!document.getElementById('edit').open && document.querySelector('main').innerText.includes('Sun')")
            #expect(try title() == "Sun")
            // A mistake is said, and nothing happens.
            try browser.value("document.querySelectorAll('main button.edit')[1].click(); 0")
            try browser.wait("document.querySelector('dialog#edit textarea')?.value === '1966'")
            try browser.enter("long ago")
            try browser.wait("document.querySelector('dialog#edit .bad')?.innerText.includes('long ago')")
            try browser.press("Escape")
            try browser.wait("!document.getElementById('edit').open")
            // Deleting, with what follows from it.
            try browser.value("document.getElementById('delete').click(); 0")
            try browser.wait("document.querySelector('.effects')?.innerText.includes('Album 1')")
            try browser.confirm()
            try browser.wait("location.hash === '#/class/Song' && document.querySelector('main').innerText.includes('No objects')")
            try browser.press("u")
            try browser.wait("document.querySelector('tbody tr')?.innerText.includes('Sun')")
            try browser.press("u")
            try browser.wait("document.querySelector('tbody tr')?.innerText.includes('Rain') && document.getElementById('undo').disabled")
            #expect(try title() == "Rain")
            try browser.press("r")
            try browser.wait("document.querySelector('tbody tr')?.innerText.includes('Sun')")
            // A new one.
            try browser.value("document.querySelector('main button.edit').click(); 0")
            try browser.wait("document.querySelector('dialog#edit textarea[name=title]')")
            try browser.value(
                "for (const [name, text] of [['title', 'New'], ['year', '2000']]) document.querySelector(`dialog#edit [name=${name}]`).value = text; document.querySelector('dialog#edit form').requestSubmit(); 0"
            )
            try browser.wait("document.querySelector('.effects .insert')")
            try browser.confirm()
            try browser.wait(
                "document.querySelector('main h2').innerText.startsWith('Song ') && document.querySelector('main').innerText.includes('New')"
            )
            try browser.resize(400, 800, isDark: true)
            try browser.press("e")
            try browser.wait("document.querySelector('dialog#edit textarea')?.value === 'New'")
            #expect(try browser.value("document.documentElement.scrollWidth <= 400").bool == true)
            try browser.picture("edit-narrow")
        }
    }

    /// Forms have members of their own that properties may be called like.
    /// What another program changes meanwhile is shown before it is replaced.
    @Test func anEditIsShownAgainIfTheStoreHasChanged() async throws {
        let store = try ObjectStore(path: directory.path("Shared.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { $0.insert(InspectedSong(title: "Rain", year: 1966)) }
        try await browsing(.store(store), name: "Shared.store", isEditable: true) { [store] (browser, _) throws in
            try browser.go("#/object/1/1")
            try browser.press("e")
            try browser.wait("document.querySelector('dialog#edit textarea')?.value === 'Rain'")
            try browser.enter("Sun")
            try browser.wait("document.querySelector('.effects')?.innerText.includes('Rain → Sun')")
            try store.write { try $0.fetch(InspectedSong.self).first?.title = "Snow" }
            try browser.confirm()
            try browser.wait("document.querySelector('.effects')?.innerText.includes('Snow → Sun')")
            #expect(
                try browser.value("document.querySelector('dialog#edit .bad').innerText").string?.hasPrefix("Another program has changed")
                    == true
            )
            #expect(try store.read { try $0.fetch(InspectedSong.self).first?.title } == "Snow")
            try browser.confirm()
            try browser.wait("!document.getElementById('edit').open && document.querySelector('main').innerText.includes('Sun')")
            #expect(try store.read { try $0.fetch(InspectedSong.self).first?.title } == "Sun")
        }
    }

    /// A deletion that is refused has no dialog in which to say so.
    @Test func refusedDeletionsAreSaid() async throws {
        let store = try ObjectStore(path: directory.path("Denied.store"), classes: [InspectedShelf.self, InspectedBook.self])
        try store.write { context in
            let shelf = InspectedShelf(name: "one")
            context.insert(shelf)
            shelf.books.append(InspectedBook(title: "a"))
        }
        try await browsing(.store(store), name: "Denied.store", isEditable: true) { (browser, _) throws in
            try browser.go("#/object/1/1")
            try browser.value("document.getElementById('delete').click(); 0")
            try browser.wait("document.getElementById('message').innerText.includes('cannot be deleted')")
        }
    }

    /// What changes while a field has the focus is shown when it is left.
    @Test func newsWaitForFields() async throws {
        let store = try MappedStore(path: directory.path("fields.map"))
        try store.set(1, for: "a")
        try await browsing(.mapped(store), name: "fields.map") { [store] (browser, _) throws in
            try browser.go("#/entries")
            try browser.press("/")
            try browser.wait("document.activeElement.matches('main input')")
            try store.set(2, for: "b")
            try browser.wait("document.getElementById('live').innerText.includes('changed')")
            try browser.value("document.activeElement.blur(); 0")
            try browser.wait("document.querySelectorAll('main tbody tr').length === 2")
        }
    }

    /// A store that is gone is not shown, and is when it is back, also by a page that was loaded meanwhile.
    @Test func missingStoresComeBack() async throws {
        let path = directory.path("moved.map"), elsewhere = directory.path("elsewhere.map")
        try MappedStore(path: path).set(1, for: "the only key")
        let open: @Sendable () throws -> Inspector.Source = {
            .mapped(try MappedStore(path: path, options: MappedStoreOptions(readOnly: true, createIfMissing: false)))
        }
        try await browsing(try open(), name: "moved.map", reopening: .init(path: path, open)) { (browser, _) throws in
            try browser.wait("document.querySelector('main').innerText.includes('the only key')")
            try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
            try browser.wait("document.getElementById('message').innerText.includes('no longer exists')")
            #expect(try browser.value("document.querySelector('main').innerText.includes('the only key')").bool == false)
            try browser.value("location.reload(); 0")
            try browser.wait("document.getElementById('message').innerText.includes('no longer exists')")
            try FileManager.default.moveItem(atPath: elsewhere, toPath: path)
            try browser.wait("document.querySelector('main').innerText.includes('the only key')")
        }
    }

    @Test func editingPropertiesOfAnyName() async throws {
        let store = try ObjectStore(path: directory.path("Names.store"), classes: [InspectedBeam.self, InspectedFrame.self])
        try await browsing(.store(store), name: "Names.store", isEditable: true) { [store] (browser, _) throws in
            try browser.wait("document.querySelector('main button.edit')")
            try browser.value("document.querySelector('main button.edit').click(); 0")
            try browser.wait("document.querySelectorAll('dialog#edit textarea').length === 3")
            try browser.value(
                "[...document.querySelectorAll('dialog#edit textarea')].forEach((box, index) => { box.value = ['7', '', '8'][index]; }); document.querySelector('dialog#edit form').requestSubmit(); 0"
            )
            try browser.wait("document.querySelector('.effects .insert')")
            try browser.value("const button = document.querySelector('dialog#edit button.main'); button.click(); button.click(); 0")
            try browser.wait("!document.getElementById('edit').open && document.querySelector('main h2').innerText.startsWith('Beam ')")
            let beams = try store.read { try $0.fetch(InspectedBeam.self).map { "\($0.length) \($0.item ?? "nil") \($0.elements)" } }
            #expect(beams == ["7 nil 8"])
        }
    }

    @Test func editingEntries() async throws {
        let mapped = try MappedStore(path: directory.path("edited.map"))
        try mapped.set(5, for: "volume")
        try await browsing(.mapped(mapped), name: "edited.map", isEditable: true) { [mapped] (browser, _) throws in
            try browser.go("#/entry/volume")
            try browser.press("e")
            try browser.wait(
                "document.querySelector('dialog#edit textarea')?.value === '5' && document.querySelector('dialog#edit select').value === 'int'"
            )
            try browser.enter("7")
            try browser.wait("document.querySelector('.effects')")
            try browser.confirm()
            try browser.wait("document.querySelector('main .value').innerText === '7'")
            #expect(try mapped.get("volume", as: Int.self) == 7)
            try browser.press("u")
            try browser.wait("document.querySelector('main .value').innerText === '5'")
        }
        let database = try RocksDB(path: directory.path("edited.db"), options: DatabaseOptions(createIfMissing: true))
        try database.put("one", for: "key")
        try await browsing(.database(database), name: "edited.db", isEditable: true) { [database] (browser, _) throws in
            try browser.go("#/family/default?key=6b6579")
            try browser.press("e")
            try browser.wait("document.querySelector('dialog#edit textarea')?.value === 'one'")
            try browser.enter("two")
            try browser.wait("document.querySelector('.effects')")
            try browser.confirm()
            try browser.wait("document.querySelector('main').innerText.includes('two')")
            #expect(try database.get("key" as String) == "two")
            try browser.press("u")
            try browser.wait("document.querySelector('main').innerText.includes('one')")
        }
    }

    /// Narrow and dark; nothing is wider than the window, and everything that can be used has a name.
    @Test func narrowAndDark() async throws {
        let store = try ObjectStore(path: directory.path("Narrow.store"), classes: [InspectedSong.self, InspectedAlbum.self])
        try store.write { context in
            for number in 1...60 { context.insert(InspectedSong(title: "Song \(number)", year: 1900 + number)) }
        }
        try await browsing(.store(store), name: "Narrow.store") { (browser, _) throws in
            try browser.resize(400, 800, isDark: true)
            for place in ["#/class/Song?where=year+%3E+1920", "#/class/Song?view=structure", "#/object/1/1", "#/names"] {
                try browser.go(place)
                #expect(try browser.value("document.documentElement.scrollWidth <= 400").bool == true, "\(place)")
                let unnamed = """
                    [...document.querySelectorAll('a, button, input, select, svg[role=img]')].filter((one) => !(one.innerText || one.textContent || one.getAttribute('aria-label') || one.labels?.length)).length
                    """
                #expect(try browser.value(unnamed).int == 0, "\(place)")
            }
            #expect(try browser.value("getComputedStyle(document.documentElement).backgroundColor").string == "rgb(23, 25, 28)")
            try browser.go("#/class/Song?where=year+%3E+1920")
            try browser.picture("narrow")
            try browser.press("?")
            try browser.wait("document.getElementById('help').open")
            try browser.picture("keys")
        }
    }

    /// A page of another site cannot read, even if its name leads here.
    @Test func otherSitesReadNothing() async throws {
        let store = try MappedStore(path: directory.path("private.map"))
        try store.set("a secret", for: "key")
        try await inspecting(.mapped(store)) { (page) throws in
            let browser = try Browser()
            defer { try? browser.close() }
            try browser.call("Page.navigate", [("url", .string("data:text/html,<title>other</title>"))])
            try browser.wait("document.title === 'other'")
            let address = "\(page.inspector.url.absoluteString)api/entries"
            let read = try browser.value("fetch('\(address)').then((answer) => answer.text(), (error) => 'refused')")
            #expect(read.string == "refused")
            let blind = try browser.value("fetch('\(address)', { mode: 'no-cors' }).then((answer) => answer.text(), (error) => 'refused')")
            #expect(blind.string?.contains("secret") != true)
        }
    }
}

@Stored(name: "Beam") final class InspectedBeam {
    var length: Int
    var item: String?
    var elements: Int
    @Relationship(inverse: \InspectedFrame.beams) var frames: ObjectSet<InspectedFrame>
}

@Stored(name: "Frame") final class InspectedFrame {
    @Relationship var beams: ObjectList<InspectedBeam>
}

@Stored(name: "Shelf") private final class InspectedShelf {
    var name: String
    @Relationship(onDelete: .deny) var books: ObjectList<InspectedBook>
}

@Stored(name: "Book") private final class InspectedBook {
    var title: String
}
