import Foundation
import PackagePlugin

/// Makes a constant database, as a resource, and Swift code that reads it from each `NAME.table.csv`, `.table.tsv` and `.table.jsonl` of a target.
@main
struct ConstantDatabasePlugin: BuildToolPlugin {
    private static let endings = [".table.csv", ".table.tsv", ".table.jsonl"]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let compiler = try context.tool(named: "cairn-cdb-compiler").url
        var sources: [String: URL] = [:]
        var commands: [Command] = []
        for source in module.sourceFiles.map(\.url).sorted(by: { $0.path < $1.path }) {
            guard let ending = Self.endings.first(where: source.lastPathComponent.hasSuffix) else { continue }
            let name = String(source.lastPathComponent.dropLast(ending.count))
            if let other = sources.updateValue(source, forKey: name) {
                Diagnostics.error("\(source.path) and \(other.path) would both become \(name); rename one of them")
                continue
            }
            let database = context.pluginWorkDirectoryURL.appending(path: "\(name).cdb")
            let code = context.pluginWorkDirectoryURL.appending(path: "\(name)+Table.swift")
            commands.append(
                .buildCommand(
                    displayName: "Making \(name).cdb from \(source.lastPathComponent)",
                    executable: compiler,
                    arguments: [source.path, database.path, code.path],
                    inputFiles: [source],
                    outputFiles: [database, code]
                )
            )
        }
        if sources.isEmpty {
            Diagnostics.warning(
                "\(target.name) has no file for ConstantDatabasePlugin: their names end with \(Self.endings.joined(separator: ", "))"
            )
        }
        return commands
    }
}
