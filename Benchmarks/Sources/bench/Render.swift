import ArgumentParser
import BenchKit
import Foundation

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes the table and the chart from the JSON of a run."
    )

    @Argument(help: "What `bench --json` wrote.")
    var json: String
    @Option(help: "Where to write results.md, chart.svg and queries.svg.")
    var output = "."
    @Option(help: "A Markdown file whose part between <!-- benchmarks --> and <!-- end of benchmarks --> becomes the chart and a summary.")
    var readme: String?
    @Flag(help: "The JSON is of `bench scale`: write scale.md and scale.svg.")
    var scale = false
    @Flag(help: "Write nothing; fail where a file is not what would be written.")
    var check = false

    func run() throws {
        let files = try scale ? scaleFiles() : files()
        for (path, text) in files {
            guard check else {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                continue
            }
            guard try String(contentsOfFile: path, encoding: .utf8) == text else {
                throw ValidationError("\(path) is not what \(json) makes: run make bench-\(scale ? "scale" : "report")")
            }
        }
    }

    private func scaleFiles() throws -> [(path: String, text: String)] {
        let report = try ScaleReport(contentsOf: json)
        return [("\(output)/scale.md", ScaleMarkdown.page(report)), ("\(output)/scale.svg", ScaleChart(report).svg)]
    }

    private func files() throws -> [(path: String, text: String)] {
        let report = try Report(contentsOf: json)
        var files = [("\(output)/results.md", Markdown.page(report)), ("\(output)/chart.svg", Chart(report).svg)]
        let queries = QueryChart(report)
        if !queries.isEmpty { files.append(("\(output)/queries.svg", queries.svg)) }
        if let readme {
            let text = try String(contentsOfFile: readme, encoding: .utf8)
            guard let start = text.range(of: "<!-- benchmarks -->\n"), let end = text.range(of: "<!-- end of benchmarks -->"),
                start.upperBound <= end.lowerBound
            else { throw ValidationError("\(readme) has no lines <!-- benchmarks --> and <!-- end of benchmarks -->") }
            files.append((readme, text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: Markdown.summary(report))))
        }
        return files
    }
}
