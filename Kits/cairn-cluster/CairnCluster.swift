import ArgumentParser
import CairnEtcdKit
import CairnPostgresKit
import Foundation

/// Starts servers for object stores on several machines, and stops them at its end.
@main
struct CairnCluster: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn-cluster",
        abstract: "Starts three members of etcd, and PostgreSQL with a synchronous standby, on loopback and in temporary directories.",
        discussion: """
            Without a command, the servers run until Ctrl-C. A command gets their URLs in CAIRN_ETCD_URL and CAIRN_POSTGRES_URL, and the servers stop when it ends. \
            Servers that are not installed are left out. Everything in them is removed at the end.
            """
    )

    @Argument(parsing: .captureForPassthrough, help: "A command to run, by its path or name.") var command: [String] = []

    func run() throws {
        if ["-h", "--help"].contains(command.first) { throw CleanExit.helpRequest(self) }
        let interruption = Interruption()
        let etcd = EtcdServer.isInstalled ? try EtcdCluster() : nil
        let postgres = Cluster.isPossible ? try Cluster() : nil
        // They stop when they are released.
        try withExtendedLifetime((etcd, postgres)) {
            let servers = Servers(etcd, postgres)
            for line in servers.missing { say(line) }
            guard !servers.environment.isEmpty else { throw ExitCode(1) }
            guard command.isEmpty else { return try runCommand(servers, interruption) }
            for line in servers.instructions { say(line) }
            interruption.wait()
            say("Stopping the servers.")
        }
    }

    private func runCommand(_ servers: Servers, _ interruption: Interruption) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(servers.environment) { $1 }
        process.terminationHandler = { _ in interruption.interrupt() }
        try process.run()
        interruption.wait()
        // It has ended, or is to end.
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ExitCode(process.terminationStatus) }
    }

    /// Prints a line at once, also into a pipe.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
