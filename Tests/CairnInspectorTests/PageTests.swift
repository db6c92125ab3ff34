import CairnInspector
import CairnMapped
import CairnTestSupport
import Testing

/// The page itself.
@Suite struct PageTests {
    @Test func allThatThePageNamesIsThere() async throws {
        let directory = try TemporaryDirectory()
        let store = try MappedStore(path: directory.path("a.map"))
        try await inspecting(.mapped(store)) { (page) throws in
            func file(_ name: String) throws -> Answer { try page.get("/\(page.token)/\(name)") }
            let types = ["js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"]
            let html = try file("").text
            var names = html.matches(of: #/(?:src|href)="([a-z.]+)"/#).map { String($0.1) }
            #expect(Set(names) == ["style.css", "icon.svg", "app.js"])
            var seen: Set<String> = []
            while let name = names.popLast() {
                guard seen.insert(name).inserted else { continue }
                let answer = try file(name)
                #expect(answer.status == 200, "\(name)")
                #expect(answer.headers["content-type"] == types[String(name.split(separator: ".").last!)])
                names += answer.text.matches(of: #/(?:from "\./|SharedWorker\(")([a-z.]+)"/#).map { String($0.1) }
                // What comes from a store is text, and nothing comes from elsewhere.
                for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://"] {
                    #expect(!answer.text.contains(word), "\(name) has \(word)")
                }
            }
            #expect(seen.isSuperset(of: ["api.js", "events.js", "ui.js", "objects.js", "rocks.js", "mapped.js", "cdb.js"]))
            // The policy of the page allows no script in it.
            #expect(!html.contains(#/<script(?![^>]* src=)/#) && !html.contains(#/ on[a-z]+=/#) && !html.contains(" style="))
        }
    }
}
